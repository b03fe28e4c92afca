internal import Foundation

extension CommandSpecification {
  /// Compares two files.
  static let compare = CommandSpecification(
    name: "compare", abstract: "Compare two CSV files; ends with status 2 if the second one is slower.",
    options: ComparisonOptions.all + [
      Option(name: "filter", value: "regex", help: "Only the benchmarks whose name this regular expression matches."),
      Option(name: "allow-debug", help: "Compare also what a debug build measured."),
    ],
    operands: [
      Operand(name: "base", help: "The file from before the change."),
      Operand(name: "head", help: "The file from after it."),
    ]
  ) { (arguments, context) throws(CommandFailure) in
    let options = try ComparisonOptions(arguments)
    var files: [[ResultRow]] = []
    for name in arguments.operands { files.append(try ResultFile.read(context.path(name))) }
    if let filter = try arguments.filter() {
      files = files.map { rows in
        let labels = CellKey.labels(of: rows.map { CellKey($0) })
        return rows.filter { filter(labels[CellKey($0)] ?? $0.scenario) }
      }
      if files.allSatisfy(\.isEmpty) {
        throw .usage("Nothing in these files matches '\(arguments.values["filter"] ?? "")'")
      }
    }
    try options.report(files[0], files[1], to: context)
  }

  /// Measures two builds in turn and compares them.
  static let ab = CommandSpecification(
    name: "ab",
    abstract: "Measure two builds in turn and compare them; ends with status 2 if the second one is slower.",
    options: PlanOptions.all + ComparisonOptions.all + [
      Option(
        name: "output", value: "prefix",
        help: "Writes <prefix>-base.csv and <prefix>-head.csv. (default: Results/<name>-<utc>-<commit>)")
    ],
    operands: [
      Operand(name: "base", help: "The build from before the change: the executable, or the folder of its package."),
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
      let executable = try ComparisonOptions.executable(name, context)
      try series.record(
        .process(executable), at: executable.deletingLastPathComponent(), as: suffix,
        to: arguments.values["output"].map { $0 + suffix + ".csv" })
    }
    try series.run()
    try series.finish()
    quiet.terminal.print()
    try options.report(series.recordings[0].rows, series.recordings[1].rows, to: context)
  }
}

/// The options of a comparison of two runs.
struct ComparisonOptions {
  static let all = [
    CommandSpecification.Option(
      name: "threshold", value: "percent",
      help: "How much slower is too much, on one thread; on several, at least 50. (default: 10)"),
    CommandSpecification.Option(name: "format", value: "format", help: "text, markdown or json. (default: text)"),
    CommandSpecification.Option(name: "strict", help: "End with status 5 if a gated cell could not tell."),
    .all,
  ]

  /// As a part of the time.
  let threshold: Double
  let format: ComparisonReport.Format
  private let isStrict: Bool
  private let isFull: Bool
  private let allowsDebug: Bool

  /// Understands the arguments.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let percent = try arguments.value(of: "threshold", as: "a number of percent from 0 to 1000") { text in
      Double(text).flatMap { (0...1000).contains($0) ? $0 : nil }
    }
    threshold = (percent ?? 10) / 100
    format = try arguments.value(of: "format", as: "text, markdown or json") { .init(rawValue: $0) } ?? .text
    isStrict = arguments.has("strict")
    isFull = arguments.has("all")
    allowsDebug = arguments.has("allow-debug")
  }

  /// Compares rows and prints the comparison.
  func report(_ base: [ResultRow], _ head: [ResultRow], to context: CommandContext) throws(CommandFailure) {
    for (rows, name) in [(base, "base"), (head, "head")]
    where !allowsDebug && rows.contains(where: { $0.status == .debug }) {
      throw CommandFailure(.badData, "The \(name) has rows of a debug build, whose times say nothing")
    }
    let comparison = Comparison(base: base, head: head, threshold: threshold)
    context.terminal.print(
      ComparisonReport.text(comparison, as: format, isFull: isFull, usesColor: context.terminal.usesColor))
    if let failure = comparison.failure(isStrict: isStrict) { throw failure }
  }

  /// Finds the executable of a build that the user named.
  static func executable(_ name: String, _ context: CommandContext) throws(CommandFailure) -> URL {
    let path = context.path(name)
    for candidate in [path, "\(path)/\(context.name)", "\(path)/.build/release/\(context.name)"] {
      var isFolder: ObjCBool = false
      let exists = unsafe FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder)
      if exists, !isFolder.boolValue, FileManager.default.isExecutableFile(atPath: candidate) {
        return URL(fileURLWithPath: candidate).resolvingSymlinksInPath()
      }
    }
    throw CommandFailure(
      .missingFile,
      "No build at '\(name)': expected \(context.name), or a folder where 'swift build -c release' was run")
  }
}
