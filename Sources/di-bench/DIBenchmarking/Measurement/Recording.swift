internal import Foundation

/// The rows that one build has measured so far.
struct Recording {
  let environment = RunEnvironment.current()
  let commit: String
  /// The hash of the executable, which tells builds of one commit apart; nil without git.
  let program: String?
  let launcher: Launcher
  /// The beginning and the end of the path of its file.
  let prefix, suffix: String
  /// A Boolean value that indicates whether the tool chose the name, with a number if another run has it already.
  let isNumbered: Bool
  var number = 1
  let start: Date
  /// The file for all samples, if they were requested, and its contents from earlier launches.
  let sampleFile: OutputFile?
  private(set) var earlierSamples: String?
  private(set) var rows: [ResultRow] = []
  private(set) var launches = 0
  /// The description of the interrupted run that this one resumes, if there is one.
  private(set) var earlier: RunDescription?
  var output: OutputFile { OutputFile(path: prefix + (number > 1 ? "-\(number)" : "") + suffix) }

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
      Note: \(disturbed) of \(samples.counted("sample")) stand out: probably something else kept the machine busy. Stop \
      that, and measure again.
      """
  }

  private var description: OutputFile { OutputFile(path: RunDescription.path(beside: output.path)) }

  /// The rows, their description, and the samples if they were requested.
  var files: [OutputFile] { [output, description, sampleFile].compactMap { $0 } }

  private func runDescription(_ plan: Plan, _ isInterrupted: Bool) -> RunDescription {
    RunDescription(
      start: earlier?.start ?? start.ISO8601Format(),
      seconds: Int(Date().timeIntervalSince(start)) + (earlier?.seconds ?? 0), commit: commit, program: program,
      hostHash: environment.hostHash, os: environment.os, cpu: environment.cpu, cores: environment.cores,
      launches: plan.launches, launchesFinished: launches, samplesPerLaunch: plan.rounds,
      sampleNs: plan.sampleNanoseconds, seed: plan.seed, threads: plan.threads, rows: rows.count, samples: samples,
      disturbedSamples: disturbed, interrupted: isInterrupted)
  }

  /// Takes over the launches of an interrupted run, which must have the same plan.
  mutating func resume(_ plan: Plan) throws(CommandFailure) {
    guard let old = RunDescription.read(RunDescription.self, beside: output.path) else {
      // The second of two builds may not have had its first launch.
      if suffix == "-head.csv" { return try check() }
      throw CommandFailure(.missingFile, "There is no run to resume at '\(output.path)'")
    }
    rows = try ResultFile.read(output.path)
    launches = rows.map(\.launch).max() ?? 0
    guard old.interrupted else { throw CommandFailure(.badData, "The run in '\(output.path)' was not interrupted") }
    let cells = Set(rows.compactMap { row in row.harness.map { "\($0) \(row.threads)" } })
    let differences = [
      ("commit", old.commit != commit), ("program", old.program != program),
      ("machine", old.hostHash != environment.hostHash), ("seed", old.seed != plan.seed),
      ("number of launches", old.launches != plan.launches),
      ("set of benchmarks, threads, rounds or --quick", cells != plan.cellIdentities),
    ].filter(\.1).map(\.0)
    guard differences.isEmpty else {
      let what = differences.joined(separator: " and another ")
      throw CommandFailure(.badData, "The run in '\(output.path)' has another \(what): resume it as it was started")
    }
    earlier = old
    try OutputFile.check(files, replacing: true)
    guard let path = sampleFile?.path else { return }
    earlierSamples = try? String(contentsOfFile: path, encoding: .utf8)
    if earlierSamples?.hasPrefix("scenario,implementation,") != true {
      throw CommandFailure(.missingFile, "The samples of the earlier launches are not in '\(path)': omit '--samples'")
    }
  }

  /// Detects early what would fail after a long measurement; a dry run makes no folder for a run without a name.
  mutating func check(isDry: Bool = false) throws(CommandFailure) {
    while isNumbered, output.exists || description.exists { number += 1 }
    try OutputFile.check(isDry && isNumbered ? [sampleFile].compactMap { $0 } : files)
  }

  /// Writes both files; if that fails, saves at least the rows elsewhere.
  mutating func write(_ plan: Plan, isInterrupted: Bool) throws(CommandFailure) {
    let text = ResultFile.text(of: rows)
    var isTaken = true
    do {
      try output.write(text, replacing: earlier != nil)
      isTaken = false
      try description.write(JSON.text(of: runDescription(plan, isInterrupted)), replacing: earlier != nil)
    } catch {
      if isNumbered, isTaken, output.exists {
        // A run that began in the same second has taken the name since.
        number += 1
        return try write(plan, isInterrupted: isInterrupted)
      }
      let refuge = OutputFile(
        path: FileManager.default.temporaryDirectory.appending(path: "di-bench-\(UUID().uuidString).csv").path)
      try refuge.write(text)
      throw CommandFailure(error.code, "\(error.message); the rows are in '\(refuge.path)'")
    }
  }

  func writeSamples() throws(CommandFailure) {
    let added = Export.samples(rows, withHeader: earlierSamples == nil)
    try sampleFile?.write((earlierSamples ?? "") + added, replacing: earlierSamples != nil)
  }
}
