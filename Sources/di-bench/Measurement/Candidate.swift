/// One implementation in a cell, which is a scenario on a number of threads.
struct Candidate: Sendable {
  let scenario: Scenario
  let implementation: Scenario.Implementation
  let threads: Int

  /// What to run; for scenarios that are measured in processes of their own, it is made there.
  let workload: Workload?

  init(scenario: Scenario, implementation: Scenario.Implementation, threads: Int) {
    self.scenario = scenario
    self.implementation = implementation
    self.threads = threads
    workload = scenario.ownProcess == nil ? implementation.makeWorkload() : nil
  }

  /// How errors and progress call it.
  var name: String {
    "\(scenario.label) \(implementation.name) at \(threads) \(threads == 1 ? "thread" : "threads")"
  }

  /// How many threads it keeps busy.
  var busyThreads: Int { workload?.accompany == nil ? threads : threads + 1 }

  /// Turns what a workload found wrong into what the command reports.
  func failure(_ violation: Violation) -> CommandFailure {
    CommandFailure(.invariantViolated, "Invariant violated: \(name): \(violation.message)")
  }
}
