/// Writes a comparison down.
enum ComparisonReport {
  enum Format: String, CaseIterable {
    case text, markdown, json
  }

  /// The comparison in a format, without the end of the last line.
  static func text(_ comparison: Comparison, as format: Format, usesColor: Bool = false) -> String {
    switch format {
    case .text: lines(comparison, usesColor: usesColor).joined(separator: "\n")
    case .markdown: markdown(comparison).joined(separator: "\n")
    case .json: String(JSON.text(of: Document(comparison)).dropLast())
    }
  }

  private static func table(_ cells: [CellComparison]) -> TextTable {
    var table = TextTable(
      header: [
        "scenario", "threads", "base ns/op", "head ns/op", "change", "95 % interval", "control", "p", "gate", "verdict",
      ], names: [0, 6, 9])
    for cell in cells {
      table.rows.append([
        cell.label, "\(cell.key.threads)", cell.baseNanoseconds?.short ?? "-", cell.headNanoseconds?.short ?? "-",
        cell.change.map { percent($0) } ?? "-",
        cell.interval.map { "\(percent($0.lowerBound)) … \(percent($0.upperBound))" } ?? "-",
        cell.control.map { String($0.trimmingPrefix("reference/")) } ?? "-",
        cell.probability.map { $0 < 0.001 ? "<0.001" : $0.fixed(3) } ?? "-",
        cell.limit.map { percent(1 + $0, 0) } ?? "-",
        ([cell.verdict.rawValue] + cell.notes).joined(separator: ", "),
      ])
    }
    return table
  }

  private static func percent(_ ratio: Double, _ decimals: Int = 1) -> String {
    let text = ((ratio - 1) * 100).fixed(decimals)
    return (text.hasPrefix("-") ? text : "+" + text) + " %"
  }

  private static let explanations = [
    "change: time of the subject, as a ratio to the control beside it, head / base; Hodges–Lehmann, over launches",
    "regressed: launches above the gate, p (Mann–Whitney, corrected by Holm) below \(RankTest.significance); or allocations"
      + " or bytes; unchanged: the whole interval is below the gate; inconclusive: the launches cannot tell",
  ]

  private static func lines(_ comparison: Comparison, usesColor: Bool) -> [String] {
    let lines = table(comparison.cells).lines
    let colored = zip(lines.dropFirst(), comparison.cells).map { line, cell in
      guard usesColor, cell.isGated else { return line }
      switch cell.verdict {
      case .regressed, .missing, .moved, .changed: return "\u{1B}[31m\(line)\u{1B}[0m"
      case .improved: return "\u{1B}[32m\(line)\u{1B}[0m"
      default: return line
      }
    }
    return [lines[0]] + colored + [""] + explanations + ["", comparison.conclusion]
  }

  /// Returns a table of the cells that changed, and one of all cells, to unfold.
  private static func markdown(_ comparison: Comparison) -> [String] {
    let moved = comparison.cells.filter { $0.verdict != .unchanged && $0.isGated || !$0.notes.isEmpty }
    return ["### di-bench: \(comparison.conclusion)", ""]
      + (moved.isEmpty ? [] : table(moved).markdown + [""])
      + ["<details><summary>All \(comparison.cells.count.counted("cell"))</summary>", ""]
      + table(comparison.cells).markdown + ["", "</details>", ""] + explanations.map { "- \($0)" }
  }

  private struct Document: Encodable {
    let conclusion: String
    let regressed: Bool
    let undecided: Int
    let threshold: Double
    let sameMachine: Bool
    let cells: [CellComparison]

    init(_ comparison: Comparison) {
      conclusion = comparison.conclusion
      regressed = !comparison.regressed.isEmpty
      undecided = comparison.undecided.count
      threshold = comparison.threshold
      sameMachine = comparison.isSameMachine
      cells = comparison.cells
    }
  }
}
