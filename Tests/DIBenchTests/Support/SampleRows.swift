@testable import DIBenchmarking

/// Makes the rows of imaginary launches.
enum SampleRows {
  /// Rows of a cell in one launch: of each implementation the nanoseconds per operation.
  ///
  /// Of the others, the first by name is the reference.
  static func rows(
    _ times: KeyValuePairs<String, Double>, scenario: String = "resolve/shared", threads: Int = 1, launch: Int = 1,
    gate: Benchmark.Gate = .fine, _ change: (inout ResultRow) -> Void = { _ in }
  ) -> [ResultRow] {
    let subject = times[0].value
    return times.enumerated().map { index, entry in
      var row = ResultRow()
      row.hostHash = "h"
      row.cores = 2
      if index == 0 { row.harness = "x" }
      row.scenario = scenario
      row.implementation = entry.key
      row.role = index == 0 ? .subject : index == 1 ? .reference : .other
      row.threads = threads
      row.registrations = 100
      row.depth = 1
      if index == 0 {
        row.gate = gate == .fine && threads > 1 ? .coarse : gate
        row.process = .shared
      }
      row.launch = launch
      row.samples = 8
      row.nanoseconds = entry.value
      row.throughput = Double(threads) / entry.value * 1e3
      if index > 0 { row.ratioOfSubject = subject / entry.value }
      change(&row)
      return row
    }
  }
}
