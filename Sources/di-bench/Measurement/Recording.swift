internal import Foundation

/// What one build has measured so far.
struct Recording {
  let environment: RunEnvironment
  let launcher: Launcher
  let output: OutputFile
  let start: Date

  private(set) var rows: [ResultRow] = []

  /// How many launches are complete.
  private(set) var launches = 0

  /// How many objects an operation allocates, which only the first launch counts.
  private var allocations: [ImplementationKey: Double] = [:]

  private struct ImplementationKey: Hashable {
    let cell: CellKey
    let implementation: String

    init(_ row: ResultRow) {
      cell = CellKey(row)
      implementation = row.implementation
    }
  }

  private let loadAtStart = SystemLoad.current

  init(environment: RunEnvironment, launcher: Launcher, output: OutputFile, start: Date) {
    self.environment = environment
    self.launcher = launcher
    self.output = output
    self.start = start
  }

  /// Adds the rows of a launch, which does not know what it is a part of.
  mutating func add(_ added: [ResultRow], isComplete: Bool) {
    for row in added {
      if let count = row.allocationsPerOperation { allocations[ImplementationKey(row)] = count }
    }
    rows += ResultRow.markingDisturbed(
      added.map { row in
        var row = row
        row.run = environment.run
        row.commit = environment.commit
        row.allocationsPerOperation = allocations[ImplementationKey(row)]
        return row
      })
    if isComplete { launches += 1 }
  }

  /// How many samples stand out from the others.
  var disturbedRows: Int { rows.count { $0.quality.contains(.disturbed) } }

  /// What to tell if there are many of these; a few there always are.
  var disturbance: String? {
    guard disturbedRows * 10 > rows.count else { return nil }
    return """
      Note: \(disturbedRows) of \(rows.count.counted("sample")) stand out and are marked 'disturbed': probably something \
      else kept the machine busy. End that, and measure again.
      """
  }

  /// The file that says where and how the rows were measured.
  private var description: OutputFile {
    OutputFile(path: (output.path as NSString).deletingPathExtension + ".json")
  }

  /// Finds out early what would fail after a long measurement.
  ///
  /// - Throws: A failure if a file exists, or its folder cannot be written to.
  func check() throws(CommandFailure) {
    try output.check()
    try description.check()
  }

  /// Writes both files; if that fails, at least the rows go to another place.
  ///
  /// - Throws: A failure that says where the rows are.
  func write(_ plan: Plan, isInterrupted: Bool) throws(CommandFailure) {
    let text = ResultFile.text(of: rows)
    do {
      try output.write(text)
      try description.write(RunDescription(self, plan, loadAtStart, isInterrupted: isInterrupted).json)
    } catch {
      let refuge = OutputFile(
        path: FileManager.default.temporaryDirectory.appending(path: "di-bench-\(UUID().uuidString).csv").path)
      try refuge.write(text)
      throw CommandFailure(error.code, "\(error.message); the samples are in '\(refuge.path)'")
    }
  }
}
