internal import Foundation

extension CommandSpecification {
  /// Carries out one launch, for the process that started this one.
  static let launch = CommandSpecification(
    name: "launch", abstract: "Measure everything once and print it as CSV without a header; 'run' starts this.",
    options: PlanOptions.all, operands: [Operand(name: "number", help: "Which launch it is, from 1.")], isHidden: true,
    handlesInterrupts: true
  ) { (arguments, context) throws(CommandFailure) in
    guard let number = Int(arguments.operands[0]), number > 0 else { throw .usage("There is no such launch") }
    let plan = try PlanOptions.plan(arguments, context)
    let isInterrupted = try Launcher.here.launch(plan, number, arguments, context) { row in
      context.terminal.write(ResultFile.line(of: row))
    }
    if isInterrupted { throw CommandFailure(.interrupted, "Interrupted") }
  }
}
