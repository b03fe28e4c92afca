/// A loop around one operation, which checks what the operation returns.
///
/// Its closures are written where the types are known, so the optimizer sees through them.
public struct Workload: Sendable {
  /// Runs operations on the calling thread, which is one of several, counted from 0.
  public typealias Body = @Sendable (_ operations: Int, _ thread: Int) throws(Violation) -> Void
  /// The number of registrations to look among; nil if nothing is registered.
  public var registrations: Int?
  /// Operations come in multiples of this.
  public var batch = 1
  /// The number of operations, if a process can do them only once: they are timed without a warm-up.
  public var onlyOperations: Int?
  /// A Boolean value that indicates whether each operation is timed by itself, for the percentiles.
  public var timesEach = false
  /// A Boolean value that indicates whether the objects that an operation allocates are counted; false for code that
  /// the runtime's hooks disturb.
  public var allocates = true
  /// The work of one more thread while operations are timed; nil if there is no such thread.
  public var background: (@Sendable (_ isNeeded: () -> Bool) throws(Violation) -> Void)?
  /// The number of bytes by which the memory of the process grew, if that is measured.
  public var growth: @Sendable () -> Int? = { nil }
  /// Checks what can only be checked after everything has been measured.
  public var finish: @Sendable () throws(Violation) -> Void = {}
  /// The loop.
  public var run: Body

  /// Creates a workload from its loop.
  public init(registrations: Int? = nil, batch: Int = 1, only onlyOperations: Int? = nil, run: @escaping Body) {
    self.registrations = registrations
    self.batch = batch
    self.onlyOperations = onlyOperations
    self.run = run
  }

  /// Creates the loop of an operation.
  @inlinable  // Otherwise, half of the cost of the loop itself would be calls of an unspecialized closure.
  init<State: Sendable, Output>(
    setUp: () throws -> State, operation: @escaping @Sendable (State) throws -> Output,
    check: (@Sendable (Output) -> Bool)?
  ) {
    let state = Result { try setUp() }
    self.init { count, _ throws(Violation) in
      var wrong = 0
      do {
        let state = try state.get()
        for _ in 0..<count {
          let output = try operation(state)
          if let check { if !check(output) { wrong &+= 1 } } else { keep(output) }
        }
      } catch { throw (error as? Violation) ?? Violation(message: "an operation failed: \(error)") }
      if wrong > 0 { throw .wrong(wrong, of: count, "returned something other than expected") }
    }
    allocates = false
  }

  var countsAllocations: Bool { allocates && onlyOperations == nil && background == nil }

  /// Returns a copy to which a closure has been applied, to set what the initializer does not.
  public func with(_ change: (inout Workload) -> Void) -> Workload {
    var result = self
    change(&result)
    return result
  }

  /// The workload, slowed by a quarter, which has to be noticed.
  var slowed: Workload {
    guard onlyOperations == nil else { return self }
    let (original, batch) = (run, batch)
    return with { workload in
      workload.run = { operations, thread throws(Violation) in
        try original(operations, thread)
        try original(max(1, operations / 4 / batch) * batch, thread)
      }
    }
  }
}

/// Makes the optimizer believe that a value is used.
@usableFromInline
@inline(never)
func keep<Value>(_ value: borrowing Value) {}

/// A wrong result that a loop found.
public struct Violation: Error, Equatable {
  /// A description of what is wrong.
  public let message: String
  /// Creates a violation.
  public init(message: String) { self.message = message }

  /// Returns the violation of operations that gave wrong results.
  public static func wrong(_ count: Int, of operations: Int, _ what: String) -> Violation {
    Violation(message: "\(count) of \(operations) operations \(what)")
  }
}
