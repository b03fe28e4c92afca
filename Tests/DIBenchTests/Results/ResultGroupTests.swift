internal import Foundation
internal import Testing

@testable import di_bench

@Suite("Groups of results")
struct ResultGroupTests {
  @Test("A ratio is the median over launches of the median of the ratios of each round, not a ratio of medians")
  func pairing() throws {
    // The second round was disturbed as a whole: its ratio is as good as that of the others. The second launch was
    // unlucky with its memory.
    let rows =
      SampleRows.rows(["container": [20, 200, 30], "reference/static-let": [10, 100, 20]], launch: 1)
      + SampleRows.rows(["container": [40, 400, 80], "reference/static-let": [10, 100, 20]], launch: 2)
      + SampleRows.rows(["container": [20, 200, 40], "reference/static-let": [10, 100, 20]], launch: 3)
    let group = try #require(ResultGroup.groups(of: rows).first)
    let ratio = try #require(group.ratio(of: "container", to: "reference/static-let"))
    #expect(abs(ratio.median - 2) < 1e-9)
    #expect(ratio.launches == 3)
    #expect(group.logRatios(of: "container", to: "reference/static-let").map { exp($0).rounded() } == [2, 4, 2])
    #expect(group.nanoseconds("container")?.median == 40)
    #expect(group.nanoseconds("reference/static-let")?.median == 20)
    #expect(group.ratio(of: "container", to: "reference/serial-queue") == nil)
  }

  @Test("The yardstick is the locked dictionary, and where there is none the reference")
  func yardstick() {
    let dictionary = "reference/locked-dictionary"
    let yardstick = { (times: [String: [Double]], scenario: String) in
      ResultGroup.groups(of: SampleRows.rows(times, scenario: scenario)).first?.yardstick
    }
    #expect(
      yardstick(["container": [1], "reference/static-let": [1], dictionary: [1]], "resolve/shared") == dictionary)
    #expect(yardstick(["container": [1], "reference/static-let": [1]], "resolve/shared") == "reference/static-let")
  }

  @Test("Names tell sizes and depths apart where there are several")
  func labels() {
    var rows = SampleRows.rows(["container": [1], "reference/static-let": [1]])
    rows += SampleRows.rows(["container": [1], "reference/static-let": [1]], scenario: "lifecycle/restore")
    rows += SampleRows.rows(["container": [1], "reference/static-let": [1]], scenario: "lifecycle/restore").map {
      var row = $0
      row.registrations = 1000
      return row
    }
    #expect(
      ResultGroup.groups(of: rows).map(\.label) == [
        "resolve/shared", "lifecycle/restore/100", "lifecycle/restore/1000",
      ])
  }

  @Test("Only what one thread does to the container is gated")
  func gates() {
    let isGated = { (scenario: String, threads: Int) in
      SampleRows.rows(["container": [1]], scenario: scenario, threads: threads).map { CellKey($0).isGated }[0]
    }
    #expect(isGated("resolve/shared", 1))
    #expect(!isGated("resolve/shared", 2))
    #expect(!isGated("churn/one-writer", 1))
    #expect(isGated("async/shared", 1))
    #expect(!isGated("async/first-resolve", 1))
    #expect(!isGated("reference/static-let", 1))
  }

  @Test("Scaling is what all threads achieve over what one does")
  func scaling() throws {
    // Two threads, per thread as fast as alone, in the median of the rounds: twice the throughput.
    let times = ["container": [10.0, 10, 90], "reference/static-let": [10.0, 10, 10]]
    let rows = SampleRows.rows(times, threads: 2) + SampleRows.rows(times)
    let lines = ResultTable.lines(ResultGroup.groups(of: rows))
    let fields = lines.prefix(3).map { $0.split(separator: " ").map { String($0) } }
    let column = try #require(fields[0].firstIndex(of: "scaling"))
    #expect(fields[1][column] == "-")
    #expect(fields[2][column] == "2.00")
    // On two threads alone there is nothing to compare with.
    let alone = ResultTable.lines(ResultGroup.groups(of: SampleRows.rows(times, threads: 2)))
    #expect(alone[1].split(separator: " ")[column] == "-")
  }

  @Test("The table says by how much memory grew, where that was measured")
  func growth() throws {
    let rows = SampleRows.rows(
      ["container": [1, 1], "reference/locked-dictionary": [1, 1]], scenario: "memory/churn", bytes: [4, 8])
    let lines = ResultTable.lines(ResultGroup.groups(of: rows))
    #expect(lines.last == "memory/churn: 8.00 bytes per operation at most, reference/locked-dictionary 8.00")
  }

  @Test("Rows carry the pairing, and say what limits them")
  func rows() throws {
    let scenario = try #require(Scenario.all.first { $0.name == "resolve/shared" })
    let reference = try #require(scenario.reference)
    let samples = [(scenario.subject, 20), (reference, 10)].map { implementation, time in
      TimedSample(
        candidate: Candidate(scenario: scenario, implementation: implementation, threads: 2),
        sample: Sampler.Sample(
          operations: 200, nanoseconds: time * 100,
          registrations: implementation.name == scenario.subject.name ? 100 : nil),
        time: Date(timeIntervalSince1970: 0), isSteady: time == 10)
    }
    let environment = RunEnvironment(run: "r", commit: "abc-dirty", cores: 1, isDebug: true)
    let rows = ResultRow.rows(of: samples, launch: 4, round: 3, in: environment)
    #expect(rows.map(\.ratioToReference) == [2, nil])
    #expect(rows.map(\.reference) == ["reference/static-let", nil])
    #expect(rows.map(\.nanosecondsPerOperation) == [20, 10])
    // Two threads, 20 ns each.
    #expect(rows.first.map { $0.operationsPerSecond.rounded() } == 1e8)
    #expect(rows.map(\.quality) == [[.oversubscribed, .unsteady], [.oversubscribed]])
    #expect(rows.allSatisfy { $0.status == .debug && $0.commit == "abc-dirty" && $0.run == "r" })
    #expect(rows.allSatisfy { $0.registrations == 100 && $0.launch == 4 && $0.round == 3 })
  }
}
