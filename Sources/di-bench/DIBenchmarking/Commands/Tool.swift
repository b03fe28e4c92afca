internal import Foundation

/// The command line as a whole: finds the command, runs it, and reports what goes wrong.
package struct Tool {
  let context: CommandContext
  private var commands: [CommandSpecification] {
    let usual: [CommandSpecification] = [.run, .report, .compare, .ab, .stress, .list, .probe, .launch]
    // A command of the program replaces one of the same name.
    return usual.map { command in context.commands.first { $0.name == command.name } ?? command }
  }

  package static func main(
    benchmarks: @autoclosure () -> [Benchmark], probes: [Probe] = [], commands: [CommandSpecification] = []
  ) -> Never {
    Interrupt.unblockSignals()
    // The terminal first, because listing the benchmarks may already print.
    let context = CommandContext(
      terminal: .ownOutput(), benchmarks: benchmarks(), probes: probes, commands: commands, interrupt: .bySignal)
    exit(Tool(context: context).run(Array(CommandLine.arguments.dropFirst())).rawValue)
  }

  func run(_ arguments: [String]) -> ExitCode {
    let code = dispatch(arguments)
    guard let failure = context.terminal.failure else { return code }
    context.terminal.printError("Error: \(failure.message)")
    return code == .success ? failure.code : code
  }

  private func dispatch(_ arguments: [String]) -> ExitCode {
    if let mistake = Benchmark.mistake(in: context.benchmarks) {
      context.terminal.printError("Error: \(mistake)")
      return .usage
    }
    var arguments = arguments[...]
    // `swift run di-bench -- list` passes the dashes on.
    if arguments.first == "--" { arguments.removeFirst() }
    if arguments.first == "help", let name = arguments.dropFirst().first { arguments = [name, "--help"] }
    switch arguments.first {
    case "--help", "-h", "help":
      context.terminal.print(HelpText.overview(of: commands, context.name))
      return .success
    case let name? where !name.hasPrefix("-") || commands.contains { !$0.isHidden && "--\($0.name)" == name }:
      if let named = commands.first(where: { $0.name == name }) { return run(named, Array(arguments.dropFirst())) }
      let question = Suggestion.question(for: name, in: commands.filter { !$0.isHidden }.map(\.name) + ["help"])
      context.terminal.printError("Error: Unknown command '\(name)'\(question)")
      context.terminal.printError("Usage: \(context.name) <command>")
      context.terminal.printError("  See '\(context.name) --help' for more information.")
      return .usage
    default: return run(commands[0], Array(arguments))
    }
  }

  private func run(_ command: CommandSpecification, _ arguments: [String]) -> ExitCode {
    do {
      let parsed = try ArgumentParser.parse(arguments, for: command)
      if parsed.has("help") {
        context.terminal.print(HelpText.help(for: command, of: context.name))
      } else if parsed.has("version") {
        context.terminal.print(Build.version)
      } else {
        if command.handlesInterrupts, context.interrupt === Interrupt.bySignal {
          Interrupt.handleSignals(endingAtOnce: command.isHidden)
        }
        try command.run(parsed, context)
      }
      return .success
    } catch {
      context.terminal.printError("Error: \(error.message)")
      if error.code == .usage {
        context.terminal.printError("Usage: \(HelpText.usage(of: command, of: context.name))")
        context.terminal.printError("  See '\(context.name) \(command.name) --help' for more information.")
      }
      return error.code
    }
  }
}
