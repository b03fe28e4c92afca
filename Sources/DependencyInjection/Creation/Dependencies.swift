internal import Synchronization

/// The dependencies of an instance.
///
/// A container that overrides one of them builds an instance of its own.
struct Dependencies: Sendable {
  /// The keys that were requested during the creation, by the instance's own factory and by those of its dependencies.
  private(set) var keys: Set<Key> = []

  /// The depth below the root of the nearest container that provided one of them.
  private(set) var level = 0

  /// The owner of the instance; nil once nothing resolves from it later.
  var owner: OwningContainer? { strongOwner ?? weakOwner?.owner }

  /// The owner, until a container keeps the instance.
  private var strongOwner: OwningContainer?

  /// The owner of an instance that a container keeps; weak, because the container keeps the dependencies longer.
  private var weakOwner: WeakOwner?

  private final class WeakOwner: Sendable {
    weak let owner: OwningContainer?
    init(_ owner: OwningContainer) { self.owner = owner }
  }

  /// - Parameter owner: The owner of the instance, if a container may keep it.
  init(owner: OwningContainer?) { strongOwner = owner }

  /// Releases the owner, which from then on lives only as long as something may resolve from it later.
  ///
  /// - Returns: The owner, to transfer the instance; nil if nothing resolves from it.
  mutating func releaseOwner() -> OwningContainer? {
    let isHeld = !isKnownUniquelyReferenced(&strongOwner)
    guard let owner = strongOwner.take(), isHeld || owner.hasParts else { return nil }
    weakOwner = WeakOwner(owner)
    return owner
  }

  /// Adds a key that was requested, and answered by a container at `level`.
  mutating func add(_ key: Key, level: Int) {
    keys.insert(key)
    self.level = max(self.level, level)
  }

  /// Adds all dependencies of a dependency.
  mutating func add(_ other: Dependencies) {
    keys.formUnion(other.keys)
    level = max(level, other.level)
    if let part = other.owner { owner?.addPart(part) }
  }
}

/// A recorder of the dependencies of an instance during its creation, by any number of threads and tasks.
final class DependencyRecorder: Sendable {
  let owner: OwningContainer
  private let recorded: Locked<Dependencies>

  init(of creator: DIContainer) {
    owner = OwningContainer(creator)
    recorded = Locked(Dependencies(owner: owner))
  }

  /// The recorder of the instance for which the calling thread or task works, if a container is going to keep it.
  static var current: DependencyRecorder? {
    if TaskContext.activeCount.load(ordering: .relaxed) == 0 { return nil }
    return CreationContext.current?.recorder
  }

  var dependencies: Dependencies { recorded.withLock { $0 } }

  /// Records a key that was requested and answered by a container at `level`, and the dependencies of the instance.
  ///
  /// - Parameters:
  ///   - key: The key; nil to record only the dependencies of the instance.
  ///   - level: The depth of the container below the root.
  ///   - others: The dependencies of the instance; nil if there is none.
  func record(_ key: Key?, level: Int, _ others: Dependencies?) {
    // The owner is kept, because its last reference must not be released under the lock.
    let othersOwner = others?.owner
    recorded.withLock { recorded in
      if let key { recorded.add(key, level: level) }
      if let others { recorded.add(others) }
    }
    withExtendedLifetime(othersOwner) {}
  }
}
