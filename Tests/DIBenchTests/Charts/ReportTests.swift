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
    #expect(text.hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 360 "#))
    // The points are in order, whatever that of the file is, and without a single thread nothing is ideal.
    let reversed = ResultGroup.groups(of: rows.filter { $0.threads > 1 }.reversed())
    let other = try #require(Chart.charts(of: reversed, against: .threads).first)
    #expect((other.lines[0].points.map(\.x), other.ideal.map(\.0)) == ([2, 4], []))
    // Each size has a chart of its own.
    let sizes = [100, 1000].flatMap { size in
      rows.map { row in
        var row = row
        (row.scenario, row.registrations) = ("a<b", size)
        return row
      }
    }
    let each = Chart.charts(of: ResultGroup.groups(of: sizes), against: .threads)
    #expect(each.map(\.title) == ["a<b/100", "a<b/1000"])
    #expect(XMLParser(data: Data(ChartDrawing(charts: each, run: "a").text.utf8)).parse())
    // A marker for each of nine points, and three in the legend.
    #expect((text.ranges(of: "class=\"mark ").count, text.ranges(of: "class=\"band ").count) == (12, 3))
  }

  @Test("A chart against registrations has the sizes 0 and 1 at one place")
  func smallSizes() throws {
    let rows = (0...2).flatMap { size in
      SampleRows.rows(["container": 20], scenario: "a") { $0.registrations = size }
    }
    let chart = try #require(Chart.charts(of: ResultGroup.groups(of: rows), against: .registrations).first)
    let text = ChartDrawing(charts: [chart], run: "a").text
    // There is no ideal, and two registrations are not two cores. The first size is at the left, the last at the right.
    #expect(["NaN", "class=\"ideal\"", "= cores"].filter { text.contains($0) } == [])
    #expect(text.lacks(#"<text class="middle" x="66" y="226">1<"#, #"<text class="middle" x="332" y="226">2<"#) == [])
    #expect((chart.decades, chart.ideal.count) == (1...2, 0))
    let larger = (1...8).flatMap { launch in
      [100, 400, 1600].flatMap { size in
        SampleRows.rows(["container": launch < 8 ? 50 : 120], scenario: "a", launch: launch) { $0.registrations = size }
          + SampleRows.rows(["container": 1], scenario: "a", threads: 2, launch: launch) { $0.registrations = size }
      }
    }
    let wide = try #require(Chart.charts(of: ResultGroup.groups(of: larger), against: .registrations).first)
    #expect((wide.positions, wide.decades) == ([100, 400, 1600], 1...3))
    #expect(
      ChartDrawing(charts: [wide], run: "a").text.replacing(".0", with: "").lacks(
        #"x="66" y="226">100<"#, #"x="199" y="226">400<"#, #"x="332" y="226">1600<"#) == [])
    // Where all values are one power of ten, the axis goes on to the next one.
    let even = rows.map { row in
      var row = row
      row.nanoseconds = 100
      return row
    }
    let flat = try #require(Chart.charts(of: ResultGroup.groups(of: even), against: .registrations).first)
    #expect(flat.decades == 2...3)
    let labels = [(Chart.Axis.threads, [-7, -1, 0, 2, 6, 10]), (.registrations, [-1, 0, 2, 4, 7, 9, 12])].map {
      axis, decades in
      decades.map(axis.label)
    }
    #expect(
      labels == [
        ["0.1", "100k", "1M", "100M", "1T", "10000T"],
        ["0.1 ns", "1 ns", "100 ns", "10 µs", "10 ms", "1 s", "1000 s"],
      ])
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
    let depths = [(1, "reentrant/c"), (2, "reentrant/a"), (64, "reentrant/b<T>")].flatMap { depth, name in
      (1...8).flatMap { launch in
        SampleRows.rows(["container": Double(depth * 10)], scenario: name, launch: launch) { $0.depth = depth }
      }
    }
    let slower = (rows + sizes + depths).map { row in
      var row = row
      if row.scenario == "reentrant/b<T>" { row.nanoseconds *= 1.5 }
      return row
    }
    try withFile(slower) { folder in
      try OutputFile(path: folder.appending(path: "base.csv").path).write(ResultFile.text(of: rows + sizes + depths))
      try FileManager.default.copyItem(atPath: folder.path + "/a.csv", toPath: folder.path + "/a&b.csv")
      let report = Transcript(["report", "a&b.csv", "--html=a.html", "--against=base.csv"], in: folder)
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
      // By threads: three numbers of them, three implementations. By size: two and two. By depth: two, and nothing between
      // them. Changes: all cells.
      #expect((marks.count, text.ranges(of: "class=\"band ").count) == (9 + 4 + 2 + 8, 3 + 2))
      for group in groups where group.label == "resolve/shared" {
        let throughput = try #require(group.throughput("container")).median.short
        #expect(marks.contains("container: \(throughput) M/s on \(group.key.threads.counted("thread"))"))
      }
      // 10 and 100 ns, and 4.5 in the middle of eight launches.
      let named: Set<String> = [
        "container: 14.5 ns in lifecycle/reset/100", "container: 104 ns in lifecycle/reset/1000",
        "container: 20.0 ns in reentrant/a", "reentrant/b<T> (1): +50.0 %, slower",
      ]
      #expect(named.isSubset(of: marks))
      #expect(elements.at("body/p").count == 2)
      // What is filtered out is not missing.
      let some = ["--filter=reset", "--html=some.html", "--against=base.csv"]
      #expect(Transcript(["report", "a.csv"] + some, in: folder).exitCode == .success)
      #expect(try !String(contentsOfFile: folder.path + "/some.html", encoding: .utf8).contains("missing"))
      // A page may have no chart.
      try OutputFile(path: folder.path + "/one.csv").write(ResultFile.text(of: rows.filter { $0.threads == 1 }))
      #expect(Transcript(["report", "one.csv", "--html=one.html"], in: folder).exitCode == .success)
      let alone = Transcript(["report", "a.csv", "--against=base.csv"], in: folder)
      #expect(
        alone.errors.hasPrefix("Error: '--against' needs '--html <page>': 'compare' shows the changes as a table\n"))
    }
  }

  @Test("The changes are from the slowest to the fastest, with no change in the middle, and colored by what they mean")
  func changes() {
    let cells: [(name: String, change: (Int) -> Double, allocations: Double?)] = [
      ("faster", { _ in 0.5 }, nil), ("unchanged", { _ in 1 }, nil), ("heavier", { _ in 1 }, 2),
      ("slower", { launch in launch < 3 ? 1.5 : launch > 6 ? 4 : 2 }, nil), ("added", { _ in 1 }, nil),
    ]
    let rows = [false, true].map { isHead in
      cells.filter { isHead || $0.name != "added" }.flatMap { name, change, allocations in
        (1...8).flatMap { launch in
          SampleRows.rows(["container": isHead ? 10 * change(launch) : 10], scenario: name, launch: launch) { row in
            row.allocations = isHead ? allocations : allocations.map { $0 - 1 }
          }
        }
      }
    }
    let drawing = { (base: [ResultRow], head: [ResultRow]) in
      ChartDrawing.changes(Comparison(base: base, head: head, threshold: 0.1)).split(separator: "\n")
    }
    let lines = drawing(rows[0], rows[1])
    #expect(
      lines[0].hasPrefix(#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 122" role="img"><title>Slower: "#))
    #expect(
      lines.dropFirst().joined(separator: "\n").replacing(".0", with: "") == """
        <path class="grid" d="M330 24V102"/>
        <text class="middle" x="330" y="16">-75 %</text>
        <path class="grid" d="M465 24V102"/>
        <text class="middle" x="465" y="16">-50 %</text>
        <path class="ideal" d="M600 24V102"/>
        <text class="middle" x="600" y="16">+0 %</text>
        <path class="grid" d="M735 24V102"/>
        <text class="middle" x="735" y="16">+100 %</text>
        <path class="grid" d="M870 24V102"/>
        <text class="middle" x="870" y="16">+300 %</text>
        <text class="end" x="315" y="44">slower (1)</text>
        <path class="line b" d="M679 40H870"/>
        <path class="mark b" d="M731.5 36.5h7v7h-7Z"><title>slower (1): +100 %, slower</title></path>
        <text class="end" x="315" y="62">unchanged (1)</text>
        <path class="line a" d="M600 58H600"/>
        <path class="mark a" d="M596 58a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z"><title>unchanged (1): +0 %, unchanged</title></path>
        <text class="end" x="315" y="80">heavier (1)</text>
        <path class="line b" d="M600 76H600"/>
        <path class="mark b" d="M596.5 72.5h7v7h-7Z"><title>heavier (1): +0 %, needs more memory</title></path>
        <text class="end" x="315" y="98">faster (1)</text>
        <path class="line d" d="M465 94H465"/>
        <path class="mark d" d="M465 89l5 5l-5 5l-5 -5Z"><title>faster (1): -50 %, faster</title></path>
        </svg>
        """)
    // The axis is as long for what is faster, and not too short for what is unchanged.
    #expect(drawing(rows[1], rows[0]).contains { $0.hasSuffix(">+300 %</text>") })
    #expect(drawing(rows[0], rows[0]).contains { $0.hasSuffix(">+25 %</text>") })
  }
}
