internal import Foundation

/// Carries out the launches of a plan.
enum Launcher: Sendable {
  case process(URL, isNamed: Bool = false)
  /// All in this process; for tests, whose benchmarks another process does not know.
  case here

  var executable: URL? { if case .process(let executable, _) = self { executable } else { nil } }

  /// Carries out one launch, counted from 1.
  ///
  /// Another process makes the same plan from the arguments.
  func launch(
    _ plan: Plan, _ launch: Int, _ arguments: ParsedArguments, _ context: CommandContext
  ) throws(CommandFailure) -> [ResultRow] {
    switch self {
    case .here:
      let runner = Runner(
        plan: plan, launch: launch, environment: .current(), isDebug: context.isDebug,
        childSampler: ChildSampler(executable: context.executable))
      return try runner.run()
    case .process(let executable, let isNamed):
      var rows: [ResultRow] = []
      var malformed: String?
      let process = ChildProcess(executable: executable, name: "launch \(launch)", isNamed: isNamed)
      try process.run(
        [CommandSpecification.launch.name, "\(launch)"] + Self.options(arguments), interrupt: context.interrupt
      ) { line in
        do throws(CSV.Malformed) { rows.append(try ResultFile.row(line)) } catch {
          malformed = malformed ?? error.reason
        }
      }
      if let malformed {
        throw CommandFailure(.badData, "'\(executable.path)' measures differently than this build: \(malformed)")
      }
      // Slow benchmarks are not measured in every launch.
      if rows.isEmpty, plan.isMeasured(inLaunch: launch) {
        throw CommandFailure(
          .badData, "'\(executable.path)' measured nothing: it is another program, or a benchmark ends its process")
      }
      return rows
    }
  }

  private static func options(_ arguments: ParsedArguments) -> [String] {
    PlanOptions.all.filter { $0.name != "resume" }.flatMap { option in
      arguments.has(option.name)
        ? ["--\(option.name)"] : arguments.values[option.name].map { ["--\(option.name)=\($0)"] } ?? []
    }
  }
}
