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

  // MARK: For people

  private static func table(_ comparison: Comparison, _ cells: [CellComparison]) -> TextTable {
    var table = TextTable(
      header: ["scenario", "threads", "base ns/op", "head ns/op", "change", "95 % interval", "p", "verdict"],
      names: [0, 7])
    for cell in cells {
      table.rows.append([
        cell.label, "\(cell.key.threads)",
        cell.baseNanoseconds.map(\.short) ?? "-", cell.headNanoseconds.map(\.short) ?? "-",
        cell.change.map { percent($0.median) } ?? "-",
        cell.change.map { "\(percent($0.lower)) … \(percent($0.upper))" } ?? "-",
        cell.probability.map { $0 < 0.001 ? "<0.001" : $0.fixed(3) } ?? "-",
        cell.verdict.rawValue + (cell.isGated ? "" : " (not gated)"),
      ])
    }
    return table
  }

  private static func percent(_ ratio: Double) -> String {
    let text = ((ratio - 1) * 100).fixed(1)
    return (text.hasPrefix("-") ? text : "+" + text) + " %"
  }

  /// One sentence with the result.
  private static func conclusion(_ comparison: Comparison) -> String {
    let gated = comparison.cells.filter(\.isGated)
    let counts = CellComparison.Verdict.allCases.compactMap { verdict in
      let count = gated.count { $0.verdict == verdict }
      return count > 0 ? "\(count) \(verdict.rawValue)" : nil
    }
    let result = comparison.hasRegressed ? "Slower" : "Not slower"
    let summary = counts.isEmpty ? "none measured" : counts.joined(separator: ", ")
    return "\(result): of \(gated.count.counted("gated cell")), \(summary)."
  }

  private static func explanations(_ comparison: Comparison) -> [String] {
    [
      "change: time of the container as a ratio to a yardstick measured beside it, head / base, median of launches",
      "regressed, improved: the whole interval is beyond ±\((comparison.threshold * 100).fixed(0)) %, and p, corrected for "
        + "the number of gated cells, is below \(Comparison.significance)",
    ] + comparison.advice.map { "Note: \($0)" }
  }

  private static func lines(_ comparison: Comparison, usesColor: Bool) -> [String] {
    let lines = table(comparison, comparison.cells).lines
    let colored = zip(lines.dropFirst(), comparison.cells).map { line, cell in
      guard usesColor, cell.isGated else { return line }
      switch cell.verdict {
      case .regressed: return "\u{1B}[31m\(line)\u{1B}[0m"
      case .improved: return "\u{1B}[32m\(line)\u{1B}[0m"
      default: return line
      }
    }
    return [lines[0]] + colored + [""] + explanations(comparison) + ["", conclusion(comparison)]
  }

  /// What moved, above; everything, to unfold.
  private static func markdown(_ comparison: Comparison) -> [String] {
    let isQuiet = { (cell: CellComparison) in cell.verdict == .unchanged || !cell.isGated }
    let moved = comparison.cells.filter { !isQuiet($0) }
    return ["### di-bench: \(conclusion(comparison))", ""]
      + (moved.isEmpty ? [] : table(comparison, moved).markdown + [""])
      + ["<details><summary>All \(comparison.cells.count.counted("cell"))</summary>", ""]
      + table(comparison, comparison.cells).markdown + ["", "</details>", ""]
      + explanations(comparison).map { "- \($0)" }
  }

  // MARK: For programs

  private struct Document: Encodable {
    struct Cell: Encodable {
      let scenario: String
      let registrations: Int?
      let depth: Int
      let threads: Int
      let verdict: CellComparison.Verdict
      let gated: Bool
      let change: Double?
      let changeLower: Double?
      let changeUpper: Double?
      let p: Double?
      let baseNsPerOp: Double?
      let headNsPerOp: Double?
    }

    let regressed: Bool
    let threshold: Double
    let sameMachine: Bool
    let notes: [String]
    let cells: [Cell]

    init(_ comparison: Comparison) {
      regressed = comparison.hasRegressed
      threshold = comparison.threshold
      sameMachine = comparison.isSameMachine
      notes = comparison.advice
      cells = comparison.cells.map { cell in
        Cell(
          scenario: cell.key.scenario, registrations: cell.key.registrations, depth: cell.key.depth,
          threads: cell.key.threads, verdict: cell.verdict, gated: cell.isGated, change: cell.change?.median,
          changeLower: cell.change?.lower, changeUpper: cell.change?.upper, p: cell.probability,
          baseNsPerOp: cell.baseNanoseconds, headNsPerOp: cell.headNanoseconds)
      }
    }
  }
}
