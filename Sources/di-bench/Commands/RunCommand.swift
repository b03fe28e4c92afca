extension CommandSpecification {
  /// Measures, prints a table and writes files.
  static let run = CommandSpecification(
    name: "run", abstract: "Measure the container, print a table of ratios and write a CSV file.",
    options: PlanOptions.all + [
      Option(name: "output", value: "file", help: "The file to write. (default: Results/di-bench-<utc>-<commit>.csv)")
    ], handlesInterrupts: true
  ) { (arguments, context) throws(CommandFailure) in
    let plan = try PlanOptions.plan(arguments, context)
    var series = Series(plan: plan, arguments: arguments, context: context)
    try series.record(context.launcher, at: context.folder, as: "", to: arguments.values["output"])
    try series.run()
    let rows = series.recordings[0].rows
    if !rows.isEmpty {
      context.terminal.print()
      for line in ResultTable.lines(ResultGroup.groups(of: rows)) { context.terminal.print(line) }
    }
    try series.finish()
  }
}
