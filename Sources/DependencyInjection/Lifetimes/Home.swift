/// The container that an instance belongs to, for whatever of it resolves later: lazy properties and kept resolvers.
///
/// While the instance is being created, that is the container that creates it. Afterwards it is the one that keeps the
/// instance: an instance of a parent must not go on resolving from the child that happened to create it. That one is
/// not kept alive, because it keeps the instance.
@usableFromInline
final class Home: @unchecked Sendable {
  // Unchecked: guarded by `lock`, one for all, which is held for an assignment.
  private static let lock = Locked<Void>(())

  private var creator: DIContainer?
  private weak var keeper: DIContainer?

  /// How far below the root the keeper is, once there is one.
  private var settledLevel = Int.max

  /// The homes of what the instance is made of, until it is settled itself.
  private var adopted: [Home] = []

  /// The container that creates.
  ///
  /// Asked for only while it does, so that the identity is still its own.
  private let creating: ObjectIdentifier

  init(_ creator: DIContainer) {
    self.creator = creator
    creating = ObjectIdentifier(creator)
  }

  /// Makes the container that keeps the instance its home, unless an ancestor of it is that already.
  ///
  /// And that of what the instance is made of: a `PerGraph` instance has no keeper until something holds it that has.
  func settle(in keeper: DIContainer) {
    let (creator, adopted) = Self.lock.withLock { _ -> (DIContainer?, [Home]) in
      guard keeper.level < settledLevel else { return (nil, []) }
      settledLevel = keeper.level
      defer { (self.creator, self.adopted) = (keeper.isShared ? keeper : nil, []) }
      // A weak reference slows every retain of its object; the shared container is never released anyway.
      if !keeper.isShared { self.keeper = keeper }
      return (self.creator, self.adopted)
    }
    for home in adopted { home.settle(in: keeper) }
    _ = consume creator
  }

  /// Notes that the instance is made of another one.
  func adopt(_ other: Home) {
    // What the root keeps can go no further up.
    Self.lock.withLock { _ in if other.settledLevel > 0 { adopted.append(other) } }
  }

  /// The container to resolve from.
  var container: DIContainer {
    guard let container = Self.lock.withLock({ _ in creator ?? keeper }) else {
      fatalError("A dependency is resolved for an instance whose container is gone.")
    }
    return container
  }

  /// Whether this container is creating the instance.
  func isCreated(by container: DIContainer) -> Bool { creating == ObjectIdentifier(container) }
}
