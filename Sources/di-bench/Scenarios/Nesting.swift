internal import DependencyInjection

/// Something that creates types that need others.
protocol Nesting: Sendable {
  init()

  /// Registers a type that is created again each time, after the others have been.
  func register<Value: Keyed>(_ type: Value.Type, after others: [any Keyed.Type])

  /// Registers a type that registers another when it is created, and resolves it.
  func register<Value: Keyed>(_ type: Value.Type, registering other: any Keyed.Type)

  func make<Value: Keyed>(_ type: Value.Type)
}

/// The shared container.
struct NestingContainer: Nesting {
  init() { _ = ContainerProvider.installed }

  func register<Value: Keyed>(_: Value.Type, after others: [any Keyed.Type]) {
    DIContainer.register(
      New { (resolve: Resolver) -> Value in
        InstanceCount.add()
        for other in others { Self.resolve(other, resolve) }
        return Value()
      })
  }

  func register<Value: Keyed>(_: Value.Type, registering other: any Keyed.Type) {
    DIContainer.register(
      New { (resolve: Resolver) -> Value in
        InstanceCount.add()
        Self().register(other, after: [])
        Self.resolve(other, resolve)
        return Value()
      })
  }

  private static func resolve<Value: Keyed>(_: Value.Type, _ resolve: Resolver) {
    _ = resolve.resolve(Value.self)
  }

  func make<Value: Keyed>(_: Value.Type) { _ = DIContainer.resolve(Value.self) }
}

/// A dictionary behind a mutex.
struct NestingDictionary: Nesting {
  private let entries = LockedDictionary()

  init() { entries.registerServices() }

  func register<Value: Keyed>(_ type: Value.Type, after others: [any Keyed.Type]) {
    set(type) {
      InstanceCount.add()
      for other in others { make(other) }
    }
  }

  func register<Value: Keyed>(_ type: Value.Type, registering other: any Keyed.Type) {
    set(type) {
      InstanceCount.add()
      register(other, after: [])
      make(other)
    }
  }

  private func set<Value: Keyed>(_ type: Value.Type, _ body: @escaping @Sendable () -> Void) {
    let factory: LockedDictionary.Factory = { _, _ in
      body()
      return Value()
    }
    entries.set(factory, for: ObjectIdentifier(type))
  }

  func make<Value: Keyed>(_ type: Value.Type) { _ = entries.make(type, ()) }
}

/// Which of the types each one needs, by number; the first one is asked for, and what is not named needs nothing.
enum NestingShape {
  case chain(Int), fanOut(Int), diamond, registering

  /// How many instances one operation creates.
  var instances: Int {
    switch self {
    case .chain(let depth): depth
    case .fanOut(let width): width + 1
    case .diamond: 5
    case .registering: 2
    }
  }

  /// How many types it needs.
  var types: Int {
    if case .diamond = self { 4 } else { instances }
  }
}

/// Creates types that need others, in some shape.
struct NestingLoop<Source: Nesting>: Loop {
  private let source = Source()
  private let shape: NestingShape
  private let first: any Keyed.Type
  let registrations: Int?

  init(_: Source.Type, _ shape: NestingShape) {
    self.shape = shape
    // The providers have the first of them.
    let keys = Array(Keys.all[200..<200 + 65])
    first = keys[0]
    registrations = ContainerProvider.registrationCount + shape.types
    switch shape {
    case .chain(let depth):
      for index in 0..<depth { source.register(keys[index], after: index + 1 < depth ? [keys[index + 1]] : []) }
    case .fanOut(let width):
      source.register(keys[0], after: Array(keys[1...width]))
      for index in 1...width { source.register(keys[index], after: []) }
    case .diamond:
      source.register(keys[0], after: [keys[1], keys[2]])
      source.register(keys[1], after: [keys[3]])
      source.register(keys[2], after: [keys[3]])
      source.register(keys[3], after: [])
    case .registering:
      source.register(keys[0], registering: keys[1])
    }
  }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    let before = InstanceCount.current
    loop(first, operations)
    try InstanceCount.check(since: before, expected: operations * shape.instances)
  }

  private func loop<Value: Keyed>(_ type: Value.Type, _ operations: Int) {
    for _ in 0..<operations { source.make(type) }
  }
}
