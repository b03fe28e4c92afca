internal import Foundation
internal import Testing

@testable import di_bench

@Suite("Comparisons")
struct ComparisonTests {
  private static let dictionary = Scenario.Implementation.lockedDictionary

  /// A run in which the container takes about so many nanoseconds, and more or less so in each launch.
  private func run(
    _ time: Double, spread: Double = 0.02, launches: Int = 8, seed: UInt64 = 1, scenario: String = "resolve/shared",
    threads: Int = 1
  ) -> [ResultRow] {
    var generator = RandomGenerator(seed: seed)
    return (1...launches).flatMap { launch in
      // A launch is slow as a whole, yardstick included; a little of that belongs to the container alone.
      let load = Double.random(in: 1...3, using: &generator)
      let luck = 1 + Double.random(in: -spread...spread, using: &generator)
      return SampleRows.rows(
        [
          "container": [time, time * 1.01, time * 0.99].map { $0 * load * luck },
          Self.dictionary: [100, 100, 100].map { $0 * load },
        ], scenario: scenario, threads: threads, launch: launch)
    }
  }

  private func verdict(_ base: [ResultRow], _ head: [ResultRow]) -> CellComparison.Verdict? {
    Comparison(base: base, head: head, threshold: 0.1).cells.first?.verdict
  }

  @Test("A quarter more is a regression, a quarter less an improvement, the same unchanged")
  func verdicts() {
    #expect(verdict(run(20), run(25, seed: 2)) == .regressed)
    #expect(verdict(run(25), run(20, seed: 2)) == .improved)
    #expect(verdict(run(20), run(20, seed: 2)) == .unchanged)
    // More than the threshold matters: five percent do not.
    #expect(verdict(run(20), run(21, seed: 2)) == .unchanged)
    #expect(Comparison(base: run(20), head: run(25, seed: 2), threshold: 0.1).hasRegressed)
  }

  @Test("Launches that differ too much, or are too few, decide nothing")
  func inconclusive() {
    #expect(verdict(run(20, spread: 0.5), run(25, spread: 0.5, seed: 2)) == .inconclusive)
    // The interval of two launches may be narrow, but their order can be chance.
    #expect(verdict(run(20, launches: 2), run(25, launches: 2, seed: 2)) == .inconclusive)
    #expect(verdict(run(20, launches: 1), run(25, launches: 1, seed: 2)) == .inconclusive)
    let few = Comparison(base: run(20, launches: 2), head: run(25, launches: 2), threshold: 0.1)
    let advice = "2 launches of each run are too few to be sure about 1 gated cell: use more launches or a filter"
    #expect(few.advice == [advice])
    #expect(!few.hasRegressed)
  }

  @Test("Cells that only one run has are added or missing, and no regression")
  func addedAndMissing() {
    let comparison = Comparison(
      base: run(20, scenario: "resolve/new"), head: run(20, scenario: "resolve/struct"), threshold: 0.1)
    #expect(comparison.cells.map(\.label).sorted() == ["resolve/new", "resolve/struct"])
    #expect(comparison.cells.first { $0.label == "resolve/new" }?.verdict == .missing)
    #expect(comparison.cells.first { $0.label == "resolve/struct" }?.verdict == .added)
    #expect(!comparison.hasRegressed)
  }

  @Test("What several threads do is judged, but decides nothing")
  func contended() {
    let comparison = Comparison(base: run(20, threads: 2), head: run(30, seed: 2, threads: 2), threshold: 0.1)
    #expect(comparison.cells.map(\.verdict) == [.regressed])
    #expect(!comparison.hasRegressed)
  }

  @Test("Between different machines only ratios are compared, and nothing fails")
  func machines() {
    let head = run(25, seed: 2).map { row in
      var row = row
      row.hostHash = "other"
      return row
    }
    let comparison = Comparison(base: run(20), head: head, threshold: 0.1)
    #expect(comparison.cells.map(\.verdict) == [.regressed])
    #expect(comparison.advice.contains { $0.contains("advisory") })
    #expect(!comparison.hasRegressed)
  }

  @Test("Of a hundred comparisons of the same, next to none cries wolf, however noisy the launches are")
  func falseAlarms() {
    let alarms = (0..<100).count { index in
      let spread = [0.02, 0.1, 0.3][index % 3]
      return Comparison(
        base: run(20, spread: spread, seed: UInt64(2 * index)),
        head: run(20, spread: spread, seed: UInt64(2 * index + 1)),
        threshold: 0.1
      ).hasRegressed
    }
    #expect(alarms <= 1, "\(alarms) of 100")
  }
}
