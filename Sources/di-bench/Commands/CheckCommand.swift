extension CommandSpecification {
  /// Verifies a file.
  static let check = CommandSpecification(
    name: "check", abstract: "Verify that a CSV file is complete and follows the schema.",
    operands: [Operand(name: "file", help: "The file, as 'run' has written it.")]
  ) { (arguments, context) throws(CommandFailure) in
    let name = arguments.operands[0]
    let rows = try ResultFile.read(context.path(name))
    let cells = Set(rows.map { "\($0.scenario) \($0.implementation) \($0.threads)" }).count
    context.terminal.print("\(name): \(rows.count) samples of \(cells) cells, schema \(ResultRow.schema)")
  }
}
