/// A loop around one operation, which checks what the operation returns.
///
/// Its closures are written where the types are known, so the optimizer sees through them.
package struct Workload: Sendable {
  /// Runs operations on the calling thread, which is one of several, counted from 0.
  package typealias Body = @Sendable (_ operations: Int, _ thread: Int) throws(Violation) -> Void
  /// The number of registrations to look among; nil if nothing is registered.
  package var registrations: Int?
  /// Operations come in multiples of this.
  package var batch = 1
  /// The number of operations, if a process can do them only once: they are timed without a warm-up.
  package var onlyOperations: Int?
  /// A Boolean value that indicates whether each operation is timed by itself, for the percentiles.
  package var timesEach = false
  /// A Boolean value that indicates whether operations allocate in this process what is worth counting.
  package var allocates = true
  /// The work of one more thread while operations are timed; nil if there is no such thread.
  package var background: (@Sendable (_ isNeeded: () -> Bool) throws(Violation) -> Void)?
  /// By how many bytes the memory of the process grew, if that is what is measured.
  package var growth: @Sendable () -> Int? = { nil }
  /// Checks what can only be checked after everything has been measured.
  package var finish: @Sendable () throws(Violation) -> Void = {}
  package var run: Body

  package init(registrations: Int? = nil, batch: Int = 1, only onlyOperations: Int? = nil, run: @escaping Body) {
    self.registrations = registrations
    self.batch = batch
    self.onlyOperations = onlyOperations
    self.run = run
  }

  /// A Boolean value that indicates whether the objects that an operation allocates can be counted.
  var countsAllocations: Bool { allocates && onlyOperations == nil && background == nil }

  /// The same with a closure applied, to set what the initializer does not.
  package func with(_ change: (inout Workload) -> Void) -> Workload {
    var result = self
    change(&result)
    return result
  }

  /// The same, a quarter slower, which has to be noticed.
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

/// A wrong result that a loop has found.
package struct Violation: Error, Equatable {
  package let message: String
  package init(message: String) { self.message = message }

  /// Returns the violation of operations that gave wrong results.
  package static func wrong(_ count: Int, of operations: Int, _ what: String) -> Violation {
    Violation(message: "\(count) of \(operations) operations \(what)")
  }
}
