internal import Foundation

extension CommandSpecification {
  /// Measures, prints a table and writes files.
  static let run = CommandSpecification(
    name: "run", abstract: "Measure, print a table of ratios and write a CSV file.",
    options: PlanOptions.all + [
      Option(name: "output", value: "file", help: "The file to write. (default: Results/<name>-<utc>-<commit>.csv)"),
      .all,
    ], handlesInterrupts: true
  ) { (arguments, context) throws(CommandFailure) in
    let plan = try PlanOptions.plan(arguments, context)
    var series = Series(plan: plan, arguments: arguments, context: context)
    try series.record(context.launcher, at: context.folder, as: "", to: arguments.values["output"])
    try series.run()
    let rows = series.recordings[0].rows
    if !rows.isEmpty {
      context.terminal.print()
      for line in ResultTable.lines(ResultGroup.groups(of: rows), isFull: arguments.has("all")) {
        context.terminal.print(line)
      }
    }
    try series.finish()
  }

  /// Carries out one launch, for the process that started this one.
  static let launch = CommandSpecification(
    name: "launch", abstract: "Measure everything once and print it as CSV without a header; 'run' starts this.",
    options: PlanOptions.all, operands: [Operand(name: "number", help: "Which launch it is, from 1.")], isHidden: true
  ) { (arguments, context) throws(CommandFailure) in
    guard let number = Int(arguments.operands[0]), number > 0 else { throw .usage("There is no such launch") }
    let plan = try PlanOptions.plan(arguments, context)
    for row in try Launcher.here.launch(plan, number, arguments, context) {
      context.terminal.write(ResultFile.line(of: row))
    }
  }

  /// Shows a file.
  static let report = CommandSpecification(
    name: "report", abstract: "Show a CSV file as a table, or draw throughput against threads as SVG.",
    options: [
      Option(name: "format", value: "format", help: "text or markdown. (default: text)"),
      Option(name: "filter", value: "regex", help: "Only the benchmarks whose name this regular expression matches."),
      .all,
      Option(name: "svg", value: "file", help: "Draw throughput against threads into this file as well."),
    ],
    operands: [Operand(name: "file", help: "The file, as 'run' has written it.")]
  ) { (arguments, context) throws(CommandFailure) in
    let format =
      try arguments.value(of: "format", as: "text or markdown") { ["text", "markdown"].contains($0) ? $0 : nil }
    let path = context.path(arguments.operands[0])
    var groups = ResultGroup.groups(of: try ResultFile.read(path))
    if let filter = try arguments.filter() {
      groups = groups.filter { filter($0.label) }
      if groups.isEmpty { throw .usage("Nothing in this file matches '\(arguments.values["filter"] ?? "")'") }
    }
    if let picture = arguments.values["svg"] {
      let charts = Chart.charts(of: groups)
      if charts.isEmpty { throw .usage("Nothing to draw: no benchmark was measured on several numbers of threads") }
      let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
      try OutputFile(path: context.path(picture)).write(ChartDrawing(charts: charts, run: name).text)
      context.terminal.printError("Drew \(charts.count.counted("chart")): \(context.path(picture))")
    }
    for line in ResultTable.lines(groups, isFull: arguments.has("all"), isMarkdown: format == "markdown") {
      context.terminal.print(line)
    }
  }
}
