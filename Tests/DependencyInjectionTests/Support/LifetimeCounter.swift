internal import Synchronization

/// Counts how many of the things that carry one of its tokens exist.
final class LifetimeCounter: Sendable {
  private let createdCount = Atomic<Int>(0)
  private let aliveCount = Atomic<Int>(0)

  /// How many tokens have ever been made.
  var created: Int { createdCount.load(ordering: .sequentiallyConsistent) }

  /// How many of them are still there.
  var alive: Int { aliveCount.load(ordering: .sequentiallyConsistent) }

  /// Makes a token, which lives as long as whoever keeps it.
  func token() -> LifetimeToken { LifetimeToken(self) }

  fileprivate func begin() {
    createdCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
    aliveCount.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  fileprivate func end() {
    aliveCount.wrappingSubtract(1, ordering: .sequentiallyConsistent)
  }
}

/// Tells a counter when it comes and goes, and is poisoned when it is gone.
final class LifetimeToken: Sendable {
  private static let intact: UInt = 0x600D_600D_600D_600D
  private let counter: LifetimeCounter
  private let state = Atomic<UInt>(intact)

  init(_ counter: LifetimeCounter) {
    self.counter = counter
    counter.begin()
  }

  deinit {
    state.store(0xDEAD, ordering: .sequentiallyConsistent)
    counter.end()
  }

  /// False once the token has been deinitialised, which a reader with a valid reference never sees.
  var isIntact: Bool { state.load(ordering: .relaxed) == Self.intact }
}

/// Counts calls, from any thread.
final class CallCounter: Sendable {
  private let calls = Atomic<Int>(0)

  /// How many calls there have been.
  var count: Int { calls.load(ordering: .sequentiallyConsistent) }

  /// Counts one more and returns how many there have been with it.
  @discardableResult
  func call() -> Int { calls.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}

/// A Boolean that any thread may set and read.
final class Flag: Sendable {
  private let state = Atomic<Bool>(false)

  var isSet: Bool { state.load(ordering: .sequentiallyConsistent) }

  func set() { state.store(true, ordering: .sequentiallyConsistent) }
}
