extension CommandSpecification {
  /// Takes one sample of one candidate, for the process that started this one.
  static let sample = CommandSpecification(
    name: "sample", abstract: "Take one sample and print it; 'run' starts this for what needs a process of its own.",
    options: [
      Option(name: "nanoseconds", value: "count", help: "How long it should take. (default: 8000000)"),
      Option(name: "threads", value: "count", help: "On how many threads. (default: 1)"),
      Option(name: "allocations", help: "Count the objects that one operation allocates instead."),
    ],
    operands: [
      Operand(name: "scenario", help: "The scenario, with its size behind a slash if it has several."),
      Operand(name: "implementation", help: "The implementation."),
    ], isHidden: true
  ) { (arguments, context) throws(CommandFailure) in
    let label = arguments.operands[0]
    let name = arguments.operands[1]
    guard let scenario = context.scenarios.first(where: { $0.label == label }) else {
      throw .usage("There is no scenario '\(label)'")
    }
    guard let implementation = scenario.implementations.first(where: { $0.name == name }) else {
      throw .usage("The scenario '\(label)' has no implementation '\(name)'")
    }
    let nanoseconds =
      try arguments.value(of: "nanoseconds", as: "a number above 0") { Int($0).flatMap { $0 > 0 ? $0 : nil } }
    let threads = try arguments.count("threads", in: 1...256) ?? 1
    let candidate = Candidate(scenario: scenario, implementation: implementation, threads: threads)
    do throws(Violation) {
      if arguments.has("allocations") {
        let count = try AllocationCounter.perOperation(of: implementation.makeWorkload())
        context.terminal.print(count.map { $0.fixed(4) } ?? "-")
        return
      }
      let sample = try SampleCommand.sample(
        implementation.makeWorkload(), threads: threads, nanoseconds: nanoseconds ?? 8_000_000)
      context.terminal.print(sample.line)
    } catch {
      throw candidate.failure(error)
    }
  }
}

/// The `sample` command.
enum SampleCommand {
  /// Finds out how many operations to do, does them, and checks the result.
  static func sample(_ workload: Workload, threads: Int = 1, nanoseconds: Int) throws(Violation) -> Sampler.Sample {
    var operations = workload.onlyOperations
    if operations == nil {
      operations = try Calibration(of: workload, threads: threads, nanoseconds: nanoseconds).operations
    }
    let sample = try Sampler.measure(workload, threads: threads, operations: operations ?? 0)
    try workload.finish()
    return sample
  }
}
