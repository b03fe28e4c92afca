extension CommandSpecification {
  static let probe = CommandSpecification(
    name: "probe", abstract: "Run a hot path a number of times and nothing else, or take one sample of a benchmark.",
    options: [
      Option(name: "count", value: "list", help: "Numbers of times to run a hot path, in turn. (default: 1000)"),
      Option(name: "list", help: "Show the hot paths: name, reference and description, separated by tabs."),
      Option(name: "nanoseconds", value: "count", help: "How long a sample should take. (default: 8000000)"),
      Option(name: "threads", value: "count", help: "On how many threads a sample is taken. (default: 1)"),
      Option(name: "allocations", help: "Instead, count the objects that one operation allocates."),
      Option(name: "allow-debug", help: "Run a hot path in a debug build, too."),
    ],
    operands: [
      Operand(name: "name", help: "The hot path or the benchmark; needed unless --list is given.", isOptional: true),
      Operand(
        name: "implementation",
        help: "Its implementation, of which operations, nanoseconds, registrations and bytes of growth are printed.",
        isOptional: true),
    ]
  ) { (arguments, context) throws(CommandFailure) in
    if arguments.has("list") {
      for probe in context.probes {
        context.terminal.print("\(probe.name)\t\(probe.reference ?? "-")\t\(probe.summary)")
      }
      return
    }
    guard let name = arguments.operands.first else { throw .usage("Missing expected argument '<name>', or --list") }
    guard arguments.operands.count == 1, !arguments.has("allocations"),
      let probe = context.probes.first(where: { $0.name == name })
    else { return try Self.printSample(name, arguments.operands.last, arguments, context) }
    try Self.reject(["nanoseconds", "threads"], in: arguments, for: "a hot path")
    let counts = try arguments.value(of: "count", as: "numbers above 0, separated by commas") { text in
      let counts = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      return counts.allSatisfy { $0 > 0 } ? counts : nil
    }
    if context.isDebug, !arguments.has("allow-debug") {
      throw .usage(
        "This is a debug build, whose costs mean nothing: use 'swift run -c release \(context.name)', or --allow-debug")
    }
    for count in counts ?? [1000] {
      let wrong = probe.run(count)
      if wrong == 0 { continue }
      throw CommandFailure(
        .invariantViolated, "Invariant violated: probe \(name): \(wrong) of \(count) results are wrong")
    }
  }

  private static func reject(
    _ options: [String], in arguments: ParsedArguments, for subject: String
  ) throws(CommandFailure) {
    let given = options.first { arguments.values[$0] != nil }
    if let given { throw .usage("'--\(given)' is not an option for \(subject)") }
  }

  /// Takes one sample of one candidate, for the process that started this one, and prints it.
  private static func printSample(
    _ label: String, _ name: String?, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandFailure) {
    guard let benchmark = context.benchmarks.first(where: { $0.label == label }) else {
      let names = (context.benchmarks.map(\.label) + context.probes.map(\.name)).filter { $0 != label }
      throw .usage("There is no benchmark '\(label)'\(Suggestion.question(for: label, in: names))")
    }
    guard let implementation = benchmark.implementations.first(where: { $0.name == name }) else {
      let names = benchmark.implementations.map(\.name).joined(separator: ", ")
      throw .usage("Name an implementation of the benchmark '\(label)': \(names)")
    }
    try reject(["count"], in: arguments, for: "a benchmark")
    let nanoseconds = try arguments.count("nanoseconds", in: 1...1_000_000_000_000) ?? 8_000_000
    let threads = try arguments.count("threads", in: 1...256) ?? 1
    let candidate = Candidate(benchmark: benchmark, implementation: implementation, threads: threads)
    try candidate.checked { () throws(Violation) in
      if arguments.has("allocations") {
        let count = try AllocationCounter.perOperation(of: implementation.makeWorkload())
        context.terminal.print(count.map { $0.fixed(4) } ?? "-")
      } else {
        let workload = Candidate.makeWorkload(benchmark, implementation)
        context.terminal.print(try Sampler.Sample(of: workload, threads: threads, nanoseconds: nanoseconds).line)
      }
    }
  }
}
