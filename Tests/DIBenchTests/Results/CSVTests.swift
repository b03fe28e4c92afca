internal import Testing

@testable import DIBenchmarking
@testable import di_bench

@Suite("CSV")
struct CSVTests {
  @Test("Fields with commas, quotes and line ends are quoted, and come back as they were")
  func roundTrip() throws {
    let fields = ["plain", "a,b", "say \"so\"", "two\nlines", "two\r\nlines", "", "ü"]
    let line = CSV.line(fields)
    #expect(line == "plain,\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",\"two\r\nlines\",,ü\r\n")
    #expect(try CSV.records(line) == [CSV.Record(line: 1, fields: fields)])
  }

  @Test("Lines may end as on any system, and a byte order mark is no field", arguments: ["\n", "\r\n"])
  func lineEnds(_ end: String) throws {
    let records = try CSV.records("\u{FEFF}a,b\(end)\"1\(end)2\",3\(end)4,5\(end)")
    #expect(records.map(\.fields) == [["a", "b"], ["1\(end)2", "3"], ["4", "5"]])
    // A field with a line end moves those after it down.
    #expect(records.map(\.line) == [1, 2, 4])
  }

  @Test(
    "What is not CSV is refused with its line",
    arguments: [
      ("a\n\"b", 2, "a quoted field without an end"),
      ("a\nb\"c\n", 2, "a quote inside a field that is not quoted"),
      ("a\n\"b\"c\n", 2, "text after a quoted field or a lone CR"),
      ("a\nb", 2, "the file ends in the middle of a line"),
    ])
  func malformed(_ text: String, _ line: Int, _ reason: String) {
    #expect(throws: CSV.Malformed(line: line, reason: reason)) { try CSV.records(text) }
  }
}
