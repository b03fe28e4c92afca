internal import Foundation
internal import Testing

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

@testable import DIBenchmarking
@testable import di_bench

struct ReportTests {
  /// Eight launches on one, two and four threads of two cores.
  private var rows: [ResultRow] {
    (1...8).flatMap { launch in
      [1, 2, 4].flatMap { threads in
        SampleRows.rows(
          [
            "container": 10 + Double(launch), "reference/static-let": 9,
            Benchmark.Implementation.lockedDictionary: 100 * Double(threads),
          ], threads: threads, launch: launch)
      }
    }
  }

  private func withFile(_ rows: [ResultRow], _ body: (URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      try OutputFile(path: folder.appending(path: "a.csv").path).write(ResultFile.text(of: rows))
      try body(folder)
    }
  }

  @Test(
    "The table is on standard output, also as Markdown, the chart in a file if it is wanted, which is never replaced")
  func report() throws {
    try withFile(rows) { folder in
      let markdown = Transcript(["report", "a.csv", "--format=markdown"], in: folder)
      let lines = markdown.output.split(separator: "\n")
      #expect(
        (
          lines[1].hasPrefix("| scenario | threads | ns/op |"), lines[2].hasPrefix("| --- | --: |"),
          lines[3].hasPrefix("| resolve/shared | 1 | 14.5 |"), markdown.errors
        ) == (true, true, true, ""))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(files == ["a.csv"])
      let report = Transcript(["report", "a.csv", "--svg=a.svg"], in: folder)
      #expect(report.exitCode == .success, "\(report.errors)")
      let furthest = [1, 2, 4].map { "resolve/shared (\($0)) 1.61 ×" }.joined(separator: ", ")
      #expect(
        report.output.hasPrefix(
          """
          Time / time of the reference: 1.61 × in the geometric mean; of 3 compared cells, 3 slower; furthest: \(furthest).

          scenario        threads  ns/op  ratio  reference

          """))
      let all = Transcript(["report", "a.csv", "--all"], in: folder)
      #expect(all.output.contains("  Mop/s  scaling  alloc/op  bytes/op  "))
      let cells = report.output.split(separator: "\n").filter { $0.hasPrefix("resolve/shared") }.count
      #expect((cells, report.errors) == (3, "Drew 1 chart: \(folder.path)/a.svg\n"))
      let again = Transcript(["report", "a.csv"], in: folder)
      #expect(
        (again.output, again.errors, Transcript(["report", "a.csv", "--svg=a.svg"], in: folder).exitCode) == (
          report.output, "", .cannotWrite
        ))
    }
  }

  @Test("What cannot be shown is one line with its exit code, and the picture in the readme is of the committed file")
  func failures() throws {
    // What cannot be shown is one line with its exit code.
    do {
      try withFile(rows) { folder in
        #expect(Transcript(["report", "a.csv", "--filter=("], in: folder).exitCode == .usage)
        let nothing = Transcript(["report", "a.csv", "--filter=x"], in: folder)
        #expect(
          (
            nothing.exitCode, nothing.errors.hasPrefix("Error: Nothing in this file matches 'x'\n"),
            Transcript(["report", "a.csv", "--svg=none/a.svg"], in: folder).exitCode
          ) == (.usage, true, .cannotWrite), "\(nothing.errors)")
        try OutputFile(path: folder.appending(path: "one.csv").path).write(
          ResultFile.text(of: rows.filter { $0.threads == 1 }))
        let flat = Transcript(["report", "one.csv", "--svg=one.svg"], in: folder)
        #expect(
          (
            flat.exitCode,
            flat.errors.hasPrefix("Error: Nothing to draw: no benchmark was measured on several numbers of threads\n")
          ) == (.usage, true), "\(flat.errors)")
      }
    }
    // The picture in the readme is what the report draws of the file that is committed beside it.
    do {
      let folder = URL(fileURLWithPath: #filePath).appending(path: "../../../../Results").standardized
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".svg") {
        let run = String(name.dropLast(4))
        let groups = ResultGroup.groups(of: try ResultFile.read(folder.appending(path: run + ".csv").path))
          .filter { ["resolve/shared", "resolve/new", "resolve/view-model"].contains($0.label) }
        let drawing = ChartDrawing(charts: Chart.charts(of: groups, against: .threads), run: run)
        #expect(try String(contentsOf: folder.appending(path: name), encoding: .utf8) == drawing.text)
      }
    }
  }

  @Test("A chart has a line and a band for each implementation, and its picture is well-formed and has a description")
  func chart() throws {
    let chart = try #require(Chart.charts(of: ResultGroup.groups(of: rows), against: .threads).first)
    #expect(
      (chart.lines.map(\.name), chart.lines[0].points.map(\.x)) == (
        ["container", "reference/locked-dictionary", "reference/static-let"], [1, 2, 4]
      ))
    // 14.5 ns in the median of the launches, on each thread.
    #expect(chart.lines[0].points.map { $0.value.median.rounded() } == [69, 138, 276])
    #expect(chart.lines[0].points[0].value.lower < chart.lines[0].points[0].value.upper)
    #expect((chart.ideal.map(\.0), chart.ideal.map { $0.1.rounded() }) == ([1, 2], [69, 138]))
    // From 10 million to a thousand million.
    #expect(
      (chart.decades, chart.description.hasPrefix("container: 69.0 M/s on 1 thread, 138 M/s on 2 threads")) == (
        1...3, true
      ))
    // A single number of threads makes no line.
    #expect(Chart.charts(of: ResultGroup.groups(of: rows.filter { $0.threads == 1 }), against: .threads).isEmpty)
    let charts = Chart.charts(of: ResultGroup.groups(of: rows), against: .threads)
    let text = ChartDrawing(charts: charts, run: "<a> &\u{1}\"b\"").text
    #expect(XMLParser(data: Data(text.utf8)).parse())
    let title = "Operations per second against threads, &lt;a&gt; &amp; &quot;b&quot;"
    let missing = text.lacks(
      "role=\"img\" aria-labelledby=\"threads-title threads-text\"", "<title id=\"threads-title\">\(title)</title>",
      "<desc id=\"threads-text\">resolve/shared: container: 69.0 M/s on 1 thread",
      "@media (prefers-color-scheme: dark)", ">2 = cores</text>")
    #expect(missing == [])
    // A marker for each of nine points, and three in the legend.
    #expect((text.ranges(of: "class=\"mark ").count, text.ranges(of: "class=\"band ").count) == (12, 3))
  }

  @Test("A chart against registrations has the sizes 0 and 1 at one place")
  func smallSizes() throws {
    let rows = (0...2).flatMap { size in
      SampleRows.rows(["container": 20], scenario: "a") { $0.registrations = size }
    }
    let chart = try #require(Chart.charts(of: ResultGroup.groups(of: rows), against: .registrations).first)
    #expect(!ChartDrawing(charts: [chart], run: "a").text.contains("NaN"))
    let few = ResultGroup.groups(of: rows.filter { $0.registrations != 2 })
    #expect(Chart.charts(of: few, against: .registrations).isEmpty)
  }

  /// The texts of the elements of a document, by the path of their names.
  private final class Elements: NSObject, XMLParserDelegate {
    private(set) var texts: [(path: String, text: String)] = []
    private var path: [String] = []

    func parser(
      _: XMLParser, didStartElement name: String, namespaceURI _: String?, qualifiedName _: String?,
      attributes: [String: String]
    ) {
      path.append(attributes["class"].map { "\(name).\($0.prefix { $0 != " " })" } ?? name)
      texts.append((path.joined(separator: "/"), ""))
    }

    func parser(_: XMLParser, foundCharacters text: String) { texts[texts.count - 1].text += text }
    func parser(_: XMLParser, didEndElement _: String, namespaceURI _: String?, qualifiedName _: String?) {
      path.removeLast()
    }

    /// The texts of the elements at the end of a path.
    func at(_ end: String) -> [String] {
      texts.filter { $0.path.hasSuffix(end) }.map { $0.text.trimmingCharacters(in: .whitespacesAndNewlines) }
    }
  }

  @Test("The page is well-formed, needs no network, and its marks and cells have the figures of the file")
  func page() throws {
    let sizes = [100, 1000].flatMap { size in
      (1...8).flatMap { launch in
        SampleRows.rows(
          ["container": Double(size) / 10 + Double(launch), "reference/static-let": 9], scenario: "lifecycle/reset",
          launch: launch
        ) { $0.registrations = size }
      }
    }
    let depths = [(2, "reentrant/a"), (64, "reentrant/b")].flatMap { depth, name in
      (1...8).flatMap { launch in
        SampleRows.rows(["container": Double(depth * 10)], scenario: name, launch: launch) { $0.depth = depth }
      }
    }
    let slower = (rows + sizes + depths).map { row in
      var row = row
      if row.scenario == "reentrant/b" { row.nanoseconds *= 1.5 }
      return row
    }
    try withFile(slower) { folder in
      try OutputFile(path: folder.appending(path: "base.csv").path).write(ResultFile.text(of: rows + sizes + depths))
      let report = Transcript(["report", "a.csv", "--html=a.html", "--against=base.csv"], in: folder)
      #expect((report.exitCode, report.errors) == (.success, "Wrote \(folder.path)/a.html\n"), "\(report.errors)")
      let text = try String(contentsOf: folder.appending(path: "a.html"), encoding: .utf8)
      let (parser, elements) = (XMLParser(data: Data(text.utf8)), Elements())
      parser.delegate = elements
      #expect(parser.parse())
      #expect(!text.replacing("http://www.w3.org/2000/svg", with: "").contains(/https?:|src=|@import|url\(/))
      #expect(text.contains("@media (prefers-color-scheme: dark)"))

      let groups = ResultGroup.groups(of: try ResultFile.read(folder.appending(path: "a.csv").path))
      let figures = ResultTable.table(groups).rows.flatMap(\.self)
      #expect(elements.at("table/tr/td").elementsEqual(figures))
      let marks = elements.at("path.mark/title")
      // By threads: three numbers of them, three implementations. By size: two and two. By depth: two. Changes: all cells.
      #expect(marks.count == 9 + 4 + 2 + 7)
      for group in groups where group.label == "resolve/shared" {
        let throughput = try #require(group.throughput("container")).median.short
        #expect(marks.contains("container: \(throughput) M/s on \(group.key.threads.counted("thread"))"))
      }
      // 10 and 100 ns, and 4.5 in the middle of eight launches.
      let named: Set<String> = [
        "container: 14.5 ns in lifecycle/reset/100", "container: 104 ns in lifecycle/reset/1000",
        "container: 20.0 ns in reentrant/a", "reentrant/b (1): +50.0 %, slower",
      ]
      #expect(named.isSubset(of: marks))
      #expect(elements.at("body/p").count == 2)
      let alone = Transcript(["report", "a.csv", "--against=base.csv"], in: folder)
      #expect(
        alone.errors.hasPrefix("Error: '--against' needs '--html <page>': 'compare' shows the changes as a table\n"))
    }
  }
}
