/// What an instance was built from, so that a container that overrides some of it builds its own.
@usableFromInline
struct Dependencies: Sendable {
  /// The keys that were asked for while it was created, by its own factory and by those of what it asked for.
  private(set) var keys: Set<Key> = []

  /// The depth below the root of the nearest container that one of them came from.
  private(set) var level = 0

  /// The container that creates the instance, and keeps it or hands it to an ancestor to keep.
  let home: Home

  init(of creator: DIContainer) {
    home = Home(creator)
  }

  /// Notes that a key was asked for and answered by a container at `level`.
  mutating func note(_ key: Key, level: Int) {
    keys.insert(key)
    self.level = max(self.level, level)
  }

  /// Notes everything that a dependency depends on itself.
  mutating func note(_ other: Dependencies) {
    keys.formUnion(other.keys)
    level = max(level, other.level)
  }
}

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

  /// The container that creates.
  ///
  /// Asked for only while it does, so that the identity is still its own.
  private let creating: ObjectIdentifier

  init(_ creator: DIContainer) {
    self.creator = creator
    creating = ObjectIdentifier(creator)
  }

  /// Makes the container that keeps the instance its home.
  func settle(in keeper: DIContainer) {
    let creator = Self.lock.withLock { _ -> DIContainer? in
      defer { self.creator = keeper.isShared ? keeper : nil }
      // A weak reference slows every retain of its object; the shared container is never released anyway.
      if !keeper.isShared { self.keeper = keeper }
      return self.creator
    }
    _ = consume creator
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
