internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct CSVTests {
  @Test(
    "Fields are quoted where they must be, lines may end as on any system, and what is not CSV is refused with its line"
  )
  func roundTrip() throws {
    do {
      let fields = ["plain", "a,b", "say \"so\"", "two\nlines", "two\r\nlines", "lone\rreturn", "", "ü"]
      let line = CSV.line(fields)
      #expect(
        try (line, CSV.records(line)) == (
          "plain,\"a,b\",\"say \"\"so\"\"\",\"two\nlines\",\"two\r\nlines\",\"lone\rreturn\",,ü\r\n",
          [CSV.Record(line: 1, fields: fields)]
        ))
    }
    let cases: [String] = ["\n", "\r\n"]
    for end in cases {
      let records = try CSV.records("\u{FEFF}a,b\(end)\"1\(end)2\",3\(end)4,5\(end)")
      #expect(records.map(\.fields) == [["a", "b"], ["1\(end)2", "3"], ["4", "5"]])
      // A field with a line end moves those after it down.
      #expect(records.map(\.line) == [1, 2, 4])
    }
    do {
      let cases: [(String, Int, String)] = [
        ("a\n\"b", 2, "a quoted field without an end"),
        ("a\nb\"c\n", 2, "a quote inside a field that is not quoted"),
        ("a\n\"b\"c\n", 2, "text after a quoted field or a lone CR"),
        ("a\nb\r,c\n", 2, "text after a quoted field or a lone CR"),
        ("a\nb", 2, "the file ends in the middle of a line"),
      ]
      for (text, line, reason) in cases {
        #expect(throws: CSV.Malformed(line: line, reason: reason)) { try CSV.records(text) }
      }
    }
  }
}
