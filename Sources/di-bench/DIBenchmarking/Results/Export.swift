/// Writes rows in the formats of other tools.
enum Export {
  /// The format of Go's benchmarks, which benchstat compares: a line for each launch of each implementation.
  static func benchstat(_ rows: [ResultRow]) -> [String] {
    let label = CellKey.labels(of: rows.map(\.key))
    // Counted in the first launch, and the same in all.
    let counts = Dictionary(grouping: rows.filter { $0.allocations != nil }, by: \.key)
    return rows.map { row in
      let name = "\(label(row.key))/\(row.implementation)".replacing(/\s+/, with: "_")
      let first = name.prefix(1).uppercased()
      // The name has to continue with a capital letter.
      let capital = first.first?.isUppercase == true ? first : "X\(first)"
      let count = row.role == .subject ? counts[row.key]?[0].allocations : nil
      return "Benchmark\(capital)\(name.dropFirst())-\(row.threads)\t\(row.samples)"
        + "\t\(row.nanoseconds.significant) ns/op" + (count.map { "\t\($0.significant) allocs/op" } ?? "")
    }
  }

  /// The JSON of Google Benchmark, which its scripts and actions for CI read.
  static func json(_ rows: [ResultRow], of name: String) -> String {
    let label = CellKey.labels(of: rows.map(\.key))
    let benchmarks = rows.map { row in
      let name = "\(label(row.key))/\(row.implementation)/threads:\(row.threads)"
      return Entry(
        name: name, runName: name, threads: row.threads, repetitionIndex: row.launch - 1, iterations: row.samples,
        realTime: row.nanoseconds, cpuTime: row.nanoseconds, p50: row.percentile50, p90: row.percentile90,
        p99: row.percentile99, allocations: row.allocations)
    }
    let build = rows.contains { $0.status == .debug } ? "debug" : "release"
    let context = Document.Context(executable: name, numCpus: rows.map(\.cores).max() ?? 1, libraryBuildType: build)
    return JSON.text(of: Document(context: context, benchmarks: benchmarks))
  }

  /// Each sample of the launches that this process has seen, as CSV; without the header, to append to a file.
  static func samples(_ rows: [ResultRow], withHeader: Bool) -> String {
    let names = ["scenario", "implementation", "threads", "registrations", "depth", "launch"]
    let columns = ResultColumn.all.filter { names.contains($0.name) }
    let lines = rows.flatMap { row in
      row.times.enumerated().map { index, time in
        columns.map { $0.write(row) } + ["\(index + 1)", time.significant]
      }
    }
    return ((withHeader ? [names + ["sample", "ns_per_op"]] : []) + lines).map(CSV.line).joined()
  }

  private struct Document: Encodable {
    struct Context: Encodable { let executable: String, numCpus: Int, libraryBuildType: String }
    let context: Context
    let benchmarks: [Entry]
  }

  private struct Entry: Encodable {
    let name, runName: String
    var runType = "iteration"
    var timeUnit = "ns"
    let threads, repetitionIndex, iterations: Int
    let realTime, cpuTime: Double
    let p50, p90, p99, allocations: Double?
  }
}
