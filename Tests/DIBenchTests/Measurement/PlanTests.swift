internal import Testing

@testable import di_bench

@Suite("Plans")
struct PlanTests {
  private func plan(_ labels: [String], threads: [Int] = [1, 2], launches: Int = 1, rounds: Int = 10) -> Plan {
    Plan(
      scenarios: Scenario.all.filter { labels.contains($0.label) }, threads: threads, launches: launches,
      rounds: rounds, sampleNanoseconds: 10_000_000, seed: 1)
  }

  @Test("What cannot be done by several threads is measured on one, whatever is asked for")
  func threads() {
    let plan = plan(["resolve/shared", "lifecycle/register-10000"], threads: [2, 4])
    let cells = plan.cells().map { "\($0[0].scenario.label) \($0[0].threads)" }
    #expect(cells == ["resolve/shared 2", "resolve/shared 4", "lifecycle/register-10000 1"])
  }

  @Test("The expected time counts the launches, the threads, the rounds and the processes that are started")
  func expectedSeconds() {
    // 4 implementations on one thread, and on two for twice the time, 10 samples with their warm-up and 5 for
    // calibration, 10 ms each, and 0.2 s for the launch; in the first launch, 0.1 s to count objects.
    let launch = 12 * 16.5 * 0.01 + 0.2
    #expect(abs(plan(["resolve/shared"]).expectedSeconds - launch - 0.1) < 1e-9)
    #expect(abs(plan(["resolve/shared"], launches: 3).expectedSeconds - 3 * launch - 0.1) < 1e-9)
  }

  @Test("What takes long is measured in every so many rounds, counted through all launches")
  func intervals() throws {
    let scenario = try #require(Scenario.all.first { $0.label == "override/after" })
    #expect(scenario.ownProcess?.interval == 8)
    let plan = plan([scenario.label], threads: [1], launches: 4, rounds: 4)
    let measured = (1...4).flatMap { launch in
      (1...4).filter { plan.isMeasured(scenario, launch: launch, round: $0) }.map { "\(launch).\($0)" }
    }
    #expect(measured == ["1.1", "3.1"])
    #expect(abs(plan.expectedSeconds - 4 * (scenario.ownProcess?.seconds ?? 0) - 0.8) < 1e-9)
  }

  @Test(
    "The numbers of threads are the powers of two up to twice the cores, and the cores",
    arguments: [(1, [1, 2]), (2, [1, 2, 4]), (6, [1, 2, 4, 6, 8]), (8, [1, 2, 4, 8, 16])])
  func defaultThreads(_ cores: Int, _ threads: [Int]) {
    #expect(Plan.threads(cores: cores) == threads)
  }
}
