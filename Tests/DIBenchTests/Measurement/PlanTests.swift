internal import Testing

@testable import di_bench

@Suite("Plans")
struct PlanTests {
  private func plan(_ labels: [String], threads: [Int] = [1, 2], rounds: Int = 10) -> Plan {
    Plan(
      scenarios: Scenario.all.filter { labels.contains($0.label) }, threads: threads, rounds: rounds,
      sampleNanoseconds: 10_000_000, seed: 1)
  }

  @Test("What cannot be done by several threads is measured on one, whatever is asked for")
  func threads() {
    let plan = plan(["resolve/shared", "lifecycle/register-10000"], threads: [2, 4])
    let cells = plan.groups().map { "\($0[0].scenario.label) \($0[0].threads)" }
    #expect(cells == ["resolve/shared 2", "resolve/shared 4", "lifecycle/register-10000 1"])
  }

  @Test("The expected time counts the threads, the rounds and the processes that are started")
  func expectedSeconds() {
    // 4 implementations, 2 numbers of threads, 10 samples with their warm-up and 4 for calibration, 10 ms each.
    #expect(abs(plan(["resolve/shared"]).expectedSeconds - 8 * 15.5 * 0.01) < 1e-9)
    // 2 implementations, in one round of 25.
    let memory = Scenario.all.first { $0.name == "memory/churn" }?.ownProcess
    let seconds = memory?.seconds ?? 0
    #expect(memory?.interval == 25)
    #expect(abs(plan(["memory/churn"]).expectedSeconds - 2 * seconds) < 1e-9)
    #expect(abs(plan(["memory/churn"], rounds: 26).expectedSeconds - 4 * seconds) < 1e-9)
  }
}
