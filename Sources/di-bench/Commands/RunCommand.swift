internal import Foundation

extension CommandSpecification {
  /// Measures, prints a table and writes a file.
  static let run = CommandSpecification(
    name: "run", abstract: "Measure the container, print a table of ratios and write a CSV file.",
    options: [
      Option(name: "filter", value: "prefix", help: "Only the scenarios whose name begins with this."),
      Option(name: "threads", value: "list", help: "Numbers of threads, where there may be several. (default: 1,2,4)"),
      Option(name: "samples", value: "count", help: "Samples of each cell. (default: 50, quick: 20)"),
      Option(name: "seed", value: "number", help: "Decides the order of the samples. (default: 1)"),
      Option(name: "output", value: "file", help: "The file to write. (default: Results/di-bench-<utc>-<commit>.csv)"),
      Option(name: "quick", help: "A few short samples: shows that it works, and roughly how fast."),
      Option(name: "allow-debug", help: "Measure a debug build; its rows are marked."),
    ]
  ) { (arguments, context) throws(CommandFailure) in
    try RunCommand(arguments, context).run()
  }
}

/// The `run` command.
struct RunCommand {
  let plan: Plan
  private let output: String?
  private let context: CommandContext

  /// Understands the arguments.
  ///
  /// - Throws: A usage failure.
  init(_ arguments: ParsedArguments, _ context: CommandContext) throws(CommandFailure) {
    if context.isDebug, !arguments.has("allow-debug") {
      throw .usage(
        "This is a debug build, whose times say nothing: use 'swift run -c release \(Tool.name)', or --allow-debug")
    }
    let isQuick = arguments.has("quick")
    let count = { (text: String) in Int(text).flatMap { (1...10_000).contains($0) ? $0 : nil } }
    plan = Plan(
      scenarios: try Self.scenarios(arguments.values["filter"] ?? "", of: context.scenarios),
      threads: try arguments.value(of: "threads", as: "numbers from 1 to 256, such as 1,2,4", Self.threads)
        ?? [1, 2, 4],
      rounds: try arguments.value(of: "samples", as: "a number from 1 to 10000", count) ?? (isQuick ? 20 : 50),
      sampleNanoseconds: isQuick ? 1_500_000 : 8_000_000,
      seed: try arguments.value(of: "seed", as: "a whole number", { UInt64($0) }) ?? 1)
    guard plan.cellCount > 0 else { throw .usage("These scenarios are not measured on as many threads") }
    output = arguments.values["output"]
    self.context = context
  }

  private static func scenarios(_ prefix: String, of all: [Scenario]) throws(CommandFailure) -> [Scenario] {
    let scenarios = all.filter { prefix.isEmpty ? $0.isDefault : $0.name.hasPrefix(prefix) }
    if scenarios.isEmpty {
      let question = Suggestion.question(for: prefix, in: all.map(\.name))
      throw .usage("The value '\(prefix)' is invalid for '--filter': no scenario begins with it\(question)")
    }
    return scenarios
  }

  private static func threads(_ text: String) -> [Int]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }.filter { (1...256).contains($0) }
    return numbers.count == parts.count ? Array(Set(numbers)).sorted() : nil
  }

  /// Measures everything and reports it.
  ///
  /// - Throws: A failure; nothing is written then.
  func run() throws(CommandFailure) {
    let terminal = context.terminal
    let environment = RunEnvironment.current(in: context.folder)
    let start = Date()
    let stamp = start.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    let run = "\(stamp)-\(environment.commit)"
    let file = OutputFile(path: try outputPath(run))
    try file.check()

    terminal.print(
      "Measuring \(plan.cellCount) cells, \(plan.rounds) samples each, about \(Int(plan.expectedSeconds.rounded(.up))) s."
    )
    let measurements = try Runner(
      plan: plan, terminal: terminal, childSampler: ChildSampler(executables: context.executables)
    ).run()
    let rows = ResultRow.rows(of: measurements, run: run, in: environment, isDebug: context.isDebug)

    terminal.print()
    let summaries = CellSummary.summaries(of: measurements, plan: plan)
    for line in ResultTable.lines(summaries, cores: environment.cores) { terminal.print(line) }
    try file.write(ResultFile.text(of: rows))
    terminal.print("\n\(rows.count) samples in \(Int(Date().timeIntervalSince(start))) s: \(file.path)")
  }

  private func outputPath(_ run: String) throws(CommandFailure) -> String {
    if let output { return context.path(output) }
    let folder = context.path("Results")
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure(.cannotWrite, "Cannot create the folder '\(folder)'")
    }
    return "\(folder)/di-bench-\(run).csv"
  }
}
