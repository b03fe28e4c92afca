internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

@Suite("Statistics")
struct StatisticsTests {
  @Test(
    "The median is the middle, or the mean of the two in the middle",
    arguments: [([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([7], 7)] as [([Double], Double)])
  func median(_ values: [Double], _ expected: Double) {
    #expect(values.median == expected)
  }

  @Test("The median deviation ignores an outlier")
  func deviation() {
    #expect([1.0, 2, 3, 4, 1000].medianDeviation == 1)
  }

  @Test("The interval of an estimate is between two of its values, and there is none below six")
  func estimate() throws {
    // Of 8 values, 2 in 256 have all on one side of the median, and 18 at most one on the other.
    #expect(try #require(Estimate([10, 12, 11, 13, 9, 11, 10, 12])).interval == 9...13)
    #expect(try #require(Estimate([1, 2, 3, 4, 5, 6, 7, 8, 9])).interval == 2...8)
    #expect(Estimate([5, 5, 5, 5, 5])?.interval == nil)
    #expect(Estimate([5, 5, 5, 5, 5, 5])?.margin == 0)
    #expect(Estimate([]) == nil)
  }

  @Test("95 of 100 intervals hold the true value")
  func coverage() throws {
    var generator = RandomGenerator(seed: 3)
    let hits = (0..<400).count { _ in
      // The sum of twelve is as good as normal; its median is 6.
      let values = (0..<8).map { _ in
        (0..<12).reduce(0.0) { sum, _ in sum + Double.random(in: 0..<1, using: &generator) }
      }
      return Estimate(values)?.interval?.contains(6) ?? false
    }
    #expect((360...400).contains(hits), "\(hits) of 400")
  }
}
