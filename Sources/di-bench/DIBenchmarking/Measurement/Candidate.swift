internal import Foundation

/// One implementation in a cell, which is a scenario on a number of threads.
struct Candidate: Sendable {
  let scenario: Scenario
  let implementation: Scenario.Implementation
  let threads: Int
  /// The workload; nil for scenarios that are measured in processes of their own, which make it.
  let workload: Workload?

  init(scenario: Scenario, implementation: Scenario.Implementation, threads: Int) {
    self.scenario = scenario
    self.implementation = implementation
    self.threads = threads
    workload = scenario.ownProcess == nil ? Self.makeWorkload(scenario, implementation) : nil
  }

  /// Makes the workload; where the environment says so, that of the subject is a quarter slower, to show that it is
  /// noticed.
  static func makeWorkload(_ scenario: Scenario, _ implementation: Scenario.Implementation) -> Workload {
    let workload = implementation.makeWorkload()
    let isSlowed = slowed == scenario.label && implementation.name == scenario.subject.name
    return isSlowed ? workload.slowed : workload
  }

  /// The label of the scenario that is slowed.
  private static let slowed = ProcessInfo.processInfo.environment["DI_BENCH_SLOWED"]

  var role: ResultRow.Role {
    implementation.name == scenario.subject.name
      ? .subject : implementation.name == scenario.reference?.name ? .reference : .other
  }

  /// The name of the candidate in errors.
  var name: String { "\(scenario.label) \(implementation.name) at \(threads.counted("thread"))" }
  /// The number of threads that it keeps busy.
  var busyThreads: Int { workload?.background == nil ? threads : threads + 1 }

  /// Turns what a workload found wrong into what the command reports.
  func failure(_ violation: Violation) -> CommandFailure {
    CommandFailure(.invariantViolated, "Invariant violated: \(name): \(violation.message)")
  }
}
