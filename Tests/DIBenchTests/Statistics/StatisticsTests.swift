internal import Foundation
internal import Testing

@testable import di_bench

@Suite("Statistics")
struct StatisticsTests {
  @Test(
    "The median is the middle, or the mean of the two in the middle",
    arguments: [([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([7], 7)] as [([Double], Double)])
  func median(_ values: [Double], _ expected: Double) {
    #expect(values.median == expected)
  }

  @Test("There is no median of nothing")
  func empty() {
    #expect([Double]().median == nil)
    #expect([Double]().medianDeviation == nil)
  }

  @Test("The median deviation ignores an outlier")
  func deviation() {
    #expect([1.0, 2, 3, 4, 1000].medianDeviation == 1)
  }

  /// Samples of one scenario, one per round: those of the container and of its reference, in ns per operation.
  private func measurements(_ container: [Int], _ reference: [Int], threads: Int = 2) -> [TimedSample] {
    let scenario = Scenario.all[0]
    let rows = [(scenario.subject, container), (scenario.reference, reference)]
    return rows.flatMap { implementation, times in
      let cell = Cell(scenario: scenario, implementation: implementation, threads: threads)
      return times.enumerated().map { index, time in
        let registrations = implementation.name == scenario.subject.name ? 100 : nil
        let sample = Sampler.Sample(
          operations: 100 * threads, nanoseconds: time * 100, registrations: registrations)
        return TimedSample(cell: cell, round: index + 1, sample: sample, time: Date(timeIntervalSince1970: 0))
      }
    }
  }

  @Test("A ratio is the median of the ratios of each round, not the ratio of medians")
  func pairing() throws {
    // The second round was disturbed as a whole: its ratio is as good as that of the others.
    let measurements = measurements([20, 200, 30], [10, 100, 20])
    let plan = Plan(scenarios: [Scenario.all[0]], threads: [2], rounds: 3, sampleNanoseconds: 1, seed: 1)
    let summary = try #require(CellSummary.summaries(of: measurements, plan: plan).first)
    #expect(summary.ratios == ["reference/static-let": 2])
    #expect(summary.nanoseconds == 30)
    #expect(summary.referenceNanoseconds == 20)
    // 30 ns on each of two threads.
    #expect(abs(summary.operationsPerSecond - 2e9 / 30) < 1)
    #expect(summary.spread == 0)
  }

  @Test("Scaling is the median of what all threads achieve over what one does in the same round")
  func scaling() throws {
    // Per thread as fast as alone, half as fast, and disturbed alike: 2, 1 and 2 times the throughput.
    let all = measurements([10, 20, 90], [10, 10, 10]) + measurements([10, 10, 90], [10, 10, 10], threads: 1)
    let plan = Plan(scenarios: [Scenario.all[0]], threads: [1, 2], rounds: 3, sampleNanoseconds: 1, seed: 1)
    let summaries = CellSummary.summaries(of: all, plan: plan)
    #expect(summaries.map(\.scaling) == [nil, 2])
    let lines = ResultTable.lines(summaries, cores: 2)
    let fields = lines.prefix(3).map { $0.split(separator: " ").map { String($0) } }
    let column = try #require(fields[0].firstIndex(of: "scaling"))
    // The heading of the column before is one word too.
    #expect(fields[1][column] == "-")
    #expect(fields[2][column] == "2.00")
    // On two threads alone there is nothing to compare with.
    let alone = Plan(scenarios: [Scenario.all[0]], threads: [2], rounds: 3, sampleNanoseconds: 1, seed: 1)
    let two = CellSummary.summaries(of: measurements([10, 20, 90], [10, 10, 10]), plan: alone)
    #expect(two.map(\.scaling) == [nil])
  }

  @Test("The table says by how much memory grew, where that was measured")
  func growth() throws {
    let scenario = try #require(Scenario.all.first { $0.name == "memory/churn" })
    let samples = [(scenario.subject, [4096, 8192]), (scenario.reference, [0, 1024])].flatMap {
      implementation, growths in
      let cell = Cell(scenario: scenario, implementation: implementation, threads: 1)
      return growths.enumerated().map { index, growth in
        TimedSample(
          cell: cell, round: index + 1, sample: Sampler.Sample(operations: 1, nanoseconds: 1, growth: growth),
          time: Date(timeIntervalSince1970: 0))
      }
    }
    let plan = Plan(scenarios: [scenario], threads: [1], rounds: 2, sampleNanoseconds: 1, seed: 1)
    let lines = ResultTable.lines(CellSummary.summaries(of: samples, plan: plan), cores: 2)
    #expect(lines.last == "memory/churn: memory grew by 8 KiB at most, with reference/locked-dictionary by 1 KiB")
  }

  @Test("Rows carry the pairing, and say what limits them")
  func rows() {
    let environment = RunEnvironment(commit: "abc", isDirty: true, hostHash: "0", os: "o", cpu: "c", cores: 1)
    let rows = ResultRow.rows(of: measurements([20, 30], [10, 10]), run: "r", in: environment, isDebug: true)
    #expect(rows.map(\.ratioToReference) == [2, 3, nil, nil])
    #expect(rows.map(\.reference) == ["reference/static-let", "reference/static-let", nil, nil])
    #expect(rows.map(\.nanosecondsPerOperation) == [20, 30, 10, 10])
    // Two threads, 20 ns each.
    #expect(rows.first.map { $0.operationsPerSecond.rounded() } == 1e8)
    #expect(rows.allSatisfy { $0.quality == .oversubscribed && $0.status == .debug && $0.commit == "abc-dirty" })
    #expect(rows.map(\.registrations) == [100, 100, nil, nil])
    let alone = ResultRow.rows(of: measurements([1], [1], threads: 1), run: "r", in: environment, isDebug: false)
    #expect(alone.allSatisfy { $0.quality == nil && $0.status == .ok })
  }
}
