internal import Foundation
internal import Testing

@testable import di_bench

@Suite("Results files")
struct ResultFileTests {
  private var row: ResultRow {
    var row = ResultRow()
    row.run = "20261121T101112Z-abc"
    row.time = "2026-11-21T10:11:12Z"
    row.commit = "abc"
    row.hostHash = "01234567"
    row.os = "Linux, one"
    row.cpu = "cpu"
    row.cores = 2
    row.swiftVersion = "6.3.1"
    row.scenario = "resolve/shared"
    row.implementation = "container"
    row.threads = 4
    row.registrations = 100
    row.depth = 1
    row.launch = 1
    row.round = 3
    row.operations = 400
    row.elapsedNanoseconds = 1250
    row.nanosecondsPerOperation = 12.5
    row.operationsPerSecond = 320_000_000
    row.reference = "reference/static-let"
    row.ratioToReference = 1.25
    row.quality = [.disturbed, .oversubscribed]
    return row
  }

  private func text(replacing old: String = "", with new: String = "") -> String {
    let text = ResultFile.text(of: [row, row])
    return old.isEmpty ? text : text.replacing(old, with: new)
  }

  @Test("The header and a row are as documented")
  func format() {
    let lines = text().split(separator: "\r\n")
    #expect(
      lines.first == """
        schema,run,time,commit,host_hash,os,cpu,cores,swift_version,scenario,implementation,threads,registrations,\
        depth,launch,round,operations,elapsed_ns,ns_per_op,ops_per_second,reference,ratio_to_reference,\
        allocations_per_op,bytes_per_op,quality,status
        """)
    #expect(
      lines.last == """
        di-bench/2,20261121T101112Z-abc,2026-11-21T10:11:12Z,abc,01234567,"Linux, one",cpu,2,6.3.1,resolve/shared,\
        container,4,100,1,1,3,400,1250,12.5000,320000000,reference/static-let,1.2500,,,oversubscribed+disturbed,ok
        """)
  }

  @Test("What is written is read back, with and without what may be empty")
  func roundTrip() throws {
    var bare = row
    bare.registrations = nil
    bare.reference = nil
    bare.ratioToReference = nil
    bare.quality = []
    bare.bytesPerOperation = -1.5
    bare.allocationsPerOperation = 2
    bare.status = .debug
    #expect(try ResultFile.rows(ResultFile.text(of: [row, bare])) == [row, bare])
  }

  @Test("The readme explains every column, and no other")
  func readme() throws {
    let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../../Results").standardized
    let readme = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    let section = try #require(readme.split(separator: "## Columns").last?.split(separator: "## ").first)
    let columns = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "`")[1] }
    #expect(columns.map { String($0) } == ResultColumn.all.map(\.name))
  }

  @Test("The documentation explains every scenario and every implementation", arguments: Scenario.all)
  func explanations(_ scenario: Scenario) throws {
    let readme = URL(fileURLWithPath: #filePath).appending(path: "../../../../Results/README.md").standardized
    let text = try String(contentsOf: readme, encoding: .utf8)
    let group = try #require(scenario.name.split(separator: "/").first)
    let operations = try #require(text.split(separator: "## What an operation is").last?.split(separator: "## ").first)
    #expect(operations.contains("`\(scenario.name)`") || operations.contains("`\(group)/…`"))
    for implementation in scenario.implementations { #expect(text.contains("\n| `\(implementation.name)` |")) }
  }

  @Test(
    "A file that is damaged or not ours is refused with its line",
    arguments: [
      ("di-bench/2", "di-bench/9", 2, "'schema' is 'di-bench/9', expected 'di-bench/2'"),
      (",1250,", ",12x0,", 2, "'elapsed_ns' is '12x0', expected a whole number above 0"),
      (",400,", ",0,", 2, "'operations' is '0', expected a whole number above 0"),
      (",12.5000,", ",-0.5,", 2, "'ns_per_op' is '-0.5', expected a number, not below 0"),
      (",12.5000,", ",nan,", 2, "'ns_per_op' is 'nan', expected a number, not below 0"),
      (",100,1,1,3", ",-1,1,1,3", 2, "'registrations' is '-1', expected nothing or a whole number"),
      (",abc,", ",,", 2, "'commit' is '', expected some text"),
      ("+disturbed", "+x", 2, "'quality' is 'oversubscribed+x', expected nothing or marks with '+' between"),
      (",ok\r\n", ",o\r\n", 2, "'status' is 'o', expected 'ok' or 'debug'"),
      (",ok\r\n", "\r\n", 2, "25 fields, expected 26"),
      (",launch,", ",", 1, "the header lacks the column 'launch'"),
      ("depth,launch", "launch,depth", 1, "the header has columns that di-bench/2 does not have, or in another order"),
      ("schema,run", "id,run", 1, "not a results file: the header does not begin with 'schema'"),
    ])
  func damaged(_ old: String, _ new: String, _ line: Int, _ reason: String) {
    #expect(throws: CSV.Malformed(line: line, reason: reason)) { try ResultFile.rows(text(replacing: old, with: new)) }
  }

  @Test("Of a file with another schema, the schema is what is reported")
  func otherSchema() {
    let reason = "the schema is 'di-bench/1', expected 'di-bench/2'"
    #expect(throws: CSV.Malformed(line: 1, reason: reason)) {
      try ResultFile.rows("schema,run\r\ndi-bench/1,r\r\n")
    }
  }

  @Test("A file that was cut off between two rows is refused, if the file beside it says how many there were")
  func missingRows() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "a.csv").path
      try OutputFile(path: path).write(text())
      #expect(try ResultFile.read(path).count == 2)
      let description = OutputFile(path: folder.appending(path: "a.json").path)
      try description.write("{\"rows\": 3}")
      let reason = "\(path):3: there are 2 rows, but the JSON beside the file says 3"
      #expect(throws: CommandFailure(.badData, reason)) { try ResultFile.read(path) }
      try Data("{\"rows\": 2}".utf8).write(to: URL(fileURLWithPath: description.path))
      #expect(try ResultFile.read(path).count == 2)
    }
  }

  @Test("A file that is empty, has only a header or was cut off is refused, wherever it was cut in the last line")
  func truncated() {
    #expect(throws: CSV.Malformed(line: 1, reason: "the file is empty")) { try ResultFile.rows("") }
    let header = String(text().prefix { $0 != "\r\n" }) + "\r\n"
    #expect(throws: CSV.Malformed(line: 1, reason: "there is no row below the header")) { try ResultFile.rows(header) }
    let bytes = Array(text().utf8)
    let lastLine = text().split(separator: "\r\n").last!.utf8.count + 2
    for cut in 1..<lastLine {
      let text = String(decoding: bytes.dropLast(cut), as: UTF8.self)
      #expect { try ResultFile.rows(text) } throws: { ($0 as? CSV.Malformed)?.line == 3 }
    }
  }
}
