internal import Foundation

/// Measures one build, or several in turn, and writes the results.
struct Series {
  let plan: Plan
  let arguments: ParsedArguments
  let context: CommandContext
  var start = Date()
  private(set) var recordings: [Recording] = []
  private(set) var isInterrupted = false

  /// Adds a build to measure, from a folder of its repository.
  ///
  /// The suffix distinguishes its files from others; without an output, their names have the time and the first commit.
  mutating func record(_ launcher: Launcher, at folder: URL, as suffix: String) throws(CommandFailure) {
    let (isDry, commit) = (arguments.has("dry-run"), RunEnvironment.commit(in: folder))
    let (resume, output) = (arguments.values["resume"], arguments.values["output"])
    if let resume, let output, context.path(resume) != context.path(output) {
      throw .usage("A resumed run keeps its file: use '--resume' without '--output'")
    }
    let given = resume ?? output
    var prefix = given.map { context.path($0) } ?? recordings.first?.prefix
    if prefix == nil {
      let results = try isDry ? context.path("Results") : context.makeFolder("Results")
      let stamp = start.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
      prefix = "\(results)/\(context.name)-\(stamp)-\(commit)"
    }
    var recording = Recording(
      commit: commit, program: RunEnvironment.program(launcher.executable ?? context.executable), launcher: launcher,
      prefix: prefix ?? "", suffix: given != nil && suffix.isEmpty ? "" : suffix + ".csv", isNumbered: given == nil,
      start: start, sampleFile: arguments.values["samples"].map { OutputFile(path: context.path($0)) })
    if resume == nil { try recording.check(isDry: isDry) } else { try recording.resume(plan) }
    recordings.append(recording)
  }

  /// Carries out all launches, or those before an interruption.
  ///
  /// Builds take turns, in reverse order in every other launch, so that slow changes affect all of them alike.
  /// Returns false for a dry run, which measures nothing.
  mutating func run() throws(CommandFailure) -> Bool {
    let isDry = arguments.has("dry-run")
    let done = Double(recordings.reduce(0) { $0 + $1.launches }) / Double(plan.launches)
    let seconds = Int((plan.expectedSeconds * (Double(recordings.count) - done)).rounded(.up))
    context.terminal.print(
      """
      \(isDry ? "Would measure" : "Measuring") \(plan.cellCount.counted("cell")) in \
      \(plan.launches.counted("launch", "launches"))\(recordings.count > 1 ? " of each build" : "")\
      \(done > 0 ? ", the rest of them" : ""), \(plan.rounds.counted("round")) each, about \(seconds) s.
      """)
    if isDry {
      for line in plan.lines { context.terminal.print(line) }
      return false
    }
    defer { context.terminal.clearProgress() }
    for launch in 1...plan.launches {
      for index in launch.isMultiple(of: 2) ? recordings.indices.reversed() : Array(recordings.indices)
      where recordings[index].launches < launch {
        let passed = Date().timeIntervalSince(start)
        context.terminal.showProgress("launch \(launch) of \(plan.launches), \(max(0, seconds - Int(passed))) s left")
        do throws(CommandFailure) {
          recordings[index].add(try recordings[index].launcher.launch(plan, launch, arguments, context))
        } catch  where error.code == .interrupted {
          if error.message != "Interrupted" { context.terminal.printError("launch \(launch): \(error.message)") }
          isInterrupted = true
        }
        isInterrupted = isInterrupted || context.interrupt.isRequested
        if isInterrupted { return true }
      }
    }
    return true
  }

  mutating func finish() throws(CommandFailure) {
    context.terminal.print()
    var failures: [CommandFailure] = []
    for index in recordings.indices where !recordings[index].rows.isEmpty {
      recordings[index].number = max(recordings[0].number, recordings[index].number)
      // Even if that fails, the rows of the other build have to be written.
      do throws(CommandFailure) {
        try recordings[index].write(plan, isInterrupted: isInterrupted)
        let recording = recordings[index]
        if let disturbance = recording.disturbance { context.terminal.print(disturbance) }
        context.terminal.print(
          "\(recording.samples.counted("sample")) in \(Int(Date().timeIntervalSince(start))) s: "
            + recording.output.path)
        try recording.writeSamples()
      } catch { failures.append(error) }
    }
    if let code = failures.first?.code { throw CommandFailure(code, failures.map(\.message).joined(separator: "; ")) }
    if isInterrupted {
      let finished = recordings.map { "\($0.launches)" }.joined(separator: " and ")
      let file = recordings[0].output.path.replacing(recordings.count > 1 ? /-base\.csv$/ : /^$/, with: "")
      let loss =
        recordings.allSatisfy(\.rows.isEmpty)
        ? ": there is no sample yet, and no file" : "; to continue, add --resume '\(file)' to the same options"
      throw CommandFailure(.interrupted, "Interrupted after \(finished) of \(plan.launches) launches\(loss)")
    }
  }
}
