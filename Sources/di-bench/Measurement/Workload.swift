/// A loop around one operation that counts what goes wrong in it.
protocol Loop: Sendable {
  /// Operations come in multiples of this.
  var batch: Int { get }

  /// How many registrations there are to look among; nil if nothing is registered.
  var registrations: Int? { get }

  /// How many operations there are to time, if a process can do them only once: they are timed without a warm-up.
  var onlyOperations: Int? { get }

  /// Whether another thread does something while operations are timed.
  var isAccompanied: Bool { get }

  /// Runs operations on the calling thread and checks what they return.
  ///
  /// - Parameters:
  ///   - operations: How many, a multiple of `batch`.
  ///   - thread: Which of the candidate's threads this is, from 0.
  /// - Throws: What was wrong, at the end of the loop: a fast wrong answer is an error.
  func run(_ operations: Int, thread: Int) throws(Violation)

  /// What another thread does while operations are timed.
  ///
  /// - Parameter isNeeded: Whether operations are still being timed; asked again and again.
  /// - Throws: What was wrong.
  func accompany(while isNeeded: () -> Bool) throws(Violation)

  /// Whether operations allocate in this process what is worth counting.
  var countsAllocations: Bool { get }

  /// By how many bytes the memory of the process grew, if that is what is measured.
  var growth: Int? { get }

  /// What stands for the time of one operation, if it is not the mean; the loop has measured it itself.
  var nanosecondsPerOperation: Double? { get }

  /// Checks what can only be checked after everything has been measured.
  ///
  /// - Throws: What was wrong.
  func finish() throws(Violation)
}

extension Loop {
  var batch: Int { 1 }
  var onlyOperations: Int? { nil }
  var isAccompanied: Bool { false }
  var countsAllocations: Bool { onlyOperations == nil && !isAccompanied }
  var growth: Int? { nil }
  var nanosecondsPerOperation: Double? { nil }

  func accompany(while _: () -> Bool) {}
  func finish() {}
}

/// What a loop found wrong.
struct Violation: Error, Equatable {
  let message: String

  /// What is wrong if some of the operations gave a wrong result.
  static func wrong(_ count: Int, of operations: Int, _ what: String) -> Violation {
    Violation(message: "\(count) of \(operations) operations \(what)")
  }
}

/// A loop of any type.
///
/// Closures, because they are created where the type of the loop is known: so the optimizer specialises the loop. The
/// witness of an existential would run the unspecialised one, in which every call is indirect.
struct Workload: Sendable {
  let batch: Int
  let registrations: Int?
  let onlyOperations: Int?

  /// What another thread does while operations are timed; nil if there is none.
  let accompany: (@Sendable (_ isNeeded: () -> Bool) throws(Violation) -> Void)?

  let countsAllocations: Bool
  let growth: @Sendable () -> Int?
  let nanosecondsPerOperation: @Sendable () -> Double?
  let run: @Sendable (_ operations: Int, _ thread: Int) throws(Violation) -> Void
  let finish: @Sendable () throws(Violation) -> Void

  init<Body: Loop>(_ loop: Body) {
    batch = loop.batch
    registrations = loop.registrations
    onlyOperations = loop.onlyOperations
    if loop.isAccompanied {
      accompany = { (isNeeded: () -> Bool) throws(Violation) in try loop.accompany(while: isNeeded) }
    } else {
      accompany = nil
    }
    countsAllocations = loop.countsAllocations
    growth = { loop.growth }
    nanosecondsPerOperation = { loop.nanosecondsPerOperation }
    run = { (operations, thread) throws(Violation) in try loop.run(operations, thread: thread) }
    finish = { () throws(Violation) in try loop.finish() }
  }
}
