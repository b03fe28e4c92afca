/// The options that say what is measured and how thoroughly, for all commands that measure.
enum PlanOptions {
  private typealias Option = CommandSpecification.Option
  static let all: [CommandSpecification.Option] = [
    .filter,
    Option(
      name: "threads", value: "list",
      help: "Numbers of threads, where there may be several. (default: 1, 2, 4 … twice the cores, and the cores)"),
    Option(name: "launches", value: "count", help: "How many processes measure everything. (default: 8, quick: 2)"),
    Option(
      name: "rounds", value: "count",
      help: "The number of rounds in each launch; most cells have a sample of each round. (default: 8, quick: 3)"),
    Option(name: "seed", value: "number", help: "Decides the order of the samples. (default: 1)"),
    Option(name: "quick", help: "Take a few short samples, to see that it works, and roughly how fast it is."),
    Option(name: "allow-debug", help: "Measure a debug build; its rows are marked."),
    Option(name: "dry-run", help: "Show what would be measured, and for how long."),
    Option(
      name: "resume", value: "file", help: "Resume the run in this file, or with this prefix; repeat its options."),
  ]

  static func defaults(_ benchmarks: [Benchmark], cores: Int = CoreAffinity.count) -> Plan {
    Plan(
      benchmarks: benchmarks, threads: Plan.threads(cores: cores),
      asksForThreads: false, launches: 8, rounds: 8, sampleNanoseconds: 1_300_000, seed: 1)
  }

  static func plan(_ arguments: ParsedArguments, _ context: CommandContext) throws(CommandFailure) -> Plan {
    if context.isDebug, !arguments.has("allow-debug"), !arguments.has("dry-run") {
      throw .usage(
        "This is a debug build, whose times mean nothing: use 'swift run -c release \(context.name)', or --allow-debug")
    }
    let isQuick = arguments.has("quick")
    let usual = defaults([])
    let plan = Plan(
      benchmarks: try benchmarks(arguments, of: context.benchmarks),
      threads: try arguments.value(of: "threads", as: "numbers from 1 to 256, such as 1,2,4", threads) ?? usual.threads,
      asksForThreads: arguments.values["threads"] != nil,
      launches: try arguments.count("launches", in: 1...100) ?? (isQuick ? 2 : usual.launches),
      rounds: try arguments.count("rounds", in: 1...10_000) ?? (isQuick ? 3 : usual.rounds),
      sampleNanoseconds: isQuick ? 1_000_000 : usual.sampleNanoseconds,
      seed: try arguments.value(of: "seed", as: "a whole number", { UInt64($0) }) ?? usual.seed)
    guard plan.cellCount > 0 else { throw .usage("There is nothing to measure: declare a benchmark, or a root") }
    return plan
  }

  fileprivate static func benchmarks(_ arguments: ParsedArguments, of all: [Benchmark]) throws(CommandFailure)
    -> [Benchmark]
  {
    guard let filter = try arguments.filter() else { return all }
    let benchmarks = all.filter { filter($0.label) }
    if benchmarks.isEmpty {
      let text = arguments.values["filter"] ?? ""
      let question = Suggestion.question(for: text, in: all.map(\.name))
      throw .usage("The value '\(text)' is invalid for '--filter': no benchmark matches it\(question)")
    }
    return benchmarks
  }

  private static func threads(_ text: String) -> [Int]? {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Int($0) }.filter { (1...256).contains($0) }
    return numbers.count == parts.count ? Array(Set(numbers)).sorted() : nil
  }
}

extension CommandSpecification {
  static let list = CommandSpecification(
    name: "list",
    abstract: "Show the benchmarks: what each is and is compared with, on which threads, and how it is gated.",
    options: [.filter]
  ) { (arguments, context) throws(CommandFailure) in
    let benchmarks = try PlanOptions.benchmarks(arguments, of: context.benchmarks)
    for line in PlanOptions.defaults(benchmarks).lines { context.terminal.print(line) }
  }
}
