/// Writes the summary of a run as a table for people.
enum ResultTable {
  private static let header = [
    "scenario", "threads", "ns/op", "Mop/s", "reference", "ns/op", "ratio", "±", "vs dictionary", "vs queue",
  ]

  /// The lines of the table.
  static func lines(_ summaries: [CellSummary], cores: Int) -> [String] {
    let rows = summaries.map { row($0, cores: cores) }
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    let lines = ([header] + rows).map { fields in
      zip(fields.indices, fields).map { column, field in
        let padding = String(repeating: " ", count: widths[column] - field.count)
        // Names to the left, numbers to the right.
        return column == 0 || column == 4 ? field + padding : padding + field
      }.joined(separator: "  ")
    }
    let notes = [
      "ratio: time of the container / time of the reference, median of the rounds, ± its median deviation",
      "vs dictionary, vs queue: the same to a dictionary behind a mutex and behind a re-entrant serial queue",
    ]
    let oversubscribed = summaries.contains { $0.threads > cores } ? ["*: more threads than the \(cores) cores"] : []
    return lines + [""] + notes + oversubscribed
  }

  private static func row(_ summary: CellSummary, cores: Int) -> [String] {
    let ratio = { (name: String) in summary.ratios[name].map { $0.fixed(2) } ?? "-" }
    let reference = summary.scenario.reference.name
    return [
      summary.scenario.name, "\(summary.threads)" + (summary.threads > cores ? "*" : ""), summary.nanoseconds.short,
      (summary.operationsPerSecond * 1e-6).short, String(reference.dropFirst("reference/".count)),
      summary.referenceNanoseconds.short, ratio(reference), (summary.spread * 100).fixed(0) + "%",
      ratio(Scenario.Implementation.lockedDictionary), ratio(Scenario.Implementation.serialQueue),
    ]
  }
}
