extension CommandSpecification {
  /// Runs one hot path.
  static let probe = CommandSpecification(
    name: "probe", abstract: "Run one hot path a number of times and nothing else, for tools such as valgrind.",
    options: [
      Option(name: "count", value: "number", help: "How many times. (default: 1000)"),
      Option(name: "list", help: "Show the probes: name, reference and what it is, with tabs between."),
    ],
    operands: [Operand(name: "name", help: "The probe; needed unless --list is given.", isOptional: true)]
  ) { (arguments, context) throws(CommandFailure) in
    if arguments.has("list") {
      for probe in context.probes {
        context.terminal.print("\(probe.name)\t\(probe.reference ?? "-")\t\(probe.summary)")
      }
      return
    }
    guard let name = arguments.operands.first else { throw .usage("Missing expected argument '<name>', or --list") }
    guard let probe = context.probes.first(where: { $0.name == name }) else {
      throw .usage("Unknown probe '\(name)'\(Suggestion.question(for: name, in: context.probes.map(\.name)))")
    }
    let number = { (text: String) in Int(text).flatMap { $0 > 0 ? $0 : nil } }
    let count = try arguments.value(of: "count", as: "a number above 0", number) ?? 1000
    if context.isDebug {
      throw .usage("This is a debug build, whose costs say nothing: use 'swift run -c release \(Tool.name)'")
    }
    let wrong = probe.run(count)
    if wrong > 0 {
      throw CommandFailure(
        .invariantViolated, "Invariant violated: probe \(name): \(wrong) of \(count) results are wrong")
    }
  }
}
