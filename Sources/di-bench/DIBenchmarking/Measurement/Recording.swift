internal import Foundation

/// The rows that one build has measured so far.
struct Recording {
  let environment = RunEnvironment.current()
  let run: String
  let commit: String
  let launcher: Launcher
  let output: OutputFile
  let start: Date
  private(set) var rows: [ResultRow] = []
  private(set) var launches = 0
  /// The description of the run that was interrupted, if this goes on with one.
  private(set) var earlier: RunDescription?

  mutating func add(_ added: [ResultRow]) {
    rows += added
    launches += 1
  }

  var samples: Int { rows.reduce(0) { $0 + $1.samples } }
  var disturbed: Int { rows.reduce(0) { $0 + $1.disturbed } }

  /// A note if many samples stand out; a few always do.
  var disturbance: String? {
    guard disturbed * 10 > samples else { return nil }
    return """
      Note: \(disturbed) of \(samples.counted("sample")) stand out: probably something else kept the machine busy. End \
      that, and measure again.
      """
  }

  private var description: OutputFile { OutputFile(path: (output.path as NSString).deletingPathExtension + ".json") }

  private func runDescription(_ plan: Plan, _ isInterrupted: Bool) -> RunDescription {
    RunDescription(
      run: run, start: earlier?.start ?? start.ISO8601Format(),
      seconds: Int(Date().timeIntervalSince(start)) + (earlier?.seconds ?? 0), commit: commit,
      hostHash: environment.hostHash, os: environment.os, cpu: environment.cpu, cores: environment.cores,
      launches: plan.launches, launchesFinished: launches, samplesPerLaunch: plan.rounds,
      sampleNs: plan.sampleNanoseconds, seed: plan.seed, threads: plan.threads, rows: rows.count, samples: samples,
      disturbedSamples: disturbed, interrupted: isInterrupted)
  }

  /// Takes over the launches of a run that was interrupted, which must be of the same plan.
  mutating func resume(_ plan: Plan) throws(CommandFailure) {
    guard let old = RunDescription.read(RunDescription.self, beside: output.path) else {
      // The second of two builds may not have had its first launch.
      if output.path.hasSuffix("-head.csv") { return try check() }
      throw CommandFailure(.missingFile, "There is no run to go on with at '\(output.path)'")
    }
    rows = try ResultFile.read(output.path)
    launches = old.launchesFinished
    let now = runDescription(plan, true)
    let labels = CellKey.labels(of: rows.map { CellKey($0) }).values
    guard old.interrupted, old.commit == now.commit, old.hostHash == now.hostHash,
      old.seed == now.seed, old.launches == now.launches, old.samplesPerLaunch == now.samplesPerLaunch,
      old.sampleNs == now.sampleNs, old.threads == now.threads, Set(labels).isSubset(of: plan.benchmarks.map(\.label))
    else {
      throw CommandFailure(
        .badData, "The run in '\(output.path)' was not interrupted, or has another commit, machine or options")
    }
    earlier = old
  }

  /// Finds out early what would fail after a long measurement.
  func check() throws(CommandFailure) {
    try output.check()
    try description.check()
  }

  /// Writes both files; if that fails, at least the rows go to another place.
  func write(_ plan: Plan, isInterrupted: Bool) throws(CommandFailure) {
    let text = ResultFile.text(of: rows)
    do {
      try output.write(text, replacing: earlier != nil)
      try description.write(JSON.text(of: runDescription(plan, isInterrupted)), replacing: earlier != nil)
    } catch {
      let refuge = OutputFile(
        path: FileManager.default.temporaryDirectory.appending(path: "di-bench-\(UUID().uuidString).csv").path)
      try refuge.write(text)
      throw CommandFailure(error.code, "\(error.message); the rows are in '\(refuge.path)'")
    }
  }
}
