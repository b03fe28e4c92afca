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

  @Test("The interval of an estimate holds the values it was made from, and is narrow where they agree")
  func estimate() throws {
    let estimate = try #require(Estimate([10, 12, 11, 13, 9, 11, 10, 12]))
    #expect(estimate.median == 11)
    #expect(estimate.launches == 8)
    #expect(estimate.lower >= 9 && estimate.lower < 11)
    #expect(estimate.upper <= 13 && estimate.upper > 11)
    let agreed = try #require(Estimate([5, 5, 5, 5]))
    #expect(agreed.lower == 5 && agreed.upper == 5 && agreed.margin == 0)
    #expect(Estimate([]) == nil)
    #expect(Estimate([10, 12, 11]) == Estimate([10, 12, 11]))
  }

  @Test("95 of 100 intervals hold the true value")
  func coverage() throws {
    var generator = RandomGenerator(seed: 3)
    let hits = (0..<400).count { _ in
      // The sum of twelve is as good as normal; its median is 6.
      let values = (0..<8).map { _ in
        (0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
      }
      return Estimate(values).map { $0.lower <= 6 && 6 <= $0.upper } ?? false
    }
    #expect((360...400).contains(hits), "\(hits) of 400")
  }

  @Test("A sample that stands out from its launch is marked and stays; others are not marked")
  func disturbed() {
    let rows = (1...10).map { round in
      var row = ResultRow()
      row.scenario = "resolve/shared"
      row.implementation = "container"
      row.threads = 1
      row.round = round
      // The deviation is 1 %, and one sample took half as long again.
      row.nanosecondsPerOperation = round == 4 ? 150 : 100 + Double(round % 3)
      return row
    }
    let marked = ResultRow.markingDisturbed(rows)
    #expect(marked.count == 10)
    #expect(marked.filter { $0.quality == [.disturbed] }.map(\.round) == [4])
    #expect(marked.map(\.nanosecondsPerOperation) == rows.map(\.nanosecondsPerOperation))
  }
}
