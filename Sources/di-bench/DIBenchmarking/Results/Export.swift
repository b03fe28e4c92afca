internal import Foundation

/// Writes rows as other tools read them.
enum Export {
  /// The format of Go's benchmarks, which benchstat compares: a line for each launch of each implementation.
  static func benchstat(_ rows: [ResultRow]) -> [String] {
    let labels = CellKey.labels(of: rows.map { CellKey($0) })
    return rows.map { row in
      let name = "\(labels[CellKey(row)] ?? row.scenario)/\(row.implementation)"
      let objects = row.allocations.map { "\t\($0.significant) allocs/op" } ?? ""
      return "Benchmark\(name.prefix(1).uppercased())\(name.dropFirst().replacing(/\s+/, with: "_"))-\(row.threads)"
        + "\t\(row.samples)\t\(row.nanoseconds.significant) ns/op\(objects)"
    }
  }

  /// The JSON of Google Benchmark, which its scripts and actions for CI read.
  static func json(_ rows: [ResultRow], of name: String) -> String {
    let labels = CellKey.labels(of: rows.map { CellKey($0) })
    let benchmarks = rows.map { row in
      let name = "\(labels[CellKey(row)] ?? row.scenario)/\(row.implementation)/threads:\(row.threads)"
      let entry: [String: Any?] = [
        "name": name, "run_name": name, "run_type": "iteration", "threads": row.threads, "time_unit": "ns",
        "repetition_index": row.launch - 1, "iterations": row.samples, "real_time": row.nanoseconds,
        "cpu_time": row.nanoseconds, "p50": row.percentile50, "p90": row.percentile90, "p99": row.percentile99,
        "allocations": row.allocations,
      ]
      return entry.compactMapValues { $0 }
    }
    let build = rows.contains { $0.status == .debug } ? "debug" : "release"
    let context: [String: Any] = [
      "executable": name, "num_cpus": rows.map(\.cores).max() ?? 1, "library_build_type": build,
    ]
    return JSON.text(ofObject: ["context": context, "benchmarks": benchmarks])
  }
}

/// A file with each sample of a run.
struct SampleFile {
  private let output: OutputFile

  init?(_ arguments: ParsedArguments, _ context: CommandContext) throws(CommandFailure) {
    guard let name = arguments.values["samples"] else { return nil }
    if Int(name) != nil {
      throw .usage("'--samples' takes a file, got '\(name)': for a number of samples, use --rounds")
    }
    if arguments.values["resume"] != nil {
      throw .usage("The samples of a run that was interrupted are gone: use '--samples' without '--resume'")
    }
    output = OutputFile(path: context.path(name))
    try output.check()
  }

  func write(_ rows: [ResultRow]) throws(CommandFailure) {
    let names = ["scenario", "registrations", "depth", "threads", "implementation", "launch", "sample", "ns_per_op"]
    let lines = rows.flatMap { row in
      row.times.enumerated().map { index, time in
        [
          row.scenario, row.registrations.map { "\($0)" } ?? "", "\(row.depth)", "\(row.threads)", row.implementation,
          "\(row.launch)", "\(index + 1)", time.significant,
        ]
      }
    }
    try output.write(([names] + lines).map(CSV.line).joined())
  }
}
