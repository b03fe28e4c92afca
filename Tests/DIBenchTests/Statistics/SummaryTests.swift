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
    // What is not even a tenth of a percent has not moved, in either direction.
    for ratio in [1.0001, 0.9999] {
      #expect(
        summary([("a", ratio, "unchanged")]).text == "+0.0 % in the geometric mean; of 1 cell, 1 unchanged.")
    }
    #expect(summary([]).text == "of 0 cells, none measured.")
  }
}
