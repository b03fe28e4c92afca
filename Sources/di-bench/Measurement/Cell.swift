/// One implementation of one scenario on one number of threads: a line of samples in the results.
struct Cell: Sendable {
  let scenario: Scenario
  let implementation: Scenario.Implementation
  let threads: Int
  let workload: Workload

  init(scenario: Scenario, implementation: Scenario.Implementation, threads: Int) {
    self.scenario = scenario
    self.implementation = implementation
    self.threads = threads
    workload = implementation.makeWorkload()
  }

  /// How errors and progress call it.
  var name: String {
    "\(scenario.name) \(implementation.name) at \(threads) \(threads == 1 ? "thread" : "threads")"
  }

  /// Turns what a workload found wrong into what the command reports.
  func failure(_ violation: Violation) -> CommandFailure {
    CommandFailure(.invariantViolated, "Invariant violated: \(name): \(violation.message)")
  }
}
