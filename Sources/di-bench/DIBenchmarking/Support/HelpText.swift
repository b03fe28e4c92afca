/// Writes the help of the tool and of its commands.
enum HelpText {
  static func usage(of command: CommandSpecification, of tool: String) -> String {
    let options = command.options.map { " [\($0.spelling)]" }.joined()
    return "\(tool) \(command.name)\(options)" + command.operands.map { " \($0.spelling)" }.joined()
  }

  static func help(for command: CommandSpecification, of tool: String) -> String {
    var text = "OVERVIEW: \(command.abstract)\n\nUSAGE: \(usage(of: command, of: tool))\n"
    if !command.operands.isEmpty { text += "\nARGUMENTS:\n" + table(command.operands.map { ($0.spelling, $0.help) }) }
    return text + "\nOPTIONS:\n" + table(optionRows(command.allOptions))
  }

  /// Returns the list of the commands; the first one is the default.
  static func overview(of commands: [CommandSpecification], _ tool: String) -> String {
    let rows = commands.filter { !$0.isHidden }.map { command in
      (command.name + (command.name == commands[0].name ? " (default)" : ""), command.abstract)
    }
    return """
      OVERVIEW: Measures what a dependency injection container costs, and tells whether that has changed.

      USAGE: \(tool) <command>

      OPTIONS:
      \(table(optionRows(CommandSpecification.commonOptions)))
      COMMANDS:
      \(table(rows))
      EXIT STATUS:
      \(table(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }))
        See '\(tool) help <command>' for detailed help.
      """
  }

  private static func optionRows(_ options: [CommandSpecification.Option]) -> [(String, String)] {
    options.map { option in ((option.name == "help" ? "-h, " : "") + option.spelling, option.help) }
  }

  private static func table(_ rows: [(String, String)]) -> String {
    let width = (rows.map { $0.0.count }.max() ?? 0) + 2
    return rows.map { left, right in
      "  " + left + String(repeating: " ", count: width - left.count) + right + "\n"
    }.joined()
  }
}
