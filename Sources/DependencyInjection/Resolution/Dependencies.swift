internal import Synchronization

/// What an instance was built from, so that a container that overrides some of it builds its own.
struct Dependencies: Sendable {
  /// The keys that were asked for while it was created, by its own factory and by those of what it asked for.
  private(set) var keys: Set<Key> = []

  /// The depth below the root of the nearest container that one of them came from.
  private(set) var level = 0

  /// Where the instance belongs; nil once nothing resolves from there later.
  var home: Home? { ownHome ?? weakHome?.home }

  /// The home, until a container keeps the instance.
  private var ownHome: Home?

  /// The home of an instance that a container keeps: that must not live as long as the container remembers it.
  private var weakHome: WeakHome?

  private final class WeakHome: Sendable {
    weak let home: Home?
    init(_ home: Home) { self.home = home }
  }

  init(home: Home) { ownHome = home }

  /// Leaves the home to whatever resolves from there later.
  ///
  /// - Returns: The home, to settle it; nil if nothing resolves from there.
  mutating func releaseHome() -> Home? {
    let isHeld = !isKnownUniquelyReferenced(&ownHome)
    guard let home = ownHome.take(), isHeld || home.hasAdopted else { return nil }
    weakHome = WeakHome(home)
    return home
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
    if let other = other.home { home?.adopt(other) }
  }
}

/// Records what an instance depends on while it is created, by any number of threads and tasks.
final class DependencyRecorder: Sendable {
  let home: Home
  private let recorded: Locked<Dependencies>

  init(of creator: DIContainer) {
    home = Home(creator)
    recorded = Locked(Dependencies(home: home))
  }

  /// The recorder of the instance that the calling thread or task works for, if it is going to be kept.
  static var current: DependencyRecorder? {
    if let context = unsafe ThreadState.current.pointee.context { return context.recorder }
    return ofTask
  }

  /// The recorder of the instance that the current task works for, without looking for one that cannot be there.
  static var ofTask: DependencyRecorder? {
    // Relaxed: whoever works for a creation has begun after it was counted.
    unsafe Gate.creations.pointee.load(ordering: .relaxed) == 0 ? nil : CreationContext.ofTask?.recorder
  }

  var dependencies: Dependencies { recorded.withLock { $0 } }

  /// Notes that a key was asked for and answered by a container at `level`, with something that has dependencies.
  func note(_ key: Key, level: Int, _ others: Dependencies? = nil) {
    // Kept, because the lock must not be held when the last reference to it goes.
    let othersHome = others?.home
    recorded.withLock { dependencies in
      dependencies.note(key, level: level)
      if let others { dependencies.note(others) }
    }
    withExtendedLifetime(othersHome) {}
  }
}
