internal import Foundation

extension CommandSpecification {
  /// Measures two builds in turn and compares them.
  static let ab = CommandSpecification(
    name: "ab",
    abstract: "Measure two builds in turn and compare them; ends with status 2 if the second one is slower.",
    options: PlanOptions.all + ComparisonOptions.common + [
      Option(
        name: "output", value: "prefix",
        help: "Writes <prefix>-base.csv and <prefix>-head.csv. (default: Results/di-bench-<utc>-<commit>)")
    ],
    operands: [
      Operand(name: "base", help: "The build from before the change: di-bench itself, or the folder of its package."),
      Operand(name: "head", help: "The build from after it."),
    ], handlesInterrupts: true
  ) { (arguments, context) throws(CommandFailure) in
    let options = try ComparisonOptions(arguments)
    let plan = try PlanOptions.plan(arguments, context)
    // With another format, standard output belongs to the comparison.
    var quiet = context
    if options.format != .text { quiet.terminal = context.terminal.withoutOutput }
    var series = Series(plan: plan, arguments: arguments, context: quiet)
    for (name, suffix) in zip(arguments.operands, ["-base", "-head"]) {
      let executable = try ABCommand.executable(context.path(name), name)
      try series.record(
        .process(executable), at: executable.deletingLastPathComponent(), as: suffix,
        to: arguments.values["output"].map { $0 + suffix + ".csv" })
    }
    try series.run()
    try series.finish()
    quiet.terminal.print()
    let rows = series.recordings.map(\.rows)
    try options.report(Comparison(base: rows[0], head: rows[1], threshold: options.threshold), to: context)
  }
}

/// The `ab` command.
enum ABCommand {
  /// Finds the executable of a build that the user named.
  static func executable(_ path: String, _ name: String) throws(CommandFailure) -> URL {
    for candidate in [path, "\(path)/\(Tool.name)", "\(path)/.build/release/\(Tool.name)"] {
      var isFolder: ObjCBool = false
      let exists = unsafe FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder)
      if exists, !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: candidate) {
        return URL(fileURLWithPath: candidate).resolvingSymlinksInPath()
      }
    }
    throw CommandFailure(
      .missingFile, "No build at '\(name)': expected \(Tool.name), or a folder where 'swift build -c release' was run")
  }
}
