internal import Foundation

extension CommandSpecification {
  static let run = CommandSpecification(
    name: "run", abstract: "Measure, print a table of ratios and write a CSV file.",
    options: PlanOptions.all + ComparisonOptions.all + [
      Option(name: "output", value: "file", help: "The file to write. (default: Results/<name>-<utc>-<commit>.csv)"),
      Option(name: "samples", value: "file", help: "Write each sample into this file, too."),
      Option(name: "save", value: "name", help: "Keep the run as the baseline with this name."),
      Option(name: "against", value: "name", help: "Compare the run with this baseline, as 'compare' does."),
    ], handlesInterrupts: true
  ) { (arguments, context) throws(CommandFailure) in
    let plan = try PlanOptions.plan(arguments, context)
    let options = try ComparisonOptions(arguments)
    let messages = options.messageContext(context)
    let baseline = Baseline(context: messages)
    let save = try baseline.newName(arguments)
    let base = try arguments.values["against"].map { name throws(CommandFailure) in
      let rows = try baseline.rows(name)
      let harnesses = Set(plan.benchmarks.map { plan.harness(of: $0) })
      if rows.allSatisfy({ !harnesses.contains($0.harness ?? "") }) {
        throw CommandFailure(
          .incomparable,
          """
          The baseline '\(name)' was measured differently, or has none of these benchmarks: use the --rounds and \
          --quick that it was made with, or make it again with --save \(name)
          """)
      }
      try options.check(rows, of: "base")
      return rows
    }
    if arguments.has("strict"), base == nil { throw .usage("'--strict' needs '--against <name>'") }
    let last = arguments.values["resume"] == nil && !context.isDebug ? baseline.last : nil
    var series = Series(plan: plan, arguments: arguments, context: messages)
    try series.record(context.launcher, at: context.folder, as: "")
    guard try series.run() else { return }
    let rows = series.recordings[0].rows
    if !rows.isEmpty, base == nil {
      let (isFull, isMarkdown) = (arguments.has("all"), options.format == .markdown)
      var lines = ResultTable.lines(ResultGroup.groups(of: rows), isFull: isFull, isMarkdown: isMarkdown)
      if let last {
        let common = last.rows.within(rows)
        let comparison = Comparison(base: common, head: rows.within(common), threshold: options.threshold)
        if comparison.cells.contains(where: { $0.verdict != .changed }) {
          lines.insert("Since the last run, \(last.name): \(comparison.conclusion)", at: 1)
        }
      }
      messages.terminal.print()
      for line in lines { context.terminal.print(line) }
    }
    try series.finish()
    if let save { try baseline.save(series.recordings[0].files, as: save) }
    if let base {
      messages.terminal.print()
      // A benchmark that was left out on purpose is not missing.
      let isWhole = try arguments.filter() == nil && !plan.asksForThreads
      try options.report(isWhole ? base : base.within(rows), [("head", rows)], to: context)
    }
  }

  static let launch = CommandSpecification(
    name: "launch", abstract: "Measure everything once and print it as CSV without a header; 'run' starts this.",
    options: PlanOptions.all, operands: [Operand(name: "number", help: "Which launch it is, from 1.")], isHidden: true,
    handlesInterrupts: true
  ) { (arguments, context) throws(CommandFailure) in
    guard let number = Int(arguments.operands[0]), number > 0 else { throw .usage("There is no such launch") }
    let plan = try PlanOptions.plan(arguments, context)
    for row in try Launcher.here.launch(plan, number, arguments, context) {
      context.terminal.write(ResultFile.line(of: row, withSamples: true))
    }
  }

  static let report = CommandSpecification(
    name: "report", abstract: "Show a CSV file as a table or as charts, or print it for other tools.",
    options: [
      Option(
        name: "format", value: "format",
        help: "text, markdown, benchstat or json, as Google Benchmark writes it. (default: text)"),
      .filter,
      .all,
      Option(name: "svg", value: "file", help: "Draw throughput against threads into this file as well."),
      Option(name: "html", value: "page", help: "Write charts and all figures into this file as well."),
      Option(name: "against", value: "base", help: "In the HTML, chart the changes since this file or baseline."),
    ],
    operands: [Operand(name: "file", help: "The file, as 'run' has written it, or the name of a baseline.")]
  ) { (arguments, context) throws(CommandFailure) in
    let formats = ["text", "markdown", "benchstat", "json"]
    let expected = "text, markdown, benchstat or json"
    let format = try arguments.value(of: "format", as: expected) { formats.contains($0) ? $0 : nil }
    let baseline = Baseline(context: context)
    let name = URL(fileURLWithPath: arguments.operands[0]).deletingPathExtension().lastPathComponent
    let rows = try baseline.rows(arguments.operands[0]).matching(arguments.filter())
    if rows.isEmpty { throw .usage("Nothing in this file matches '\(arguments.values["filter"] ?? "")'") }
    if arguments.values["against"] != nil, arguments.values["html"] == nil {
      throw .usage("'--against' needs '--html <page>': 'compare' shows the changes as a table")
    }
    let base = try arguments.values["against"].map { other throws(CommandFailure) in
      return (other, Comparison(base: try baseline.rows(other).within(rows), head: rows, threshold: 0.1))
    }
    try OutputFile.check(
      ["svg", "html"].compactMap { arguments.values[$0] }.map { OutputFile(path: context.path($0)) })
    let groups = ResultGroup.groups(of: rows)
    if let picture = arguments.values["svg"] {
      let charts = Chart.charts(of: groups, against: .threads)
      if charts.isEmpty { throw .usage("Nothing to draw: no benchmark was measured on several numbers of threads") }
      try OutputFile(path: context.path(picture)).write(ChartDrawing(charts: charts, run: name).text)
      context.terminal.printError("Drew \(charts.count.counted("chart")): \(context.path(picture))")
    }
    if let page = arguments.values["html"] {
      try OutputFile(path: context.path(page)).write(ChartPage.text(groups, run: name, against: base))
      context.terminal.printError("Wrote \(context.path(page))")
    }
    switch format {
    case "benchstat": for line in Export.benchstat(rows) { context.terminal.print(line) }
    case "json": context.terminal.write(Export.json(rows, of: name))
    default:
      for line in ResultTable.lines(groups, isFull: arguments.has("all"), isMarkdown: format == "markdown") {
        context.terminal.print(line)
      }
    }
  }
}
