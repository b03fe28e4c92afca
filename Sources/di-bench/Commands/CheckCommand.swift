extension CommandSpecification {
  /// Verifies a file.
  static let check = CommandSpecification(
    name: "check", abstract: "Verify that a CSV file is complete and follows the schema.",
    operands: [Operand(name: "file", help: "The file, as 'run' has written it.")]
  ) { (arguments, context) throws(CommandFailure) in
    let name = arguments.operands[0]
    let rows = try ResultFile.read(context.path(name))
    let cells = Set(rows.map { CellKey($0) }).count
    context.terminal.print(
      "\(name): \(rows.count.counted("sample")) of \(cells.counted("cell")), schema \(ResultRow.schema)")
  }
}
