/// Writes a comparison as text or Markdown.
enum ComparisonReport {
  enum Format: String, CaseIterable {
    case text, markdown
  }

  /// The comparison in a format, without the end of the last line.
  static func text(_ comparison: Comparison, as format: Format, isFull: Bool = false, usesColor: Bool = false) -> String
  {
    let lines = format == .text ? Self.lines(comparison, isFull, usesColor) : markdown(comparison, isFull)
    return lines.joined(separator: "\n")
  }

  private static func table(_ cells: [CellComparison], _ isFull: Bool) -> TextTable {
    var table = TextTable(
      header: [
        "scenario", "threads", "base ns/op", "head ns/op", "change", "95 % interval", "control", "p", "gate", "verdict",
      ], names: [0, 6, 9])
    for cell in cells {
      table.rows.append([
        cell.label, "\(cell.key.threads)", cell.baseNanoseconds?.short ?? "-", cell.headNanoseconds?.short ?? "-",
        cell.change.map { Summary.percent($0) } ?? "-",
        cell.interval.map { "\(Summary.percent($0.lowerBound)) … \(Summary.percent($0.upperBound))" } ?? "-",
        cell.control.map { String($0.trimmingPrefix("reference/")) } ?? "-",
        cell.probability.map { $0 < 0.001 ? "<0.001" : $0.fixed(3) } ?? "-",
        cell.limit.map { Summary.percent(1 + $0, 2).replacing(/\.?0+ %/, with: " %") } ?? "-",
        ([cell.verdict.rawValue] + cell.notes).joined(separator: ", "),
      ])
    }
    return isFull ? table : table.columns([0, 1, 3, 4, 8, 9])
  }

  static func sideBySide(_ comparisons: [Comparison], _ names: [String], isMarkdown: Bool) -> String {
    var answers = zip(names, comparisons).map { "\($0): \($1.conclusion)" }
    if isMarkdown { answers = answers.map { $0.replacing("<", with: "&lt;") } }
    var table = TextTable(header: ["scenario", "threads", "base ns/op"] + names, names: [0])
    for key in comparisons.flatMap({ $0.cells.map(\.key) }).uniqued {
      let cells = comparisons.map { comparison in comparison.cells.first { $0.key == key } }
      let first = cells.lazy.compactMap { $0 }.first
      table.rows.append(
        [first?.label ?? "", "\(key.threads)", first?.baseNanoseconds?.short ?? "-"]
          + cells.map { cell in
            [cell?.verdict == .unchanged ? nil : cell?.verdict.rawValue, cell?.change.map { Summary.percent($0) }]
              .compactMap { $0 }.joined(separator: " ")
          })
    }
    return (answers + [""] + (isMarkdown ? table.markdown : table.lines)).joined(separator: "\n")
  }

  private static func explanations(_ isFull: Bool) -> [String] {
    let change = "change: time of the subject, as a ratio to its control, head / base"
    guard isFull else { return [change + "; gate: the slowdown that fails; --all shows all columns"] }
    return [
      change + "; Hodges–Lehmann, over launches",
      "slower: launches above the gate, p (Mann–Whitney, corrected by Holm) below \(RankTest.significance); unchanged: the"
        + " whole interval is below the gate; undecided: too few launches, or they differ too much",
    ]
  }

  private static func lines(_ comparison: Comparison, _ isFull: Bool, _ usesColor: Bool) -> [String] {
    let lines = table(comparison.cells, isFull).lines
    let colored = zip(lines.dropFirst(), comparison.cells).map { line, cell in
      guard usesColor, cell.isGated else { return line }
      switch cell.verdict {
      case .slower, .heavier, .missing, .moved, .changed: return "\u{1B}[31m\(line)\u{1B}[0m"
      case .faster: return "\u{1B}[32m\(line)\u{1B}[0m"
      default: return line
      }
    }
    return [comparison.conclusion, "", lines[0]] + colored + [""] + explanations(isFull)
  }

  /// Returns a table of the cells that changed, and one of all cells, to unfold.
  private static func markdown(_ comparison: Comparison, _ isFull: Bool) -> [String] {
    let moved = comparison.cells.filter { $0.verdict != .unchanged && $0.isGated || !$0.notes.isEmpty }
    return ["### " + comparison.conclusion.replacing("<", with: "&lt;"), ""]
      + (moved.isEmpty ? [] : table(moved, isFull).markdown + [""])
      + ["<details><summary>All \(comparison.cells.count.counted("cell"))</summary>", ""]
      + table(comparison.cells, true).markdown + ["", "</details>", ""] + explanations(true).map { "- \($0)" }
  }
}
