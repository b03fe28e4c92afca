@testable import di_bench

/// Makes the rows of samples that nobody has taken.
enum SampleRows {
  /// Rows of a group in one launch: of each implementation the nanoseconds per operation in each round, and how many
  /// bytes an operation of each round left behind.
  static func rows(
    _ times: [String: [Double]], scenario: String = "resolve/shared", threads: Int = 1, launch: Int = 1,
    bytes: [Double] = []
  ) -> [ResultRow] {
    let reference =
      times["reference/static-let"] == nil ? Scenario.Implementation.lockedDictionary : "reference/static-let"
    return times.sorted { $0.key < $1.key }.flatMap { implementation, times in
      times.enumerated().map { index, time in
        var row = RunEnvironment(run: "r", commit: "c", hostHash: "h", os: "o", cpu: "p", cores: 2, isDebug: false).row
        row.time = "2026-11-21T10:11:12Z"
        row.scenario = scenario
        row.implementation = implementation
        row.threads = threads
        row.registrations = 100
        row.depth = 1
        row.launch = launch
        row.round = index + 1
        row.operations = 1000 * threads
        row.elapsedNanoseconds = Int(time * 1000)
        row.nanosecondsPerOperation = time
        row.operationsPerSecond = Double(threads) / time * 1e9
        if implementation != reference { row.reference = reference }
        row.bytesPerOperation = index < bytes.count ? bytes[index] : nil
        return row
      }
    }
  }
}
