internal import Foundation

extension CommandSpecification {
  /// Shows a file.
  static let report = CommandSpecification(
    name: "report", abstract: "Show a CSV file as a table, and draw throughput against threads as SVG.",
    options: [
      Option(name: "format", value: "format", help: "text or markdown. (default: text)"),
      Option(name: "filter", value: "regex", help: "Only the scenarios whose name this regular expression matches."),
      Option(name: "svg", value: "file", help: "The picture to write. (default: the file with .svg instead of .csv)"),
      Option(name: "no-svg", help: "Draw nothing."),
    ],
    operands: [Operand(name: "file", help: "The file, as 'run' has written it.")]
  ) { (arguments, context) throws(CommandFailure) in
    let format =
      try arguments.value(of: "format", as: "text or markdown") { ["text", "markdown"].contains($0) ? $0 : nil }
    let path = context.path(arguments.operands[0])
    let rows = try ResultFile.read(path)
    var groups = ResultGroup.groups(of: rows)
    if let filter = try arguments.filter() {
      groups = groups.filter { filter.matches($0.label) }
      if groups.isEmpty { throw .usage("Nothing in this file matches '\(filter.text)'") }
    }
    let charts = Chart.charts(of: groups)
    if !arguments.has("no-svg"), !charts.isEmpty {
      let name = arguments.values["svg"].map { context.path($0) } ?? (path as NSString).deletingPathExtension + ".svg"
      try ReportCommand.write(ChartDrawing(charts: charts, run: rows[0].run).text, to: name)
      context.terminal.printError("Drew \(charts.count.counted("chart")): \(name)")
    }
    let table = ResultTable.table(groups)
    let notes = ResultTable.notes(groups)
    let lines =
      format == "markdown" ? table.markdown + [""] + notes.map { "- \($0)" } : table.lines + [""] + notes
    for line in lines { context.terminal.print(line) }
  }
}

/// The `report` command.
enum ReportCommand {
  /// Writes a picture; one that is there already is fine if it is the same.
  ///
  /// - Throws: A failure if another file is there, or the file cannot be written.
  static func write(_ text: String, to path: String) throws(CommandFailure) {
    if FileManager.default.contents(atPath: path) == Data(text.utf8) { return }
    try OutputFile(path: path).write(text)
  }
}
