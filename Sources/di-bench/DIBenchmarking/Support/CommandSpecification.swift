/// A command: its name, its options and operands, and its action.
package struct CommandSpecification: Sendable {
  /// An option with a value, or a flag without one.
  package struct Option: Sendable {
    let name: String
    /// The name of the value in the help; nil for a flag.
    var value: String?
    let help: String

    package init(name: String, value: String? = nil, help: String) {
      self.name = name
      self.value = value
      self.help = help
    }

    /// The spelling in errors and in the help: `--filter <regex>`.
    var spelling: String { value.map { "--\(name) <\($0)>" } ?? "--\(name)" }
    /// Options that several commands have.
    static let filter = Option(
      name: "filter", value: "regex", help: "Use only the benchmarks whose name this regular expression matches.")
    static let all = Option(name: "all", help: "Show all columns of the table, not only the main ones.")
  }

  /// An argument that is identified by its position.
  package struct Operand: Sendable {
    let name, help: String
    var isOptional = false
    /// A Boolean value that indicates whether more of the same may follow.
    var isRepeated = false
    var spelling: String { isOptional ? "[<\(name)>\(isRepeated ? " …" : "")]" : "<\(name)>" }
  }

  package typealias Body = @Sendable (ParsedArguments, CommandContext) throws(CommandFailure) -> Void
  let name, abstract: String
  let options: [Option]
  let operands: [Operand]
  /// A Boolean value that indicates whether the overview leaves it out, because only the tool itself needs it.
  let isHidden: Bool
  /// A Boolean value that indicates whether it stops by itself when interrupted; signals end the others.
  let handlesInterrupts: Bool
  let run: Body

  package init(
    name: String, abstract: String, options: [Option] = [], operands: [Operand] = [], isHidden: Bool = false,
    handlesInterrupts: Bool = false, run: @escaping Body
  ) {
    (self.name, self.abstract) = (name, abstract)
    (self.options, self.operands) = (options, operands)
    (self.isHidden, self.handlesInterrupts, self.run) = (isHidden, handlesInterrupts, run)
  }

  static let commonOptions = [
    Option(name: "version", help: "Show the version."),
    Option(name: "help", help: "Show help information."),
  ]

  var allOptions: [Option] { options + Self.commonOptions }
}
