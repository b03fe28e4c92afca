internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct SuggestionTests {
  @Test("The distance counts insertions, deletions, replacements and swaps")
  func distance() {
    let cases: [(String, String, Int)] = [
      ("", "abc", 3), ("run", "rnu", 1), ("kitten", "sitting", 3), ("same", "same", 0),
    ]
    for (first, second, expected) in cases {
      #expect((Suggestion.distance(first, second), Suggestion.distance(second, first)) == (expected, expected))
    }
  }
}
