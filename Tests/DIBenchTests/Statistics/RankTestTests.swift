internal import Testing

@testable import DIBenchmarking

struct RankTestTests {
  @Test("Small samples have the probabilities of the published tables, and the shift is the median of differences")
  func probability() {
    // Small samples have the probabilities of the published tables, the smallest without an overlap.
    do {
      let cases: [([Double], [Double], Double)] = [
        // No overlap: one of the 70, 252 and 12,870 choices is as uneven, and all are if it is the other way around.
        ([1, 2, 3, 4], [5, 6, 7, 8], 1.0 / 70), ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 1.0 / 252),
        ([1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16], 1.0 / 12870), ([5, 6], [1, 2], 1),
        // Two pairs are the wrong way around: 4 of the 70 choices have 0, 1 or 2.
        ([1, 2, 3, 6], [4, 5, 7, 8], 4.0 / 70),
        // With ties: 1, 1 below 2, 2 is one of six choices; where all are equal, all choices are.
        ([1, 1], [2, 2], 1.0 / 6), ([1, 1, 1], [1, 1, 1], 1), ([], [1], 1),
        // The mean rank of 2, 2, 2 is 4: 1, 1 and 3 have less, and 4 of the 20 choices as much.
        ([1, 1, 3], [2, 2, 2], 4.0 / 20),
      ]
      for (first, second, expected) in cases {
        #expect(abs(RankTest.probability(first, below: second) - expected) < 1e-12)
      }
      do {
        let cases: [(Int, Int, Double)] = [(4, 4, 1.0 / 70), (8, 8, 1.0 / 12870), (3, 5, 1.0 / 56), (0, 4, 1)]
        for (first, second, expected) in cases {
          #expect(abs(RankTest.smallestProbability(first, second) - expected) < 1e-12)
        }
      }
    }
    // The shift is the median of all differences, its interval between two of them, and there is none below four.
    do {
      let (first, second) = ([1.0, 2, 3, 4], [11.0, 12, 13, 14])
      #expect(RankTest.shift(first, second) == 10)
      // Of four and four, only the extremes.
      #expect(RankTest.interval(first, second) == 7...13)
      // Of five and five, U may be 2; of eight and eight, 13.
      let ranks = { (count: Int) in (0..<count).map { Double($0) } }
      let interval = { (count: Int, rank: Int) -> ClosedRange<Double> in
        let all = ranks(count).flatMap { second in ranks(count).map { second - $0 } }.sorted()
        return all[rank]...all[all.count - 1 - rank]
      }
      #expect(
        (RankTest.interval(ranks(5), ranks(5)), RankTest.interval(ranks(8), ranks(8))) == (
          interval(5, 2), interval(8, 13)
        ))
      #expect(
        RankTest.interval([1, 2, 3], [4, 5, 6]) == nil && RankTest.interval([1], [2]) == nil
          && RankTest.interval([], []) == nil)
      #expect(RankTest.shift([], [1]) == nil)
    }
  }

  @Test("19 of 20 intervals hold the true shift, and small probabilities count less the more cells there are")
  func coverage() {
    // 19 of 20 intervals hold the true shift.
    do {
      var generator = RandomGenerator(seed: 3)
      let hits = (0..<400).count { _ in
        let values = (0..<16).map { _ in
          Double.random(in: 0..<1, using: &generator) + Double.random(in: 0..<1, using: &generator)
        }
        return RankTest.interval(Array(values[..<8]), Array(values[8...]))?.contains(0) ?? false
      }
      #expect((370...400).contains(hits), "\(hits) of 400")
    }
    // A small probability counts less the more cells there are that can reach significance.
    do {
      let corrected = { (probabilities: [Double]) in
        RankTest.corrected(probabilities.map { ($0, 1e-6) })
      }
      #expect(
        (corrected([0.01, 0.04, 0.03]), corrected([0.6, 0.9]), corrected([])) == ([0.03, 0.06, 0.06], [1, 1], []))
      // 1 in 70 could be significant beside two others at most, and 1 in 2 never.
      let many = [Double](repeating: 0.5, count: 20).map { ($0, 0.5) }
      #expect(RankTest.corrected([(0.001, 0.0001)] + many).prefix(2) == [0.001, nil])
      // Three that can, beside ten that cannot, are three questions and not thirteen.
      let three = [Double](repeating: 0.01, count: 3).map { ($0, 0.01) }
      #expect(RankTest.corrected(three + Array(many.prefix(10))).prefix(3).allSatisfy { ($0 ?? 1) < 0.05 })
      let few = [Double](repeating: 1.0 / 70, count: 4).map { ($0, 1.0 / 70) }
      #expect(RankTest.corrected(few) == [nil, nil, nil, nil])
      #expect(RankTest.corrected(Array(few.prefix(3))).allSatisfy { ($0 ?? 1) < 0.05 })
      #expect(RankTest.corrected(Array(few.prefix(3) + many.prefix(1))).prefix(3).allSatisfy { ($0 ?? 1) < 0.05 })
    }
  }
}
