internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct StatisticsTests {
  @Test("The median ignores an outlier, and 95 of 100 intervals hold the true value")
  func median() throws {
    // The median is in the middle, its deviation ignores an outlier, and an estimate has an interval from six values on.
    do {
      let cases: [([Double], Double)] = [([3, 1, 2], 2), ([4, 1, 3, 2], 2.5), ([7], 7)]
      for (values, expected) in cases { #expect(values.median == expected) }
      #expect([1.0, 2, 3, 4, 1000].medianDeviation == 1)
      // Of 8 values, 2 in 256 have all on one side of the median, and 18 at most one on the other.
      #expect(
        (Estimate([10, 12, 11, 13, 9, 11, 10, 12])?.interval, Estimate([1, 2, 3, 4, 5, 6, 7, 8, 9])?.interval) == (
          9...13, 2...8
        ))
      // Of 14, 106 in 16,384 have at most two, and 470 at most three. The margin is a part of the median.
      let fourteen = Estimate((1...14).map { Double($0) })
      #expect((fourteen?.interval, fourteen?.margin) == (3...12, 0.6))
      // So many that the number of orders is infinite.
      #expect(Estimate((1...1100).map { Double($0) })?.interval == 518...583)
      #expect(
        Estimate([5, 5, 5, 5, 5])?.interval == nil && Estimate([5, 5, 5, 5, 5, 5])?.margin == 0 && Estimate([]) == nil)
    }
    // 95 of 100 intervals hold the true value.
    do {
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
}
