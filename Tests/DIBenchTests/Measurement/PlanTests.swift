internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct PlanTests {
  private static func plan(_ labels: [String], threads: [Int] = [1, 2], launches: Int = 1, rounds: Int = 10) -> Plan {
    Plan(
      benchmarks: Benchmark.all.filter { labels.contains($0.label) }, threads: threads, launches: launches,
      rounds: rounds, sampleNanoseconds: 10_000_000, seed: 1)
  }

  @Test("The expected time counts launches, threads, rounds and processes, which not every round starts")
  func expectedSeconds() throws {
    do {
      // 4 implementations on one thread, and on two for twice the time, 10 samples with their warm-up and 5 for
      // calibration, 10 ms each, and 0.2 s for the launch; in the first launch, 0.05 s to count objects.
      let launch = 12 * 16.5 * 0.01 + 0.2
      #expect(
        abs(Self.plan(["resolve/shared"]).expectedSeconds - launch - 0.05) < 1e-9
          && abs(Self.plan(["resolve/shared"], launches: 3).expectedSeconds - 3 * launch - 0.05) < 1e-9)
    }
    // Objects are counted on one thread only.
    #expect(abs(Self.plan(["resolve/shared"], threads: [2]).expectedSeconds - 8 * 16.5 * 0.01 - 0.2) < 1e-9)
    let benchmark = try #require(Benchmark.all.first { $0.label == "override/after" })
    #expect(benchmark.ownProcess?.interval == 8)
    let plan = Self.plan([benchmark.label], threads: [1], launches: 4, rounds: 4)
    let measured = (1...4).flatMap { launch in
      (1...4).filter { plan.isMeasured(benchmark, launch: launch, round: $0) }.map { "\(launch).\($0)" }
    }
    #expect(measured == ["1.1", "3.1"])
    #expect(abs(plan.expectedSeconds - 4 * (benchmark.ownProcess?.seconds ?? 0) - 0.8) < 1e-9)
  }

  @Test("What is paired on one thread is gated at the threshold, the rest coarsely, and nothing that a launch may lack")
  func gates() throws {
    let gate = { (label: String, threads: Int, rounds: Int) throws -> Benchmark.Gate in
      let benchmark = try #require(Benchmark.all.first { $0.label == label })
      return Self.plan([label], rounds: rounds).gate(of: benchmark, threads: threads)
    }
    #expect(
      try (
        gate("resolve/new", 1, 8), gate("resolve/new", 2, 8), gate("override/after", 1, 8),
        gate("override/after", 1, 3), gate("lifecycle/snapshot/10000", 1, 8), gate("churn/one-writer", 2, 8)
      ) == (.fine, .coarse, .coarse, .none, .none, .none))
    #expect(try gate("register/same-type", 1, 8) == .coarse)
    let free = Benchmark(
      "a", "a test", threads: [1], inOwnProcess: .quick, gate: .none, .init("x", CountingLoop().workload()))
    let alone = Plan(benchmarks: [free], threads: [1], rounds: 8, sampleNanoseconds: 1, seed: 1)
    // There is nothing that it would be compared with.
    #expect(alone.lines == ["a  a test", "   1 thread not gated"])
    // Nor is a control a reference.
    let controlled = Benchmark(
      "b", "a test", threads: [1], .init("x", CountingLoop().workload()), .control,
      .init("reference/y", CountingLoop().workload()), .init("z", CountingLoop().workload()))
    #expect(
      Plan(benchmarks: [controlled], threads: [1], rounds: 8, sampleNanoseconds: 1, seed: 1).lines == [
        "b  a test", "   compared with reference/y, z; measured alongside reference/locked-dictionary; 1 thread gated",
      ])
    let plan = PlanOptions.defaults(Benchmark.all)
    for benchmark in Benchmark.all where plan.gate(of: benchmark, threads: 1) != .none {
      for launch in 1...plan.launches {
        #expect(
          (1...plan.rounds).contains { plan.isMeasured(benchmark, launch: launch, round: $0) }, "\(benchmark.label)")
      }
    }
  }

  @Test("The harness changes with the benchmark or the samples, and threads are the powers of two")
  func harness() {
    // The harness changes with the benchmark or the samples, but not with the number of launches.
    do {
      let (one, other) = (Benchmark("a/b", CountingLoop().workload()), Benchmark("a/c", CountingLoop().workload()))
      let harness = { (benchmark: Benchmark, rounds: Int, launches: Int) in
        Plan(
          benchmarks: [], threads: [1], launches: launches, rounds: rounds, sampleNanoseconds: 1, seed: 1
        ).harness(of: benchmark)
      }
      #expect(
        harness(one, 8, 8) == harness(one, 8, 9) && harness(one, 8, 8) != harness(other, 8, 8)
          && harness(one, 8, 8) != harness(one, 7, 8))
      let variants: [(summary: String, depth: Int, implementation: String, nanoseconds: Int)] = [
        ("a", 1, "x", 1), ("b", 1, "x", 1), ("a", 2, "x", 1), ("a", 1, "y", 1), ("a", 1, "x", 2),
      ]
      let harnesses = variants.map { summary, depth, implementation, nanoseconds in
        Plan(benchmarks: [], threads: [1], rounds: 1, sampleNanoseconds: nanoseconds, seed: 1).harness(
          of: Benchmark("a", summary, depth: depth, .init(implementation, CountingLoop().workload())))
      }
      #expect(Set(harnesses).count == variants.count)
      // All eight digits, also those of small numbers.
      #expect(["a", "68"].allSatisfy { RunEnvironment.hash($0).count == 8 })
      // The threads identify a cell, too.
      let identities = [[1], [2]].map { Self.plan(["resolve/shared"], threads: $0).cellIdentities }
      #expect(identities[0] != identities[1])
    }
    // The numbers of threads are the powers of two up to twice the cores, and the cores.
    do {
      let cases: [(Int, [Int])] = [(1, [1, 2]), (2, [1, 2, 4]), (6, [1, 2, 4, 6, 8]), (8, [1, 2, 4, 8, 16])]
      for (cores, threads) in cases { #expect(Plan.threads(cores: cores) == threads) }
    }
  }
}
