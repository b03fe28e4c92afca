internal import Foundation

/// The command line as a whole: finds the command, runs it, and reports what goes wrong.
struct Tool {
  static let name = "di-bench"

  var context = CommandContext()

  private let commands: [CommandSpecification] = [
    .run, .report, .compare, .ab, .stress, .list, .check, .probe, .launch,
  ]

  init(context: CommandContext = CommandContext()) {
    self.context = context
  }

  /// Runs a command line, without the name of the executable.
  func run(_ arguments: [String]) -> ExitCode {
    var arguments = arguments[...]
    // `swift run di-bench -- list` passes the dashes on.
    if arguments.first == "--" { arguments.removeFirst() }
    var command = commands[0]
    switch arguments.first {
    case "--help", "-h":
      context.terminal.print(overview)
      return .success
    case "help":
      return showHelp(for: arguments.dropFirst().first)
    case let name? where !name.hasPrefix("-"):
      guard let named = commands.first(where: { $0.name == name }) else { return reportUnknown(name) }
      command = named
      arguments.removeFirst()
    default: break
    }
    return run(command, Array(arguments))
  }

  private func run(_ command: CommandSpecification, _ arguments: [String]) -> ExitCode {
    do {
      let parsed = try ArgumentParser.parse(arguments, for: command)
      if parsed.has("help") {
        context.terminal.print(HelpText.help(for: command))
      } else if parsed.has("version") {
        context.terminal.print(Build.version)
      } else {
        if !command.handlesInterrupts { context.interrupt.observe { _exit(ExitCode.interrupted.rawValue) } }
        try command.run(parsed, context)
      }
      return .success
    } catch {
      context.terminal.printError("Error: \(error.message)")
      if error.code == .usage {
        context.terminal.printError("Usage: \(HelpText.usage(of: command))")
        context.terminal.printError("  See '\(Self.name) \(command.name) --help' for more information.")
      }
      return error.code
    }
  }

  private var overview: String {
    HelpText.overview(of: commands, defaultCommand: commands[0].name)
  }

  private func showHelp(for name: String?) -> ExitCode {
    guard let name else {
      context.terminal.print(overview)
      return .success
    }
    guard let command = commands.first(where: { $0.name == name }) else { return reportUnknown(name) }
    context.terminal.print(HelpText.help(for: command))
    return .success
  }

  private func reportUnknown(_ name: String) -> ExitCode {
    let question = Suggestion.question(for: name, in: commands.filter { !$0.isHidden }.map(\.name) + ["help"])
    context.terminal.printError("Error: Unknown command '\(name)'\(question)")
    context.terminal.printError("Usage: \(Self.name) <command>")
    context.terminal.printError("  See '\(Self.name) --help' for more information.")
    return .usage
  }
}
