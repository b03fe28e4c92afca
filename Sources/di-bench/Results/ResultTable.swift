/// Writes the summary of a run as a table for people.
enum ResultTable {
  private static let header = [
    "scenario", "threads", "ns/op", "Mop/s", "scaling", "reference", "ns/op", "ratio", "±", "vs dictionary", "vs queue",
  ]

  /// The lines of the table.
  static func lines(_ summaries: [CellSummary], cores: Int) -> [String] {
    let rows = summaries.map { row($0, cores: cores) }
    let widths = header.indices.map { column in ([header] + rows).map { $0[column].count }.max() ?? 0 }
    let lines = ([header] + rows).map { fields in
      zip(fields.indices, fields).map { column, field in
        let padding = String(repeating: " ", count: widths[column] - field.count)
        // Names to the left, numbers to the right.
        return column == 0 || column == 5 ? field + padding : padding + field
      }.joined(separator: "  ")
    }
    let notes = [
      "scaling: throughput of all threads / that of one thread, median of the rounds",
      "ratio: time of the container / time of the reference, median of the rounds, ± its median deviation",
      "vs dictionary, vs queue: the same to a dictionary behind a mutex and behind a re-entrant serial queue",
    ]
    let growths = summaries.compactMap { summary in
      summary.growth.map { growth in
        "\(summary.scenario.label): memory grew by \(growth.subject / 1024) KiB at most, "
          + "with \(summary.scenario.reference.name) by \(growth.reference / 1024) KiB"
      }
    }
    let oversubscribed =
      summaries.contains { $0.busyThreads > cores } ? ["*: more threads than the \(cores) cores"] : []
    return lines + [""] + notes + growths + oversubscribed
  }

  private static func row(_ summary: CellSummary, cores: Int) -> [String] {
    let ratio = { (name: String) in summary.ratios[name].map { $0.fixed(2) } ?? "-" }
    let reference = summary.scenario.reference.name
    return [
      summary.scenario.label, "\(summary.threads)" + (summary.busyThreads > cores ? "*" : ""),
      summary.nanoseconds.short, (summary.operationsPerSecond * 1e-6).short, summary.scaling?.fixed(2) ?? "-",
      String(reference.dropFirst("reference/".count)),
      summary.referenceNanoseconds.short, ratio(reference), (summary.spread * 100).fixed(0) + "%",
      ratio(Scenario.Implementation.lockedDictionary), ratio(Scenario.Implementation.serialQueue),
    ]
  }
}
