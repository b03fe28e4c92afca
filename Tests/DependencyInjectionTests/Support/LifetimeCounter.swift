internal import Synchronization

/// Counts how many of the things that carry one of its tokens exist.
final class LifetimeCounter: Sendable {
  private let createdCount = Atomic<Int>(0)
  private let aliveCount = Atomic<Int>(0)

  /// The number of tokens ever made.
  var created: Int { createdCount.load(ordering: .sequentiallyConsistent) }

  /// The number of them that still exist.
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

/// Notifies a counter of its creation and release, and is poisoned once it is released.
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

  /// False once the token has been deinitialized, which a reader with a valid reference never sees.
  var isIntact: Bool { state.load(ordering: .relaxed) == Self.intact }
}

/// Counts calls, from any thread.
final class CallCounter: Sendable {
  private let calls = Atomic<Int>(0)

  /// The number of calls so far.
  var count: Int { calls.load(ordering: .sequentiallyConsistent) }

  /// Counts one more call and returns the new number.
  @discardableResult
  func call() -> Int { calls.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue }
}

/// A Boolean that any thread may set and read.
final class Flag: Sendable {
  private let state = Atomic<Bool>(false)

  var isSet: Bool { state.load(ordering: .sequentiallyConsistent) }

  func set() { state.store(true, ordering: .sequentiallyConsistent) }
}
