internal import DependencyInjection

/// Something that knows where it comes from.
protocol Traced { var trace: Trace { get } }

/// Where an instance comes from and what it was made of.
struct Trace {
  let registration: Int
  let serial: Int
  var argument: Int?
  var parts: [(any Traced)?] = []

  /// Nil in what is too small to have one.
  var token: LifetimeToken?
}

// Four casts, so that four threads can have one each. The protocols cannot be generic: an existential of a generic
// protocol is stored in another way, and it is the way of the plain ones that has to be right.
protocol First1: AnyObject, Traced {}
protocol First2: AnyObject, Traced {}
protocol First3: AnyObject, Traced {}
protocol First4: AnyObject, Traced {}
protocol Second1: AnyObject, Traced {}
protocol Second2: AnyObject, Traced {}
protocol Second3: AnyObject, Traced {}
protocol Second4: AnyObject, Traced {}
protocol Third1: Traced {}
protocol Third2: Traced {}
protocol Third3: Traced {}
protocol Third4: Traced {}

private final class Thing<Owner>: First1, First2, First3, First4, Second1, Second2, Second3, Second4, Third1, Third2,
  Third3, Third4
{
  let trace: Trace
  init(_ trace: Trace) { self.trace = trace }
}

private struct Record<Owner>: Third1, Third2, Third3, Third4 {
  let trace: Trace
}

private struct Small<Owner>: Third1, Third2, Third3, Third4 {
  let registration: Int
  let serial: Int
  var trace: Trace { Trace(registration: registration, serial: serial) }
}

private final class Called<Owner>: Traced {
  let trace: Trace
  init(_ trace: Trace) { self.trace = trace }
}

/// The error of a factory that was made to fail.
struct ModelFailure: Error {}

/// What the instances of one test, or of one of its threads, have in common.
final class ModelWorld: Sendable {
  /// Something that a factory has done, and when.
  struct Creation {
    let registration: Int
    let serial: Int
    let begin: Int
    let end: Int
  }

  /// How many of the instances are alive.
  let counter = LifetimeCounter()

  /// Numbers the instances.
  let serials = CallCounter()

  /// Numbers the moments, if it matters what came first.
  let clock: CallCounter?

  /// What has been created, if it matters when.
  let creations = Monitor<[Creation]>([])

  /// Whether somebody only looks what is registered, so that what is created for that does not count.
  @TaskLocal static var isLooking = false

  /// What can be ended without anything else.
  let session: Scope

  init(clock: CallCounter? = nil, session: Scope = Scope("session")) {
    self.clock = clock
    self.session = session
  }

  fileprivate func create<Value>(
    _ entry: ModelEntry, _ argument: Int?, _ parts: [(any Traced)?], _ make: (Trace) -> Value
  ) -> Value {
    let begin = clock?.call()
    let serial = serials.call()
    let token = entry.kind == .small ? nil : counter.token()
    // Time for the others to change what it is created for.
    if clock != nil, serial % 4 == 0 { spend(milliseconds: 0.02) }
    let value = make(
      Trace(registration: entry.number, serial: serial, argument: argument, parts: parts, token: token))
    if let clock, let begin, !Self.isLooking {
      let creation = Creation(registration: entry.number, serial: serial, begin: begin, end: clock.call())
      creations.change { $0.append(creation) }
    }
    return value
  }
}

/// How a test resolves.
enum ResolveForm: CaseIterable {
  case optional, throwing, plain

  /// With an argument, an integer.
  case argument
}

/// The types behind the keys of the model, and what can be done with them.
protocol ModelCast: Sendable {
  /// What registers an entry.
  func registration(of entry: ModelEntry, in world: ModelWorld) -> RegistrationList

  /// Removes what is registered for a key.
  func unregister(_ key: ModelKey, from container: DIContainer)

  /// Drops the instance of a key.
  func reset(_ key: ModelKey, in container: DIContainer)

  /// Resolves a key from a container, or from the current one.
  func resolve(
    _ key: ModelKey, _ form: ResolveForm, from container: DIContainer?
  ) throws(ResolutionError) -> (any Traced)?

  /// The type behind a key.
  func type(of key: ModelKey) -> Any.Type
}

/// All casts: what is registered for one is nothing to another.
let modelCasts: [any ModelCast] = [
  CastOf<any First1, any Second1, any Third1, Int8>(), CastOf<any First2, any Second2, any Third2, Int16>(),
  CastOf<any First3, any Second3, any Third3, Int32>(), CastOf<any First4, any Second4, any Third4, Int64>(),
]

private struct CastOf<First, Second, Third, Owner>: ModelCast {
  func type(of key: ModelKey) -> Any.Type {
    switch key {
    case .small: Small<Owner>.self
    case .record: Record<Owner>.self
    case .third: Third.self
    case .thing: Thing<Owner>.self
    case .second: Second.self
    case .first: First.self
    case .called: Called<Owner>.self
    }
  }

  func unregister(_ key: ModelKey, from container: DIContainer) {
    func open<Value>(_ type: Value.Type) { container.unregister(type) }
    _openExistential(type(of: key), do: open)
  }

  func reset(_ key: ModelKey, in container: DIContainer) {
    func open<Value>(_ type: Value.Type) { container.reset(type) }
    _openExistential(type(of: key), do: open)
  }

  func resolve(
    _ key: ModelKey, _ form: ResolveForm, from container: DIContainer?
  ) throws(ResolutionError) -> (any Traced)? {
    // Spelled out and not opened, so that the compiler can specialize each of them.
    switch key {
    case .small: try resolve(Small<Owner>.self, form, from: container)
    case .record: try resolve(Record<Owner>.self, form, from: container)
    case .third: try resolve(Third.self, form, from: container)
    case .thing: try resolve(Thing<Owner>.self, form, from: container)
    case .second: try resolve(Second.self, form, from: container)
    case .first: try resolve(First.self, form, from: container)
    case .called: try resolve(Called<Owner>.self, form, from: container)
    }
  }

  private func resolve<Value>(
    _ type: Value.Type, _ form: ResolveForm, from container: DIContainer?
  ) throws(ResolutionError) -> (any Traced)? {
    switch form {
    case .optional:
      guard let container else { return DIContainer.resolve(Value?.self) as? any Traced }
      return container.resolve(Value?.self) as? any Traced
    case .throwing:
      guard let container else { return try DIContainer.tryResolve(type) as? any Traced }
      return try container.tryResolve(type) as? any Traced
    case .plain: return (container?.resolve(type) ?? DIContainer.resolve(type)) as? any Traced
    case .argument: return try (container ?? .current).tryResolve(type) { 7 } as? any Traced
    }
  }

  func registration(of entry: ModelEntry, in world: ModelWorld) -> RegistrationList {
    switch entry.kind {
    case .thing: list(entry, world) { world.create(entry, nil, parts(of: entry, from: $0), Thing<Owner>.init) }
    case .record: list(entry, world) { world.create(entry, nil, parts(of: entry, from: $0), Record<Owner>.init) }
    case .small:
      list(entry, world) { _ in
        world.create(entry, nil, []) { Small<Owner>(registration: $0.registration, serial: $0.serial) }
      }
    case .taking:
      RegistrationList(
        New(
          { (resolve: Resolver, argument: Int) in
            world.create(entry, argument, parts(of: entry, from: resolve), Called<Owner>.init)
          }, line: UInt(entry.number)))
    case .failing:
      registered(entry, world) { (resolve: Resolver) throws -> Called<Owner> in
        _ = parts(of: entry, from: resolve)
        throw ModelFailure()
      }
    }
  }

  /// An entry in its lifetime, under the type that its factory returns and others.
  private func registered<Value, each Alias>(
    _ entry: ModelEntry, _ world: ModelWorld, _ make: @escaping @Sendable (Resolver) throws -> Value,
    as aliases: repeat (each Alias).Type
  ) -> RegistrationList {
    let line = UInt(entry.number)
    let scope: Scope = entry.life == .session ? world.session : .container
    return switch entry.life {
    case .shared:
      RegistrationList(Shared({ (resolve: Resolver) in try make(resolve) }, as: repeat each aliases, line: line))
    case .new:
      RegistrationList(New({ (resolve: Resolver) in try make(resolve) }, as: repeat each aliases, line: line))
    case .session, .container:
      RegistrationList(
        Scoped(in: scope, { (resolve: Resolver) in try make(resolve) }, as: repeat each aliases, line: line))
    }
  }

  /// An entry in one of the forms that put it under its keys.
  private func list<Value>(
    _ entry: ModelEntry, _ world: ModelWorld, _ make: @escaping @Sendable (Resolver) throws -> Value
  ) -> RegistrationList {
    let types = entry.keys.map { type(of: $0) }
    func direct<A>(_: A.Type) -> RegistrationList { registered(entry, world) { try make($0) as! A } }
    func one<A>(_ a: A.Type) -> RegistrationList { registered(entry, world, make, as: a) }
    func two<A>(_ a: A.Type) -> RegistrationList {
      func open<B>(_ b: B.Type) -> RegistrationList { registered(entry, world, make, as: a, b) }
      return _openExistential(types[1], do: open)
    }
    func three<A>(_ a: A.Type) -> RegistrationList {
      func open<B>(_ b: B.Type) -> RegistrationList {
        func open<C>(_ c: C.Type) -> RegistrationList { registered(entry, world, make, as: a, b, c) }
        return _openExistential(types[2], do: open)
      }
      return _openExistential(types[1], do: open)
    }
    func four<A>(_ a: A.Type) -> RegistrationList {
      func open<B>(_ b: B.Type) -> RegistrationList {
        func open<C>(_ c: C.Type) -> RegistrationList {
          func open<D>(_ d: D.Type) -> RegistrationList { registered(entry, world, make, as: a, b, c, d) }
          return _openExistential(types[3], do: open)
        }
        return _openExistential(types[2], do: open)
      }
      return _openExistential(types[1], do: open)
    }
    switch types.count {
    case 1 where entry.isDirect: return _openExistential(types[0], do: direct)
    case 1: return _openExistential(types[0], do: one)
    case 2: return _openExistential(types[0], do: two)
    case 3: return _openExistential(types[0], do: three)
    default: return _openExistential(types[0], do: four)
    }
  }

  private func parts(of entry: ModelEntry, from resolver: Resolver) -> [(any Traced)?] {
    func resolve<Value>(_: Value.Type) -> (any Traced)? { resolver.resolve(Value?.self) as? any Traced }
    return entry.parts.map { _openExistential(type(of: $0), do: resolve) }
  }
}
