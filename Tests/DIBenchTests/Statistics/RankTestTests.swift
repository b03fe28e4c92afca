internal import Testing

@testable import di_bench

@Suite("The rank test")
struct RankTestTests {
  @Test(
    "Small samples have the probabilities of the published tables",
    arguments: [
      // No overlap: 2 of the 70, 252 and 12,870 choices are as uneven.
      ([1, 2, 3, 4], [5, 6, 7, 8], 2.0 / 70), ([1, 2, 3, 4, 5], [6, 7, 8, 9, 10], 2.0 / 252),
      ([1, 2, 3, 4, 5, 6, 7, 8], [9, 10, 11, 12, 13, 14, 15, 16], 2.0 / 12870),
      // U is 2 for groups of 4: 8 of the 70 choices have 0, 1, 2, 14, 15 or 16.
      ([1, 2, 3, 6], [4, 5, 7, 8], 8.0 / 70),
      ([1, 1, 1], [1, 1, 1], 1),
      // With ties: 1, 1 or 2, 2 in the first group are the two extremes of six choices.
      ([1, 1], [2, 2], 2.0 / 6), ([1, 2], [1, 2], 1), ([], [1], 1),
    ] as [([Double], [Double], Double)])
  func probability(_ first: [Double], _ second: [Double], _ expected: Double) {
    #expect(abs(RankTest.probability(first, second) - expected) < 1e-12)
    #expect(abs(RankTest.probability(second, first) - expected) < 1e-12)
  }

  @Test("A small probability counts less the more cells there are, and the order stays")
  func holm() {
    #expect(RankTest.holm([0.01, 0.04, 0.03]) == [0.03, 0.06, 0.06])
    #expect(RankTest.holm([0.5, 0.9]) == [1, 1])
    #expect(RankTest.holm([]) == [])
  }
}
