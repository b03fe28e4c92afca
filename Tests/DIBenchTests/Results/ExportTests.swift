internal import Foundation
internal import Testing

@testable import DIBenchmarking

@Suite("Formats of other tools")
struct ExportTests {
  private var rows: [ResultRow] {
    [(12.5, 10.0), (13, 10.25)].enumerated().flatMap { index, times in
      SampleRows.rows(
        ["container": times.0, "reference/static-let": times.1], scenario: "a name/x", threads: 2, launch: index + 1
      ) {
        if $0.role == .subject, index == 0 { $0.allocations = 3 }
      }
    }
  }

  @Test("benchstat gets a line for each launch: one word, a count, and pairs of a value and a unit")
  func benchstat() {
    #expect(
      Export.benchstat(rows) == [
        "BenchmarkA_name/x/container-2\t8\t12.50 ns/op\t3 allocs/op",
        "BenchmarkA_name/x/reference/static-let-2\t8\t10 ns/op",
        "BenchmarkA_name/x/container-2\t8\t13 ns/op",
        "BenchmarkA_name/x/reference/static-let-2\t8\t10.25 ns/op",
      ])
  }

  @Test("JSON has the fields of Google Benchmark, with a repetition for each launch")
  func json() throws {
    let text = Export.json(rows, of: "run")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let context = try #require(object["context"] as? [String: Any])
    #expect(context["num_cpus"] as? Int == 2)
    #expect(context["library_build_type"] as? String == "release")
    let benchmarks = try #require(object["benchmarks"] as? [[String: Any]])
    #expect(benchmarks.count == 4)
    #expect(benchmarks.map { $0["real_time"] as? Double } == [12.5, 10, 13, 10.25])
    let last = benchmarks[2]
    #expect(last["name"] as? String == "a name/x/container/threads:2")
    #expect(last["time_unit"] as? String == "ns")
    #expect(last["run_type"] as? String == "iteration")
    #expect(last["repetition_index"] as? Int == 1)
    #expect(last["threads"] as? Int == 2)
  }

  @Test("The report writes both, and refuses another format")
  func report() throws {
    try withTemporaryFolder { folder in
      try OutputFile(path: folder.appending(path: "a.csv").path).write(ResultFile.text(of: rows))
      let benchstat = Transcript(["report", "a.csv", "--format=benchstat"], in: folder)
      #expect(benchstat.output == Export.benchstat(rows).joined(separator: "\n") + "\n")
      #expect(Transcript(["report", "a.csv", "--format=json"], in: folder).output == Export.json(rows, of: "a"))
      let other = Transcript(["report", "a.csv", "--format=xml"], in: folder)
      #expect(other.errors.contains("expected text, markdown, benchstat or json"))
    }
  }
}
