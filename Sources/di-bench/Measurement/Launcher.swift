internal import Foundation

/// Carries out the launches of a plan.
enum Launcher: Sendable {
  /// Each in a process of an executable.
  case process(URL)

  /// All in this process; for tests, whose scenarios another process does not know.
  case here

  /// Carries out one launch.
  ///
  /// - Parameters:
  ///   - plan: What to measure.
  ///   - launch: Which launch it is, from 1.
  ///   - arguments: What the user asked for, from which another process makes the same plan.
  ///   - context: Where to find things, and what interrupts it.
  ///   - receive: Gets each row.
  /// - Returns: Whether it was interrupted; what was measured until then has been received.
  /// - Throws: A failure as soon as anything gives a wrong answer.
  func launch(
    _ plan: Plan, _ launch: Int, _ arguments: ParsedArguments, _ context: CommandContext,
    _ receive: (ResultRow) -> Void
  ) throws(CommandFailure) -> Bool {
    switch self {
    case .here:
      var environment = RunEnvironment.current()
      environment.isDebug = context.isDebug
      let interrupt = context.interrupt
      return try Runner(
        plan: plan, launch: launch, environment: environment,
        childSampler: ChildSampler(executables: context.executables, interrupt: interrupt), interrupt: interrupt
      ).run { $0.forEach(receive) }
    case .process(let executable):
      var malformed: String?
      let process = ChildProcess(executable: executable, name: "launch \(launch)")
      let isInterrupted = try process.run(
        [CommandSpecification.launch.name, "\(launch)"] + Self.options(arguments), interrupt: context.interrupt
      ) { line in
        do throws(CSV.Malformed) { receive(try ResultFile.row(line)) } catch { malformed = malformed ?? error.reason }
      }
      if let malformed {
        throw CommandFailure(.badData, "'\(executable.path)' measures in another way than this build: \(malformed)")
      }
      return isInterrupted
    }
  }

  /// The options that make a plan, as they were given.
  private static func options(_ arguments: ParsedArguments) -> [String] {
    PlanOptions.all.filter { $0.name != "allow-debug" }.flatMap { option in
      arguments.has(option.name)
        ? ["--\(option.name)"] : arguments.values[option.name].map { ["--\(option.name)=\($0)"] } ?? []
    } + ["--allow-debug"]
  }
}
