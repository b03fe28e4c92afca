internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct ResultFileTests {
  private var row: ResultRow {
    SampleRows.rows(["container": 12.5], threads: 4, launch: 2) { row in
      row.hostHash = "01234567"
      row.harness = "89abcdef"
      row.samples = 7
      row.disturbed = 3
      row.throughput = 320
      row.percentile50 = 11
      row.percentile90 = 12
      row.percentile99 = 77
      row.quality = [.unsteady, .oversubscribed]
    }[0]
  }

  private var rows: [ResultRow] {
    [1, 2].map { launch in
      var row = row
      row.launch = launch
      return row
    }
  }

  private func text(replacing old: String = "", with new: String = "") -> String {
    let text = ResultFile.text(of: rows)
    return old.isEmpty ? text : text.replacing(old, with: new)
  }

  @Test("The header and a row are as documented, and read back, with and without what may be empty, and with samples")
  func format() throws {
    let lines = text().split(separator: "\r\n")
    #expect(
      lines.first == """
        schema,host_hash,cores,harness,scenario,implementation,role,threads,registrations,depth,gate,process,launch,\
        samples,disturbed,ns_per_op,p50_ns,p90_ns,p99_ns,mops_per_second,subject_ratio,allocations_per_op,bytes_per_op,quality,status
        """)
    #expect(
      lines.last == """
        4,01234567,2,89abcdef,resolve/shared,container,subject,4,100,1,coarse,shared,2,7,3,12.50,11,12,77,320,,,,\
        oversubscribed+unsteady,ok
        """)
    var bare = row
    bare.registrations = nil
    bare.percentile99 = nil
    bare.role = .other
    bare.ratioOfSubject = 1.25
    bare.quality = []
    bare.bytes = -1.5
    bare.allocations = 2
    bare.process = .own
    bare.gate = Benchmark.Gate.none
    bare.status = .debug
    #expect(try ResultFile.rows(ResultFile.text(of: [row, bare])) == [row, bare])
    var sampled = row
    sampled.times = [12.5, 11, 0.25]
    let line = ResultFile.line(of: sampled, withSamples: true)
    #expect(try (line.hasSuffix(",ok,12.50 11 0.2500\r\n"), ResultFile.row(String(line.dropLast()))) == (true, sampled))
    do {
      var old = rows
      for index in old.indices { (old[index].percentile50, old[index].percentile90) = (nil, nil) }
      let text = text(replacing: "p50_ns,p90_ns,", with: "").replacing(",11,12,77,", with: ",77,")
      #expect(try ResultFile.rows(text.replacing("4,0123", with: "3,0123")) == old)
    }
  }

  @Test("The readme explains every column, scenario and implementation, and no other column")
  func readme() throws {
    let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../../Results").standardized
    let readme = try String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
    let section = try #require(readme.split(separator: "## Columns").last?.split(separator: "## ").first)
    let columns = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { $0.split(separator: "`")[1] }
    #expect(columns.map { String($0) } == ResultColumn.all.map(\.name))
    do {
      let readme = URL(fileURLWithPath: #filePath).appending(path: "../../../../Results/README.md").standardized
      let text = try String(contentsOf: readme, encoding: .utf8)
      let operations = try #require(
        text.split(separator: "## What an operation is").last?.split(separator: "## ").first)
      for scenario in Benchmark.all {
        let group = try #require(scenario.name.split(separator: "/").first)
        #expect(operations.contains("`\(scenario.name)`") || operations.contains("`\(group)/…`"))
        for implementation in scenario.implementations { #expect(text.contains("\n| `\(implementation.name)` |")) }
      }
    }
  }

  @Test("A file that is damaged, cut off, empty or not ours is refused with its line")
  func damaged() {
    let cases: [(String, String, Int, String)] = [
      ("4,0123", "9,0123", 2, "'schema' is '9', expected '4'"),
      (",7,3,", ",x,3,", 2, "'samples' is 'x', expected a whole number, 1 or more"),
      (",7,3,", ",0,3,", 2, "'samples' is '0', expected a whole number, 1 or more"),
      (",12.50,", ",-0.5,", 2, "'ns_per_op' is '-0.5', expected a number above 0"),
      (",12.50,", ",0,", 2, "'ns_per_op' is '0', expected a number above 0"),
      (",12.50,", ",inf,", 2, "'ns_per_op' is 'inf', expected a number above 0"),
      (",12.50,", ",nan,", 2, "'ns_per_op' is 'nan', expected a number above 0"),
      (",320,,", ",320,0,", 2, "'subject_ratio' is '0', expected nothing or a number above 0"),
      (",320,,", ",320,-1,", 2, "'subject_ratio' is '-1', expected nothing or a number above 0"),
      (",77,", ",x,", 2, "'p99_ns' is 'x', expected nothing or a number"),
      (",77,", ",inf,", 2, "'p99_ns' is 'inf', expected nothing or a number"),
      (",4,100,1,", ",4,-1,1,", 2, "'registrations' is '-1', expected nothing or a whole number"),
      (",01234567,", ",,", 2, "'host_hash' is '', expected some text"),
      (",coarse,", ",course,", 2, "'gate' is 'course', expected nothing, 'fine', 'coarse' or 'none'"),
      ("+unsteady", "+x", 2, "'quality' is 'oversubscribed+x', expected nothing or marks separated by '+'"),
      (",ok\r\n", ",o\r\n", 2, "'status' is 'o', expected 'ok' or 'debug'"),
      (",ok\r\n", "\r\n", 2, "24 fields, expected 25"),
      (",launch,", ",", 1, "the header lacks the column 'launch'"),
      ("depth,gate", "gate,depth", 1, "the header has columns that schema 4 does not have, or in another order"),
      ("schema,host", "id,host", 1, "not a results file: the header does not begin with 'schema'"),
    ]
    for (old, new, line, reason) in cases {
      #expect(throws: CSV.Malformed(line: line, reason: reason)) {
        try ResultFile.rows(text(replacing: old, with: new))
      }
    }
    do {
      let reason = "the schema is 'di-bench/1', expected '4': read it with the version that wrote it, or measure again"
      #expect(throws: CSV.Malformed(line: 1, reason: reason)) {
        try ResultFile.rows("schema,run\r\ndi-bench/1,r\r\n")
      }
    }
    do {
      let reason = "the same launch as in line 3, which would count as another one: remove it"
      #expect(throws: CSV.Malformed(line: 4, reason: reason)) { try ResultFile.rows(ResultFile.text(of: rows + [row])) }
      #expect(throws: CSV.Malformed(line: 1, reason: "the file is empty")) { try ResultFile.rows("") }
      let fromSpreadsheet = "\u{FEFF}\"schema\"" + ResultFile.text(of: rows).dropFirst("schema".count)
      let read = try? ResultFile.rows(fromSpreadsheet)
      #expect(read?.count == rows.count)
      let header = String(text().prefix { $0 != "\r\n" }) + "\r\n"
      #expect(throws: CSV.Malformed(line: 1, reason: "there is no row below the header")) {
        try ResultFile.rows(header)
      }
      let bytes = Array(text().utf8)
      let lastLine = text().split(separator: "\r\n").last!.utf8.count + 2
      for cut in 1..<lastLine {
        let text = String(decoding: bytes.dropLast(cut), as: UTF8.self)
        #expect { try ResultFile.rows(text) } throws: { ($0 as? CSV.Malformed)?.line == 3 }
      }
    }
  }

  @Test("A file that was cut off between two rows is refused, if the file beside it says how many there were")
  func missingRows() throws {
    try withTemporaryFolder { folder in
      let path = folder.appending(path: "a.csv").path
      try OutputFile(path: path).write(text())
      #expect(try ResultFile.read(path).count == 2)
      let description = OutputFile(path: RunDescription.path(beside: path))
      for count in [3, 1] {
        try description.write("{\"rows\": \(count)}", replacing: true)
        let reason = "\(path):3: there are 2 rows, but the JSON next to the file says \(count)"
        #expect(throws: CommandFailure(.badData, reason)) { try ResultFile.read(path) }
      }
      try Data("{\"rows\": 2}".utf8).write(to: URL(fileURLWithPath: description.path))
      #expect(try ResultFile.read(path).count == 2)
      #expect(RunDescription.path(beside: "a.csv/b.csv") == "a.csv/b.json")
    }
  }

  @Test("What is committed can be read, and numbers have four significant digits")
  func committed() throws {
    // What is committed can be read.
    do {
      let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../../Results").standardized
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".csv") }
      #expect(!names.isEmpty)
      for name in names {
        let path = folder.appending(path: name).path
        #expect(try !ResultFile.read(path).isEmpty)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count < 350_000)
      }
    }
    // Numbers have four significant digits.
    do {
      let cases: [(Double, String)] = [
        (0, "0"), (12.5, "12.50"), (0.4779052, "0.4779"), (14.4324, "14.43"), (4858.365, "4858"),
        (69288522.4, "69288522"), (-1.5, "-1.500"), (1.23456e-8, "0.00000001235"),
        (1.5e-15, "0.000000000000001500"),
      ]
      for (number, text) in cases { #expect(number.significant == text) }
      #expect([9.994, 9.996, 10, 99.94, 99.96, 100].map(\.short) == ["9.99", "10.00", "10.0", "99.9", "100.0", "100"])
    }
  }
}
