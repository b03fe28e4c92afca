internal import DIBenchmarking
internal import DependencyInjection
internal import Synchronization

/// What is registered and resolved: tells what it is, and is counted while it lives.
final class StressToken<Key: Keyed>: Sendable {
  /// Of which key it should be.
  let key: Int

  /// Which of its key's instances it is, or whatever else the check wants to know.
  let serial: Int

  /// How many there are.
  private let census: StressCounter

  init(key: Int, serial: Int, _ census: StressCounter) {
    self.key = key
    self.serial = serial
    self.census = census
    census.add(1)
  }

  deinit {
    census.add(-1)
  }
}

/// A number that threads change together.
///
/// Relaxed: it is only a number, and what has to be exact is read when all threads have been waited for.
final class StressCounter: Sendable {
  private let value = Atomic(0)

  var current: Int { value.load(ordering: .relaxed) }

  /// Changes the number and returns the new one.
  @discardableResult
  func add(_ difference: Int) -> Int { value.add(difference, ordering: .relaxed).newValue }
}

/// Which factory a thread is in and what it wants, from the outermost: what the watchdog looks at.
final class StressDiary: Sendable {
  enum Entry: Equatable {
    case resolving(String)
    case creating(String)
  }

  /// The diary of the thread that asks.
  @TaskLocal static var mine: StressDiary?

  private let entries = Locked<[Entry]>([])

  /// How many steps the thread has taken.
  let steps = Atomic(0)

  /// What the thread is doing.
  var current: [Entry] { entries.withLock { $0 } }

  /// Notes something for the duration of a closure.
  static func note<Result>(_ entry: Entry, _ body: () throws -> Result) rethrows -> Result {
    guard let mine else { return try body() }
    mine.entries.withLock { $0.append(entry) }
    defer { mine.entries.withLock { _ = $0.popLast() } }
    return try body()
  }
}
