extension CommandSpecification {
  /// Compares two files.
  static let compare = CommandSpecification(
    name: "compare", abstract: "Compare two CSV files; ends with status 2 if the second one is slower.",
    options: ComparisonOptions.all,
    operands: [
      Operand(name: "base", help: "The file from before the change."),
      Operand(name: "head", help: "The file from after it."),
    ]
  ) { (arguments, context) throws(CommandFailure) in
    let options = try ComparisonOptions(arguments)
    var files: [[ResultRow]] = []
    for name in arguments.operands {
      let rows = try ResultFile.read(context.path(name))
      if rows.contains(where: { $0.status == .debug }), !arguments.has("allow-debug") {
        throw CommandFailure(.badData, "\(context.path(name)): rows of a debug build, whose times say nothing")
      }
      files.append(rows)
    }
    if let filter = try arguments.filter() {
      files = files.map { rows in
        let labels = CellKey.labels(of: rows.map { CellKey($0) })
        return rows.filter { filter.matches(labels[CellKey($0)] ?? $0.scenario) }
      }
      if files.allSatisfy(\.isEmpty) { throw .usage("Nothing in these files matches '\(filter.text)'") }
    }
    try options.report(Comparison(base: files[0], head: files[1], threshold: options.threshold), to: context)
  }
}

/// How two runs are compared, and how the comparison is shown.
struct ComparisonOptions {
  typealias Option = CommandSpecification.Option

  static let common = [
    Option(name: "threshold", value: "percent", help: "What is too little to matter. (default: 10)"),
    Option(name: "format", value: "format", help: "text, markdown or json. (default: text)"),
  ]

  static let all =
    common + [
      Option(name: "filter", value: "regex", help: "Only the scenarios whose name this regular expression matches."),
      Option(name: "allow-debug", help: "Compare also what a debug build measured."),
    ]

  /// As a part of the time.
  let threshold: Double

  let format: ComparisonReport.Format

  /// Understands the arguments.
  ///
  /// - Throws: A usage failure.
  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let percent = try arguments.value(of: "threshold", as: "a number of percent from 0 to 1000") { text in
      Double(text).flatMap { (0...1000).contains($0) ? $0 : nil }
    }
    threshold = (percent ?? 10) / 100
    format = try arguments.value(of: "format", as: "text, markdown or json") { .init(rawValue: $0) } ?? .text
  }

  /// Prints a comparison.
  ///
  /// - Throws: A failure if something has regressed, or if nothing could, so that the exit code says so.
  func report(_ comparison: Comparison, to context: CommandContext) throws(CommandFailure) {
    context.terminal.print(ComparisonReport.text(comparison, as: format, usesColor: context.terminal.usesColor))
    if comparison.cells.allSatisfy({ $0.verdict == .added || $0.verdict == .missing }) {
      throw CommandFailure(.badData, "Nothing was compared: no scenario was measured on as many threads in both runs")
    }
    if comparison.hasRegressed {
      let labels = comparison.cells.filter { $0.isGated && $0.verdict == .regressed }.map(\.label)
      throw CommandFailure(.regression, "Slower than before: \(labels.joined(separator: ", "))")
    }
  }
}
