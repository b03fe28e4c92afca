internal import Foundation

/// Measures one build, or several in turn, and writes what was measured.
struct Series {
  let plan: Plan
  let arguments: ParsedArguments
  let context: CommandContext
  /// One for each build.
  private(set) var recordings: [Recording] = []
  private let start = Date()
  private var isInterrupted = false

  init(plan: Plan, arguments: ParsedArguments, context: CommandContext) {
    self.plan = plan
    self.arguments = arguments
    self.context = context
  }

  /// Adds a build to measure, from a folder of its repository.
  ///
  /// The suffix tells its files from those of others; without an output, the time and the commit are in their name.
  mutating func record(
    _ launcher: Launcher, at folder: URL, as suffix: String, to output: String?
  ) throws(CommandFailure) {
    let commit = RunEnvironment.commit(in: folder)
    let stamp = start.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
    let run = "\(stamp)-\(commit)\(suffix)"
    var path = output.map { context.path($0) }
    if path == nil { path = try context.resultsFolder() + "/\(context.name)-\(run).csv" }
    let recording = Recording(
      run: run, commit: commit, launcher: launcher, output: OutputFile(path: path ?? ""), start: start)
    try recording.check()
    recordings.append(recording)
  }

  /// Carries out all launches, or those until somebody interrupts.
  ///
  /// Builds take turns, and in every other launch in the other order: what changes slowly hits all of them alike.
  mutating func run() throws(CommandFailure) {
    let seconds = Int((plan.expectedSeconds * Double(recordings.count)).rounded(.up))
    context.terminal.print(
      """
      Measuring \(plan.cellCount.counted("cell")) in \(plan.launches.counted("launch", "launches"))\
      \(recordings.count > 1 ? " of each build" : ""), \(plan.rounds.counted("round")) each, about \(seconds) s.
      """)
    defer { context.terminal.clearProgress() }
    for launch in 1...plan.launches {
      for index in launch.isMultiple(of: 2) ? recordings.indices.reversed() : Array(recordings.indices) {
        let passed = Date().timeIntervalSince(start)
        context.terminal.showProgress(
          "launch \(launch) of \(plan.launches), \(max(0, seconds - Int(passed))) s left")
        do throws(CommandFailure) {
          recordings[index].add(try recordings[index].launcher.launch(plan, launch, arguments, context))
        } catch  where error.code == .interrupted {
          isInterrupted = true
        }
        isInterrupted = isInterrupted || context.interrupt.isRequested
        if isInterrupted { return }
      }
    }
  }

  /// Writes the files and says where they are.
  func finish() throws(CommandFailure) {
    context.terminal.print()
    for recording in recordings where !recording.rows.isEmpty {
      try recording.write(plan, isInterrupted: isInterrupted)
      if let disturbance = recording.disturbance { context.terminal.print(disturbance) }
      context.terminal.print(
        "\(recording.samples.counted("sample")) in \(Int(Date().timeIntervalSince(start))) s: \(recording.output.path)")
    }
    if isInterrupted {
      let finished = recordings.map { "\($0.launches)" }.joined(separator: " and ")
      let loss = recordings.allSatisfy(\.rows.isEmpty) ? ": there is no sample yet, and no file" : ""
      throw CommandFailure(.interrupted, "Interrupted after \(finished) of \(plan.launches) launches\(loss)")
    }
  }
}
