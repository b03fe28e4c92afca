internal import Foundation
internal import Testing

#if canImport(FoundationXML)
  internal import FoundationXML
#endif

@testable import DIBenchmarking
@testable import di_bench

@Suite("Reports")
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

  @Test("The table is on standard output, the chart in a file if somebody wants it, which is never replaced")
  func report() throws {
    try withFile(rows) { folder in
      let report = Transcript(["report", "a.csv", "--svg=a.svg"], in: folder)
      #expect(report.exitCode == .success, "\(report.errors)")
      let furthest = [1, 2, 4].map { "resolve/shared (\($0)) 1.61 ×" }.joined(separator: ", ")
      #expect(
        report.output.hasPrefix(
          """
          Time / that of the reference: 1.61 × in the geometric mean; of 3 compared cells, 3 slower; furthest: \(furthest).

          scenario        threads  ns/op  ratio  reference

          """))
      let all = Transcript(["report", "a.csv", "--all"], in: folder)
      #expect(all.output.contains("  Mop/s  scaling  alloc/op  bytes/op  "))
      #expect(report.output.split(separator: "\n").filter { $0.hasPrefix("resolve/shared") }.count == 3)
      #expect(report.errors == "Drew 1 chart: \(folder.path)/a.svg\n")
      let again = Transcript(["report", "a.csv"], in: folder)
      #expect(again.output == report.output)
      #expect(again.errors == "")
      #expect(Transcript(["report", "a.csv", "--svg=a.svg"], in: folder).exitCode == .cannotWrite)
    }
  }

  @Test("Markdown is a table that others render, and nothing is drawn if nobody wants it")
  func markdown() throws {
    try withFile(rows) { folder in
      let report = Transcript(["report", "a.csv", "--format=markdown"], in: folder)
      let lines = report.output.split(separator: "\n")
      #expect(lines[1].hasPrefix("| scenario | threads | ns/op |"))
      #expect(lines[2].hasPrefix("| --- | --: |"))
      #expect(lines[3].hasPrefix("| resolve/shared | 1 | 14.5 |"))
      #expect(report.errors == "")
      let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(files == ["a.csv"])
    }
  }

  @Test("What cannot be shown is one line with its exit code")
  func failures() throws {
    try withFile(rows) { folder in
      #expect(Transcript(["report", "none.csv"], in: folder).exitCode == .missingFile)
      #expect(Transcript(["report", "a.csv", "--filter=("], in: folder).exitCode == .usage)
      let nothing = Transcript(["report", "a.csv", "--filter=x"], in: folder)
      #expect(nothing.exitCode == .usage)
      #expect(nothing.errors.hasPrefix("Error: Nothing in this file matches 'x'\n"))
      #expect(Transcript(["report", "a.csv", "--svg=none/a.svg"], in: folder).exitCode == .cannotWrite)
      try OutputFile(path: folder.appending(path: "one.csv").path).write(
        ResultFile.text(of: rows.filter { $0.threads == 1 }))
      let flat = Transcript(["report", "one.csv", "--svg=one.svg"], in: folder)
      #expect(flat.exitCode == .usage)
      #expect(
        flat.errors.hasPrefix("Error: Nothing to draw: no benchmark was measured on several numbers of threads\n"))
    }
  }

  @Test("A chart has a line and a band for each implementation, ideal scaling to the cores, and a scale around all")
  func chart() throws {
    let chart = try #require(Chart.charts(of: ResultGroup.groups(of: rows)).first)
    #expect(chart.lines.map(\.name) == ["container", "reference/locked-dictionary", "reference/static-let"])
    #expect(chart.lines[0].points.map(\.threads) == [1, 2, 4])
    // 14.5 ns in the median of the launches, on each thread.
    #expect(chart.lines[0].points.map { $0.throughput.median.rounded() } == [69, 138, 276])
    #expect(chart.lines[0].points[0].throughput.lower < chart.lines[0].points[0].throughput.upper)
    #expect(chart.ideal.map(\.0) == [1, 2])
    #expect(chart.ideal.map { $0.1.rounded() } == [69, 138])
    // From 10 million to a thousand million.
    #expect(chart.decades == 1...3)
    #expect(chart.description.hasPrefix("container: 69.0 on 1 thread, 138 on 2 threads"))
    // One number of threads is no line.
    #expect(Chart.charts(of: ResultGroup.groups(of: rows.filter { $0.threads == 1 })).isEmpty)
  }

  @Test("The picture is well-formed, has a title and a description, and colors for light and dark")
  func picture() throws {
    let charts = Chart.charts(of: ResultGroup.groups(of: rows))
    let text = ChartDrawing(charts: charts, run: "<a> & \"b\"").text
    #expect(XMLParser(data: Data(text.utf8)).parse())
    #expect(text.contains("role=\"img\" aria-labelledby=\"title description\""))
    #expect(text.contains("<title id=\"title\">Throughput against threads, &lt;a&gt; &amp; &quot;b&quot;</title>"))
    #expect(
      text.contains("<desc id=\"description\">Millions of operations per second. resolve/shared: container: 69.0"))
    #expect(text.contains("@media (prefers-color-scheme: dark)"))
    #expect(text.ranges(of: "class=\"band ").count == 3)
    #expect(text.contains(">2 = cores</text>"))
    // A marker for each of nine points, and three in the legend.
    #expect(text.ranges(of: "class=\"mark ").count == 12)
  }
}
