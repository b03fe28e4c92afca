extension CommandSpecification {
  /// Takes one sample of one cell, for the process that started this one.
  static let sample = CommandSpecification(
    name: "sample", abstract: "Take one sample and print it; 'run' starts this for what needs a process of its own.",
    options: [Option(name: "nanoseconds", value: "count", help: "How long it should take. (default: 8000000)")],
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
    let cell = Cell(scenario: scenario, implementation: implementation, threads: 1)
    do throws(Violation) {
      let sample = try SampleCommand.sample(implementation.makeWorkload(), nanoseconds: nanoseconds ?? 8_000_000)
      context.terminal.print(sample.line)
    } catch {
      throw cell.failure(error)
    }
  }
}

/// The `sample` command.
enum SampleCommand {
  /// Finds out how many operations to do, does them, and checks the result.
  static func sample(_ workload: Workload, nanoseconds: Int) throws(Violation) -> Sampler.Sample {
    var operations = workload.onlyOperations
    if operations == nil {
      operations = try Calibration.operations(of: workload, threads: 1, nanoseconds: nanoseconds)
    }
    let sample = try Sampler.measure(workload, threads: 1, operations: operations ?? 0)
    try workload.finish()
    return sample
  }
}
