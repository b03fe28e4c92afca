internal import DependencyInjection
internal import Testing

/// The aliases that the model knows.
private protocol First: AnyObject { var number: Int { get } }
private protocol Second: AnyObject { var number: Int { get } }
private protocol Third { var number: Int { get } }

private final class Thing: First, Second, Third {
  let number: Int
  let token: LifetimeToken
  init(_ number: Int, _ counter: LifetimeCounter) {
    self.number = number
    token = counter.token()
  }
}

/// What the container is expected to be: a list of registrations, and which key leads to which.
private struct Model {
  struct Entry {
    let isShared: Bool
    let creates: Int
  }

  var entries: [Entry] = []
  var keys: [Key: Int] = [:]
  var instances: [Int: ObjectIdentifier] = [:]

  enum Key: Int, CaseIterable { case first, second, third, thing }

  /// Forgets the instances that no key leads to any more.
  mutating func sweep() {
    let reachable = Set(keys.values)
    instances = instances.filter { reachable.contains($0.key) }
  }
}

/// One step of a sequence.
private enum Step: CustomStringConvertible {
  case register(number: Int, isShared: Bool, keys: [Model.Key])
  case unregister(Model.Key)
  case reset
  case resolve(Model.Key)
  case resolveOptional(Model.Key)
  case resolveOften(Model.Key)

  var description: String {
    switch self {
    case .register(let number, let isShared, let keys): "\(isShared ? "Shared" : "New") \(number) as \(keys)"
    case .unregister(let key): "unregister \(key)"
    case .reset: "reset"
    case .resolve(let key): "resolve \(key)"
    case .resolveOptional(let key): "resolve \(key)?"
    case .resolveOften(let key): "resolve \(key) often"
    }
  }

  static func random(_ number: Int, using generator: inout RepeatableGenerator) -> Step {
    let key = Model.Key.allCases.randomElement(using: &generator)!
    switch Int.random(in: 0..<20, using: &generator) {
    case 0..<5:
      var keys = Model.Key.allCases.filter { _ in Bool.random(using: &generator) }
      if keys.isEmpty { keys = [key] }
      return .register(number: number, isShared: Int.random(in: 0..<3, using: &generator) > 0, keys: keys)
    case 5..<7: return .unregister(key)
    case 7: return .reset
    case 8..<14: return .resolve(key)
    case 14..<19: return .resolveOptional(key)
    default: return .resolveOften(key)
    }
  }
}

extension DIContainer {
  fileprivate func register(_ number: Int, isShared: Bool, as keys: [Model.Key], _ counter: LifetimeCounter) {
    func add<R: InstanceRegistration>(_: R.Type) {
      func make() -> Thing { Thing(number, counter) }
      switch (keys.contains(.first), keys.contains(.second), keys.contains(.third), keys.contains(.thing)) {
      case (true, false, false, false): register(R(Thing(number, counter) as any First))
      case (false, true, false, false): register(R(Thing(number, counter), as: (any Second).self))
      case (false, false, true, false): register(R { Thing(number, counter) as any Third })
      case (false, false, false, true): register(R(Thing(number, counter)))
      case (true, true, false, false): register(R(Thing(number, counter), as: (any First).self, (any Second).self))
      case (true, false, true, false):
        register(R(Thing(number, counter), aliases: { $0 as any First }, { $0 as any Third }))
      case (true, false, false, true): register(R({ Thing(number, counter) }, as: (any First).self, Thing.self))
      case (false, true, true, false):
        register(R({ _ in Thing(number, counter) }, as: (any Second).self, (any Third).self))
      case (false, true, false, true): register(R(Thing(number, counter), as: Thing.self, (any Second).self))
      case (false, false, true, true): register(R(Thing(number, counter), as: (any Third).self, Thing.self))
      case (true, true, true, false):
        register(R(Thing(number, counter), as: (any First).self, (any Second).self, (any Third).self))
      case (true, true, false, true):
        register(R(Thing(number, counter), as: (any First).self, (any Second).self, Thing.self))
      case (true, false, true, true):
        register(R(Thing(number, counter), as: (any First).self, (any Third).self, Thing.self))
      case (false, true, true, true):
        register(R(Thing(number, counter), as: (any Second).self, (any Third).self, Thing.self))
      default:
        register(R(Thing(number, counter), as: (any First).self, (any Second).self, (any Third).self, Thing.self))
      }
    }
    if isShared { add(Shared.self) } else { add(New.self) }
  }

  fileprivate func unregister(_ key: Model.Key) {
    switch key {
    case .first: unregister((any First).self)
    case .second: unregister((any Second).self)
    case .third: unregister((any Third).self)
    case .thing: unregister(Thing.self)
    }
  }

  fileprivate func find(_ key: Model.Key) -> Thing? {
    switch key {
    case .first: resolve((any First)?.self) as? Thing
    case .second: resolve((any Second)?.self) as? Thing
    case .third: resolve((any Third)?.self) as? Thing
    case .thing: resolve(Thing?.self)
    }
  }

  fileprivate func tryFind(_ key: Model.Key) -> Thing? {
    switch key {
    case .first: try? tryResolve((any First).self) as? Thing
    case .second: try? tryResolve((any Second).self) as? Thing
    case .third: try? tryResolve((any Third).self) as? Thing
    case .thing: try? tryResolve(Thing.self)
    }
  }

  /// Resolves without an optional, which needs a registration.
  fileprivate func get(_ key: Model.Key) -> Thing? {
    switch key {
    case .first: resolve((any First).self) as? Thing
    case .second: resolve((any Second).self) as? Thing
    case .third: resolve((any Third).self) as? Thing
    case .thing: resolve(Thing.self)
    }
  }
}

@Suite("Random sequences against a model", .timeLimit(.minutes(3)))
struct ModelTests {
  @Test("A container does what a simple model does", arguments: UInt64(1)...200)
  func sequence(seed: UInt64) {
    var generator = RepeatableGenerator(seed: seed)
    let counter = LifetimeCounter()
    let container = DIContainer()
    var model = Model()
    var history: [Step] = []
    for number in 0..<150 {
      let step = Step.random(number, using: &generator)
      history.append(step)
      guard let fault = check(step, container, &model, counter) else { continue }
      Issue.record("seed \(seed), step \(number): \(fault)\n\(history.map(\.description).joined(separator: "\n"))")
      return
    }
  }

  /// Does a step on both sides, and returns in what they differ.
  private func check(
    _ step: Step, _ container: DIContainer, _ model: inout Model, _ counter: LifetimeCounter
  ) -> String? {
    switch step {
    case .register(let number, let isShared, let keys):
      container.register(number, isShared: isShared, as: keys, counter)
      for key in keys { model.keys[key] = model.entries.count }
      model.entries.append(Model.Entry(isShared: isShared, creates: number))
      model.sweep()
    case .unregister(let key):
      container.unregister(key)
      model.keys[key] = nil
      model.sweep()
    case .reset:
      container.reset()
      model.instances = [:]
    case .resolve(let key):
      if let fault = compare(container.tryFind(key), key, &model) { return fault }
      if model.keys[key] != nil, let fault = compare(container.get(key), key, &model) { return fault }
    case .resolveOptional(let key):
      if let fault = compare(container.find(key), key, &model) { return fault }
    case .resolveOften(let key):
      guard model.keys[key] != nil else { return nil }
      for _ in 0..<1_500 { if let fault = compare(container.get(key), key, &model) { return fault } }
    }
    guard counter.alive == model.instances.count else {
      return "\(counter.alive) instances are alive, expected \(model.instances.count)"
    }
    return nil
  }

  private func compare(_ thing: Thing?, _ key: Model.Key, _ model: inout Model) -> String? {
    guard let index = model.keys[key] else { return thing == nil ? nil : "found \(thing!.number), expected nothing" }
    let entry = model.entries[index]
    guard let thing else { return "found nothing, expected \(entry.creates)" }
    guard thing.number == entry.creates else { return "found \(thing.number), expected \(entry.creates)" }
    guard thing.token.isIntact else { return "\(thing.number) is dead" }
    guard entry.isShared else { return nil }
    let identity = ObjectIdentifier(thing)
    if let known = model.instances[index] { return known == identity ? nil : "another instance of \(thing.number)" }
    model.instances[index] = identity
    return nil
  }

  @Test("On several threads no instance is dead, numbers only grow, and nothing is left", arguments: UInt64(1)...10)
  func threads(seed: UInt64) {
    let counter = LifetimeCounter()
    let container = DIContainer()
    let isDone = Flag()
    let faults = onThreads(4) { index -> String? in
      var generator = RepeatableGenerator(seed: seed &* 31 &+ UInt64(index))
      guard index > 0 else {
        defer { isDone.set() }
        for number in 0..<1_500 {
          let step = Step.random(number, using: &generator)
          switch step {
          case .register(let number, let isShared, let keys):
            container.register(number, isShared: isShared, as: keys, counter)
          case .unregister(let key): container.unregister(key)
          case .reset: container.reset()
          default: break
          }
        }
        return nil
      }
      var newest: [Model.Key: Int] = [:]
      while !isDone.isSet {
        let key = Model.Key.allCases.randomElement(using: &generator)!
        let found = Bool.random(using: &generator) ? container.find(key) : container.tryFind(key)
        guard let thing = found else { continue }
        if !thing.token.isIntact { return "thread \(index): \(thing.number) is dead" }
        if thing.number < newest[key, default: 0] {
          return "thread \(index): \(thing.number) for \(key) after \(newest[key]!)"
        }
        newest[key] = thing.number
      }
      return nil
    }
    #expect(faults.compactMap { $0 } == [], "seed \(seed)")
    for key in Model.Key.allCases { container.unregister(key) }
    #expect(counter.alive == 0, "seed \(seed)")
    container.reset()
    #expect(counter.alive == 0, "seed \(seed)")
  }
}
