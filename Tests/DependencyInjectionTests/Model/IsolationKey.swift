internal import DependencyInjection

/// What can be done with one key of the isolation model.
struct IsolationKey: Sendable {
  let fromResolver: @Sendable (Resolver) throws -> IsolationFound
  let fromContainer: @Sendable (DIContainer) throws -> IsolationFound
  let fromCurrent: @Sendable () throws -> IsolationFound
  let fromCurrentAsync: @Sendable () async throws -> IsolationFound

  /// Creates something with an injected property.
  let injected: @Sendable () -> IsolationFound

  /// Creates something with a lazily injected property, perhaps from an explicit container, and returns what reads that.
  let lazily: @Sendable (DIContainer?) -> @Sendable () -> IsolationFound

  /// What registers something whose factory calls a closure.
  let registration:
    @Sendable (IsolationSpec.Life, @escaping @Sendable (Resolver) throws -> IsolationPiece) -> RegistrationList
  let unregister: @Sendable (DIContainer) -> Void
  let reset: @Sendable (DIContainer) -> Void

  private enum A {}
  private enum B {}
  private enum C {}
  private enum D {}
  private enum E {}
  private enum F {}

  static let all = [
    IsolationKey(A.self), IsolationKey(B.self), IsolationKey(C.self), IsolationKey(D.self), IsolationKey(E.self),
    IsolationKey(F.self),
  ]

  static let session = Scope("session of the isolation model")

  private init<Marker>(_: Marker.Type) {
    fromResolver = { IsolationFound(try $0.tryResolve(IsolationInstance<Marker>.self)) }
    fromContainer = { IsolationFound(try $0.tryResolve(IsolationInstance<Marker>.self)) }
    fromCurrent = { IsolationFound(try DIContainer.tryResolve(IsolationInstance<Marker>.self)) }
    fromCurrentAsync = { IsolationFound(try await DIContainer.resolveAsync(IsolationInstance<Marker>.self)) }
    injected = { IsolationFound(Injected<Marker>().instance) }
    lazily = { container in
      let property = LazilyInjected<Marker>(from: container)
      return { IsolationFound(property.instance) }
    }
    registration = { life, create in
      let make: @Sendable (Resolver) throws -> IsolationInstance<Marker> = { IsolationInstance(try create($0)) }
      var list = RegistrationList()
      switch life {
      case .shared: list.add(Shared { (resolve: Resolver) in try make(resolve) })
      case .weak: list.add(Weak { (resolve: Resolver) in try make(resolve) })
      case .session: list.add(Scoped(in: Self.session) { (resolve: Resolver) in try make(resolve) })
      case .perContainer: list.add(Scoped(in: .container) { (resolve: Resolver) in try make(resolve) })
      case .new: list.add(New { (resolve: Resolver) in try make(resolve) })
      case .perGraph: list.add(PerGraph { (resolve: Resolver) in try make(resolve) })
      }
      return list
    }
    unregister = { $0.unregister(IsolationInstance<Marker>.self) }
    reset = { $0.reset(IsolationInstance<Marker>.self) }
  }
}

private struct Injected<Marker> {
  @Inject var instance: IsolationInstance<Marker>

  init() {}
}

private struct LazilyInjected<Marker>: Sendable {
  @LazyInject var instance: IsolationInstance<Marker>

  init(from container: DIContainer?) { _instance = LazyInject(from: container) }
}
