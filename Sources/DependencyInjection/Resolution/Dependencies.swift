/// What an instance was built from, so that a container that overrides some of it builds its own.
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
    home.adopt(other.home)
  }
}

/// Collects what an instance depends on while it is created, by one thread or by several tasks.
@usableFromInline
final class Notes: Sendable {
  let home: Home
  private let noted: Locked<Dependencies>

  init(of creator: DIContainer) {
    let dependencies = Dependencies(of: creator)
    home = dependencies.home
    noted = Locked(dependencies)
  }

  /// Where to note what the calling thread or task resolves, if that is for an instance that is going to be kept.
  static var current: Notes? { unsafe ThreadState.current.pointee.noting ?? AsyncContext.noting }

  var dependencies: Dependencies { noted.withLock { $0 } }

  /// Notes that a key was asked for and answered by a container at `level`, with something that has dependencies.
  func note(_ key: Key, level: Int, _ others: Dependencies? = nil) {
    noted.withLock { dependencies in
      dependencies.note(key, level: level)
      if let others { dependencies.note(others) }
    }
  }
}
