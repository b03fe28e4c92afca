internal import Foundation

extension CommandSpecification {
  static let compare = CommandSpecification(
    name: "compare", abstract: "Compare CSV files or baselines; ends with status 2 if one is slower than the first.",
    options: ComparisonOptions.all + [
      .filter,
      Option(name: "allow-debug", help: "Also compare what a debug build measured."),
    ],
    operands: [
      Operand(name: "base", help: "The file from before the change, or the name of a baseline."),
      Operand(
        name: "head", help: "The files from after it. (default: the last run on this machine)", isOptional: true,
        isRepeated: true),
    ]
  ) { (arguments, context) throws(CommandFailure) in
    let options = try ComparisonOptions(arguments)
    let baseline = Baseline(context: context)
    let filter = try arguments.filter()
    var files = try arguments.operands.map { name throws(CommandFailure) in
      (name: URL(fileURLWithPath: name).lastPathComponent, rows: try baseline.rows(name).matching(filter))
    }
    if files.count == 1 {
      // The run that was saved is often still the last one, and has not become slower than itself.
      guard let last = baseline.last, files[0].rows.isEmpty || last.rows.matching(filter) != files[0].rows else {
        throw CommandFailure(
          .missingFile,
          "Nothing to compare '\(files[0].name)' with: no later complete run of an optimized build of this program and machine is in Results"
        )
      }
      context.terminal.printError("Comparing the last run, \(last.name).")
      files.append((last.name, last.rows.matching(filter)))
    }
    if files.allSatisfy(\.rows.isEmpty) {
      throw .usage("Nothing in these files matches '\(arguments.values["filter"] ?? "")'")
    }
    try options.report(files[0].rows, Array(files.dropFirst()), to: context)
  }

  static let ab = CommandSpecification(
    name: "ab",
    abstract: "Measure two builds in turn and compare them; ends with status 2 if the second one is slower.",
    options: PlanOptions.all + ComparisonOptions.all + [
      Option(
        name: "output", value: "prefix",
        help: "Write <prefix>-base.csv and <prefix>-head.csv. (default: Results/<name>-<utc>-<commit>)")
    ],
    operands: [
      Operand(name: "base", help: "The build from before the change: the executable, or the folder of its package."),
      Operand(name: "head", help: "The build from after the change."),
    ], handlesInterrupts: true
  ) { (arguments, context) throws(CommandFailure) in
    let options = try ComparisonOptions(arguments)
    let plan = try PlanOptions.plan(arguments, context)
    var series = Series(plan: plan, arguments: arguments, context: options.messageContext(context))
    for (name, suffix) in zip(arguments.operands, ["-base", "-head"]) {
      let executable = try ComparisonOptions.executable(name, context)
      try series.record(.process(executable, isNamed: true), at: executable.deletingLastPathComponent(), as: suffix)
    }
    guard try series.run() else { return }
    try series.finish()
    series.context.terminal.print()
    try options.report(series.recordings[0].rows, [("head", series.recordings[1].rows)], to: context)
  }
}

/// The options of a comparison of two runs.
struct ComparisonOptions {
  static let all = [
    CommandSpecification.Option(
      name: "threshold", value: "percent",
      help: "The slowdown that is too much; on several threads and for what varies more, at least 50. (default: 10)"),
    CommandSpecification.Option(name: "format", value: "format", help: "text or markdown. (default: text)"),
    CommandSpecification.Option(name: "strict", help: "End with status 5 if a gated cell is undecided."),
    .all,
  ]

  let threshold: Double
  let format: ComparisonReport.Format
  private let isStrict, isFull, allowsDebug: Bool

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let percent = try arguments.value(of: "threshold", as: "a number of percent from 0 to 1000") { text in
      Double(text).flatMap { (0...1000).contains($0) ? $0 : nil }
    }
    threshold = (percent ?? 10) / 100
    format = try arguments.value(of: "format", as: "text or markdown") { .init(rawValue: $0) } ?? .text
    isStrict = arguments.has("strict")
    isFull = arguments.has("all")
    allowsDebug = arguments.has("allow-debug")
  }

  /// The context for everything but the report, which has standard output to itself unless its format is text.
  func messageContext(_ context: CommandContext) -> CommandContext {
    var messages = context
    if format != .text { messages.terminal = context.terminal.withoutOutput }
    return messages
  }

  /// Refuses rows of a debug build, unless that is allowed.
  func check(_ rows: [ResultRow], of name: String) throws(CommandFailure) {
    if allowsDebug || rows.allSatisfy({ $0.status != .debug }) { return }
    throw CommandFailure(.badData, "The \(name) has rows of a debug build, whose times mean nothing")
  }

  /// Compares rows with those of a base and prints the comparison; of several, the worst failure counts.
  func report(
    _ base: [ResultRow], _ heads: [(name: String, rows: [ResultRow])], to context: CommandContext
  ) throws(CommandFailure) {
    for (name, rows) in [("base", base)] + heads.map({ (heads.count > 1 ? $0.name : "head", $0.rows) }) {
      try check(rows, of: name)
    }
    let comparisons = heads.map { Comparison(base: base, head: $0.rows, threshold: threshold) }
    if heads.count > 1 {
      context.terminal.print(
        ComparisonReport.sideBySide(comparisons, heads.map(\.name), isMarkdown: format == .markdown))
    }
    for (head, comparison) in zip(heads, comparisons) where heads.count == 1 || isFull {
      if heads.count > 1 { context.terminal.print("\n\(head.name)\n") }
      context.terminal.print(
        ComparisonReport.text(comparison, as: format, isFull: isFull, usesColor: context.terminal.usesColor))
    }
    let failures = zip(heads, comparisons).compactMap { head, comparison in
      comparison.failure(isStrict: isStrict).map { ($0.code, (heads.count > 1 ? head.name + ": " : "") + $0.message) }
    }
    for code in [ExitCode.regression, .incomparable, .badData, .unproved]
    where failures.contains(where: { $0.0 == code }) {
      throw CommandFailure(code, failures.filter { $0.0 == code }.map(\.1).joined(separator: "; "))
    }
  }

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
