internal import DIBenchmarking
internal import DependencyInjection
internal import Synchronization

/// A class that is registered and resolved: it knows its key, and is counted while it lives.
final class StressToken<Key: Keyed>: Sendable {
  /// The key that it should be of.
  let key: Int

  /// The number of the instance among those of its key, or whatever else the check wants to know.
  let serial: Int

  /// The counter of living instances.
  private let living: StressCounter

  init(key: Int, serial: Int, _ living: StressCounter) {
    self.key = key
    self.serial = serial
    self.living = living
    living.add(1)
  }

  deinit {
    living.add(-1)
    if let atRelease = living.atRelease { StressLog.note(.releasing("\(Key.self)"), atRelease) }
  }
}

/// A part of a value or of a factory, which is counted while it lives.
final class StressPart: Sendable {
  /// The number of what it is a part of.
  let number: Int
  private let living: StressCounter

  init(_ living: StressCounter, of number: Int = 0) {
    self.number = number
    self.living = living
    living.add(1)
  }

  deinit { living.add(-1) }
}

/// A number that threads change together.
///
/// Relaxed: it is only a number, and what has to be exact is read when all threads have been waited for.
final class StressCounter: Sendable {
  private let value = Atomic(0)

  /// What the `deinit` of each counted token does.
  let atRelease: (@Sendable () -> Void)?

  init(atRelease: (@Sendable () -> Void)? = nil) { self.atRelease = atRelease }

  var current: Int { value.load(ordering: .relaxed) }

  /// Changes the number and returns the new one.
  @discardableResult
  func add(_ difference: Int) -> Int { value.add(difference, ordering: .relaxed).newValue }
}

/// The factories and the `deinit` that a thread is in and the types that it resolves, from the outermost, for the watchdog.
final class StressLog: Sendable {
  enum Entry: Equatable {
    case resolving(String)
    case creating(String)
    case releasing(String)
    /// The factory waits for another thread, which it must not block.
    case waiting
  }

  /// The log of the calling thread.
  @TaskLocal static var mine: StressLog?

  private let entries = Locked<[Entry]>([])

  /// The number of steps that the thread has taken.
  let steps = Atomic(0)

  /// The current entries, from the outermost.
  var current: [Entry] { entries.withLock { $0 } }

  /// Notes something for the duration of a closure.
  static func note<Result>(_ entry: Entry, _ body: () throws -> Result) rethrows -> Result {
    guard let mine else { return try body() }
    mine.entries.withLock { $0.append(entry) }
    defer { mine.entries.withLock { _ = $0.popLast() } }
    return try body()
  }
}
