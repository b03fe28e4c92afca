internal import Foundation

/// The rows that one build has measured so far.
struct Recording {
  let environment = RunEnvironment.current()
  /// The name of the run: its time and its commit.
  let run: String
  /// The short commit, with `-dirty` behind it if files differ from it.
  let commit: String
  let launcher: Launcher
  let output: OutputFile
  let start: Date
  let loadAtStart = RunEnvironment.load
  private(set) var rows: [ResultRow] = []
  /// The number of complete launches.
  private(set) var launches = 0

  mutating func add(_ added: [ResultRow]) {
    rows += added
    launches += 1
  }

  var samples: Int { rows.reduce(0) { $0 + $1.samples } }
  /// The number of samples that stand out from the others.
  var disturbed: Int { rows.reduce(0) { $0 + $1.disturbed } }

  /// A note if many samples stand out; a few always do.
  var disturbance: String? {
    guard disturbed * 10 > samples else { return nil }
    return """
      Note: \(disturbed) of \(samples.counted("sample")) stand out: probably something else kept the machine busy. End \
      that, and measure again.
      """
  }

  /// The file that says where and how the rows were measured.
  private var description: OutputFile { OutputFile(path: (output.path as NSString).deletingPathExtension + ".json") }

  private func runDescription(_ plan: Plan, _ isInterrupted: Bool) -> RunDescription {
    RunDescription(
      run: run, start: start.ISO8601Format(), seconds: Int(Date().timeIntervalSince(start)), commit: commit,
      hostHash: environment.hostHash, os: environment.os, cpu: environment.cpu, cores: environment.cores,
      launches: plan.launches, launchesFinished: launches, samplesPerLaunch: plan.rounds,
      sampleNs: plan.sampleNanoseconds, seed: plan.seed, threads: plan.threads, rows: rows.count, samples: samples,
      disturbedSamples: disturbed, loadAtStart: loadAtStart, interrupted: isInterrupted)
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
      try output.write(text)
      try description.write(JSON.text(of: runDescription(plan, isInterrupted)))
    } catch {
      let refuge = OutputFile(
        path: FileManager.default.temporaryDirectory.appending(path: "di-bench-\(UUID().uuidString).csv").path)
      try refuge.write(text)
      throw CommandFailure(error.code, "\(error.message); the rows are in '\(refuge.path)'")
    }
  }
}
