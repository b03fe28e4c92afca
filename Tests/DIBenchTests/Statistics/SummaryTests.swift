internal import Testing

@testable import DIBenchmarking

struct SummaryTests {
  private func summary(_ cells: [(String, Double?, String)]) -> Summary {
    Summary(
      cells: cells, words: ["slower", "faster", "unchanged", "added"], noun: "cell", format: { Summary.percent($0) })
  }

  @Test("The mean is geometric, counts are in order, and the three that moved most are named, if there are some")
  func numbers() {
    do {
      // 2 · 0.5 · 1.25 · 0.8 · 1.21 is 1.21, whose fifth root is 1.0389.
      let cells: [(String, Double?, String)] = [
        ("a", 1.25, "unchanged"), ("b", 0.5, "faster"), ("c", 2, "slower"), ("d", 0.8, "unchanged"),
        ("e", nil, "added"), ("f", 1.21, "unchanged"),
      ]
      let furthest = "b -50.0 %, c +100.0 %, a +25.0 %"
      #expect(
        summary(cells).text
          == "+3.9 % in the geometric mean; of 5 cells, 1 slower, 1 faster, 3 unchanged, 1 added; furthest: \(furthest)."
      )
    }
    #expect(
      (summary([("a", 1.0001, "unchanged")]).text, summary([]).text) == (
        "+0.0 % in the geometric mean; of 1 cell, 1 unchanged.", "of 0 cells, none measured."
      ))
  }
}
