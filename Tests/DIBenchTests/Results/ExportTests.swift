internal import Foundation
internal import Testing

@testable import DIBenchmarking

struct ExportTests {
  private var rows: [ResultRow] {
    [(12.5, 10.0), (13, 10.25)].enumerated().flatMap { index, times in
      SampleRows.rows(
        ["container": times.0, "reference/static-let": times.1], scenario: "a name/x", threads: 2, launch: index + 1
      ) {
        if $0.role == .subject, index == 0 { $0.allocations = 3 }
        ($0.percentile50, $0.percentile90, $0.percentile99) = (1, 2, 3)
      }
    }
  }

  @Test("benchstat gets a line for each launch, Google Benchmark JSON, and the report writes both")
  func benchstat() throws {
    #expect(
      Export.benchstat(rows) == [
        "BenchmarkA_name/x/container-2\t8\t12.50 ns/op\t3 allocs/op",
        "BenchmarkA_name/x/reference/static-let-2\t8\t10 ns/op",
        "BenchmarkA_name/x/container-2\t8\t13 ns/op\t3 allocs/op",
        "BenchmarkA_name/x/reference/static-let-2\t8\t10.25 ns/op",
      ])
    do {
      let text = Export.json(rows, of: "run")
      let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let context = try #require(object["context"] as? [String: Any])
      #expect((context["num_cpus"] as? Int, context["library_build_type"] as? String) == (2, "release"))
      let benchmarks = try #require(object["benchmarks"] as? [[String: Any]])
      #expect((benchmarks.count, benchmarks.map { $0["real_time"] as? Double }) == (4, [12.5, 10, 13, 10.25]))
      for (key, value) in [
        ("iterations", 8.0), ("cpu_time", 12.5), ("p50", 1), ("p90", 2), ("p99", 3), ("allocations", 3),
      ] {
        #expect(benchmarks[0][key] as? Double == value, "\(key)")
      }
      let debug = rows.map { row in
        var row = row
        row.status = .debug
        return row
      }
      #expect(Export.json(debug, of: "run").contains("\"library_build_type\" : \"debug\""))
      let last = benchmarks[2]
      #expect(
        (
          last["name"] as? String, last["time_unit"] as? String, last["run_type"] as? String,
          last["repetition_index"] as? Int, last["threads"] as? Int
        ) == ("a name/x/container/threads:2", "ns", "iteration", 1, 2))
    }
    do {
      try withTemporaryFolder { folder in
        try OutputFile(path: folder.appending(path: "a.csv").path).write(ResultFile.text(of: rows))
        let benchstat = Transcript(["report", "a.csv", "--format=benchstat"], in: folder)
        #expect(
          (benchstat.output, Transcript(["report", "a.csv", "--format=json"], in: folder).output) == (
            Export.benchstat(rows).joined(separator: "\n") + "\n", Export.json(rows, of: "a")
          ))
        let other = Transcript(["report", "a.csv", "--format=xml"], in: folder)
        #expect(other.errors.contains("expected text, markdown, benchstat or json"))
        // Nothing is written by an invalid command line, nor if one of two files exists.
        #expect(Transcript(["report", "a.csv", "--svg=b.svg", "--against=a.csv"], in: folder).exitCode == .usage)
        let existing = Transcript(["report", "a.csv", "--svg=b.svg", "--html=a.csv"], in: folder)
        #expect(existing.exitCode == .cannotWrite)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "b.svg").path))
      }
    }
  }

  /// A line as <https://go.dev/design/14313-benchmark-format> defines it; nil if it is no result.
  private func result(_ line: String) -> (name: String, threads: Int, count: Int, values: [String: Double])? {
    // Fields are separated by white space; there are at least four, and an even number of them.
    let fields = line.split(whereSeparator: \.isWhitespace).map { String($0) }
    guard fields.count >= 4, fields.count.isMultiple(of: 2), let count = Int(fields[1]), count > 0 else { return nil }
    // The name continues with a capital letter, and ends with the number of threads.
    guard let match = fields[0].wholeMatch(of: /Benchmark(\p{Lu}.*)-(\d+)/), let threads = Int(match.2) else {
      return nil
    }
    var values: [String: Double] = [:]
    for index in stride(from: 2, to: fields.count, by: 2) {
      guard let value = Double(fields[index]) else { return nil }
      values[fields[index + 1]] = value
    }
    return (String(match.1), threads, count, values)
  }

  @Test("Each line is a result in the format of Go's benchmarks, with the numbers of the row, whatever the name is")
  func format() throws {
    let cases: [String] = ["resolve/shared", "1st", "größe, 5 %", "über", "-x", "日本", "a=b:c-4", "Δ"]
    for scenario in cases {
      let rows = (1...3).flatMap { launch in
        SampleRows.rows(
          ["container": 1234.5678 * Double(launch), "reference/static-let": 0.001234], scenario: scenario, threads: 4,
          launch: launch
        ) { if $0.role == .subject, launch == 2 { $0.allocations = 2.5 } }
      }
      let results = try Export.benchstat(rows).map { try #require(result($0), "\($0)") }
      #expect(
        (results.map(\.threads), results.map(\.count), results.map { $0.values["ns/op"] }) == (
          [4, 4, 4, 4, 4, 4], [8, 8, 8, 8, 8, 8], [1235, 0.001234, 2469, 0.001234, 3704, 0.001234]
        ))
      // Counted once, and the same in all launches.
      #expect(
        (results.map { $0.values["allocs/op"] }, Set(results.map(\.name)).count) == ([2.5, nil, 2.5, nil, 2.5, nil], 2))
      #expect(results[0].name.lowercased().hasSuffix(scenario.lowercased().replacing(" ", with: "_") + "/container"))
    }
  }
}
