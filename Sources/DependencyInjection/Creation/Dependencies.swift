internal import Synchronization

/// What an instance was built from, so that a container that overrides some of it builds its own.
struct Dependencies: Sendable {
  /// The keys that were asked for while it was created, by its own factory and by those of what it asked for.
  private(set) var keys: Set<Key> = []

  /// The depth below the root of the nearest container that one of them came from.
  private(set) var level = 0

  /// The owner of the instance; nil once nothing resolves from there later.
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

  /// Leaves the owner to whatever resolves from there later.
  ///
  /// - Returns: The owner, to transfer the instance; nil if nothing resolves from there.
  mutating func releaseOwner() -> OwningContainer? {
    let isHeld = !isKnownUniquelyReferenced(&strongOwner)
    guard let owner = strongOwner.take(), isHeld || owner.hasParts else { return nil }
    weakOwner = WeakOwner(owner)
    return owner
  }

  /// Adds a key that was asked for, and answered by a container at `level`.
  mutating func add(_ key: Key, level: Int) {
    keys.insert(key)
    self.level = max(self.level, level)
  }

  /// Adds everything that a dependency depends on itself.
  mutating func add(_ other: Dependencies) {
    keys.formUnion(other.keys)
    level = max(level, other.level)
    if let part = other.owner { owner?.addPart(part) }
  }
}

/// Records what an instance depends on while it is created, by any number of threads and tasks.
final class DependencyRecorder: Sendable {
  let owner: OwningContainer
  private let recorded: Locked<Dependencies>

  init(of creator: DIContainer) {
    owner = OwningContainer(creator)
    recorded = Locked(Dependencies(owner: owner))
  }

  /// The recorder of the instance that the calling thread or task works for, if it is going to be kept.
  static var current: DependencyRecorder? {
    if TaskContext.activeCount.load(ordering: .relaxed) == 0 { return nil }
    return CreationContext.current?.recorder
  }

  var dependencies: Dependencies { recorded.withLock { $0 } }

  /// Records that a key was asked for and answered by a container at `level`, with something that has dependencies.
  func record(_ key: Key, level: Int, _ others: Dependencies? = nil) {
    // Kept, because the lock must not be held when the last reference to it goes.
    let othersOwner = others?.owner
    recorded.withLock { dependencies in
      dependencies.add(key, level: level)
      if let others { dependencies.add(others) }
    }
    withExtendedLifetime(othersOwner) {}
  }
}
