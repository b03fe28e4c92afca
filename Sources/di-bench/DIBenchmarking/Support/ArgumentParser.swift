/// Parses command lines according to a command's options.
///
/// It accepts what users of swift-argument-parser are used to: `--name value` and `--name=value` in any order, `--` in
/// front of operands that begin with a dash, `-h` for `--help`; if an option is given twice, the last value counts.
enum ArgumentParser {
  static func parse(
    _ arguments: [String], for command: CommandSpecification
  ) throws(CommandFailure) -> ParsedArguments {
    var parsed = ParsedArguments()
    var rest = arguments[...]
    while let next = rest.popFirst() {
      let argument = next == "-h" ? "--help" : next
      if argument == "--" {
        parsed.operands += rest
        rest = []
      } else if argument.hasPrefix("--") {
        try parseOption(argument, &rest, &parsed, command)
      } else if argument.hasPrefix("-"), argument != "-" {
        throw .usage("Unknown option '\(argument)'")
      } else {
        parsed.operands.append(argument)
      }
    }
    let asksForHelp = parsed.has("help") || parsed.has("version")
    if parsed.operands.count > command.operands.count, command.operands.last?.isRepeated != true {
      let extra = parsed.operands[command.operands.count]
      let takesFilter = command.operands.isEmpty && command.options.contains { $0.name == "filter" }
      let hint = extra == command.name ? ": the command comes first" : ". Did you mean '--filter \(extra)'?"
      throw .usage("Unexpected argument '\(extra)'" + (takesFilter ? hint : ""))
    }
    let required = command.operands.prefix { !$0.isOptional }.count
    if parsed.operands.count < required, !asksForHelp {
      throw .usage("Missing expected argument '<\(command.operands[parsed.operands.count].name)>'")
    }
    return parsed
  }

  private static func parseOption(
    _ argument: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedArguments,
    _ command: CommandSpecification
  ) throws(CommandFailure) {
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.allOptions.first(where: { $0.name == name }) else {
      let question = Suggestion.question(for: "--" + name, in: command.allOptions.map { "--" + $0.name })
      throw .usage("Unknown option '--\(name)'\(question)")
    }
    if option.value == nil {
      if parts.count > 1 { throw .usage("The flag '\(option.spelling)' takes no value, got '\(parts[1])'") }
      parsed.flags.insert(name)
    } else if parts.count > 1 {
      parsed.values[name] = String(parts[1])
    } else if let next = rest.first, !next.hasPrefix("-") || next == "-" || Double(next) != nil {
      parsed.values[name] = rest.removeFirst()
    } else {
      throw .usage("Missing value for '\(option.spelling)'")
    }
  }
}
