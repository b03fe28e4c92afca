internal import Testing

@testable import DIBenchmarking
@testable import di_bench

@Suite("Suggestions")
struct SuggestionTests {
  @Test(
    "The distance counts insertions, deletions, replacements and swaps",
    arguments: [("", "abc", 3), ("run", "rnu", 1), ("kitten", "sitting", 3), ("same", "same", 0)])
  func distance(_ first: String, _ second: String, _ expected: Int) {
    #expect(Suggestion.distance(first, second) == expected)
    #expect(Suggestion.distance(second, first) == expected)
  }
}
