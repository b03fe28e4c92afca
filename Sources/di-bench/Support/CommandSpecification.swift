/// What the command line of one command looks like, and what it does.
struct CommandSpecification: Sendable {
  /// An option with a value, or a flag without one.
  struct Option: Sendable {
    let name: String

    /// What the value is called in the help; nil for a flag.
    var value: String?

    let help: String

    /// How errors and the help spell it: `--filter <prefix>`.
    var spelling: String {
      value.map { "--\(name) <\($0)>" } ?? "--\(name)"
    }
  }

  /// An argument that is known by its place.
  struct Operand: Sendable {
    let name: String
    let help: String

    /// Whether the command can do without it.
    var isOptional = false

    /// How errors and the help spell it.
    var spelling: String { isOptional ? "[<\(name)>]" : "<\(name)>" }
  }

  let name: String

  /// What it does, in one line.
  let abstract: String

  var options: [Option] = []
  var operands: [Operand] = []

  /// Whether the overview leaves it out, because only the tool itself needs it.
  var isHidden = false

  /// Whether it stops by itself when somebody interrupts, or soon anyway; the others end at once.
  var handlesInterrupts = false

  /// What it does, in code.
  let run: @Sendable (ParsedArguments, CommandContext) throws(CommandFailure) -> Void

  /// What every command understands.
  static let commonOptions = [
    Option(name: "version", help: "Show the version."),
    Option(name: "help", help: "Show help information."),
  ]

  var allOptions: [Option] { options + Self.commonOptions }
}
