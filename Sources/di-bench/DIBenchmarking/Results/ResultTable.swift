/// Writes the summary of a run as a table for people.
enum ResultTable {
  static func table(_ groups: [ResultGroup]) -> TextTable {
    var table = TextTable(
      header: [
        "scenario", "threads", "ns/op", "p99 ns", "Mop/s", "scaling", "alloc/op", "bytes/op", "reference", "ns/op",
        "ratio", "± 95 %", "vs dictionary", "vs queue",
      ], names: [0, 8])
    for group in groups {
      let ratio = group.reference.flatMap { group.ratio(to: $0) }
      let against = { (name: String) in group.ratio(to: name)?.median.fixed(2) ?? "-" }
      table.rows.append([
        group.label, "\(group.key.threads)" + (group.isOversubscribed ? "*" : ""),
        group.nanoseconds(group.subject)?.median.short ?? "-", group.percentile99(group.subject)?.short ?? "-",
        (group.throughput(group.subject)?.median).map(\.short) ?? "-", scaling(of: group, in: groups),
        group.allocations?.fixed(1) ?? "-", group.bytes.median?.fixed(1) ?? "-",
        group.reference.map { String($0.trimmingPrefix("reference/")) } ?? "-",
        group.reference.flatMap { group.nanoseconds($0)?.median.short } ?? "-", ratio?.median.fixed(2) ?? "-",
        (ratio?.margin).map { ($0 * 100).fixed(0) + "%" } ?? "-",
        against(Benchmark.Implementation.lockedDictionary), against(Benchmark.Implementation.serialQueue),
      ])
    }
    return table
  }

  /// The result in one sentence, and the table: of five columns, or of all.
  static func lines(_ groups: [ResultGroup], isFull: Bool, isMarkdown: Bool = false) -> [String] {
    let table = isFull ? table(groups) : table(groups).columns([0, 1, 2, 10, 8])
    let (lines, notes) = (isMarkdown ? table.markdown : table.lines, notes(groups, isFull))
    return [summary(groups), ""] + lines + [""] + (isMarkdown ? notes.map { "- \($0)" } : notes)
  }

  /// The distance of the subjects from their references, in one sentence.
  static func summary(_ groups: [ResultGroup]) -> String {
    var summary = Summary(
      words: ["slower", "faster", "as fast", "undecided"], noun: "compared cell", format: { "\($0.short) ×" })
    for group in groups {
      guard let reference = group.reference, let ratio = group.ratio(to: reference) else { continue }
      let word =
        if ratio.interval == nil { "undecided" } else if ratio.lower > 1.1 { "slower" } else if ratio.upper < 1 / 1.1 {
          "faster"
        } else { ratio.lower > 1 / 1.1 && ratio.upper < 1.1 ? "as fast" : "undecided" }
      summary.cells.append(("\(group.label) (\(group.key.threads))", ratio.median, word))
    }
    let others = groups.count - summary.cells.count
    let note = others > 0 ? " Left out, because nothing else does the same: \(others.counted("cell"))." : ""
    return (groups.contains(where: \.isDebug) ? Build.debugWarning : "")
      + (summary.cells.isEmpty
        ? "Measured \(groups.count.counted("cell")), none of them compared with a reference."
        : "Time / time of the reference: " + summary.text + note)
  }

  private static func notes(_ groups: [ResultGroup], _ isFull: Bool) -> [String] {
    let ratio = "ratio: time of the subject / time of the reference"
    var notes = [
      "scaling: throughput of all threads / throughput of one thread",
      ratio + "; the median of the launches, and half its 95 % interval",
      "vs dictionary, vs queue: the ratio to a dictionary behind a mutex or behind a re-entrant serial queue",
    ]
    if !isFull { notes = [ratio + "; --all shows percentiles, throughput, scaling, allocations, bytes and intervals"] }
    if let group = groups.first(where: \.isOversubscribed) {
      notes.append("*: more threads than the \(group.cores) cores")
    }
    return notes
  }

  private static func scaling(of group: ResultGroup, in groups: [ResultGroup]) -> String {
    guard group.key.threads > 1, let all = group.throughput(group.subject)?.median,
      let single = groups.first(where: { $0.label == group.label && $0.key.threads == 1 }),
      let one = single.throughput(single.subject)?.median
    else { return "-" }
    return (all / one).fixed(2)
  }
}
