internal import Foundation

/// Draws charts in a grid, as SVG.
///
/// The colors suit people who cannot tell red from green; each line has a marker of its own as well.
struct ChartDrawing {
  let charts: [Chart]
  let run: String
  var columns = 2
  private static let panel = (width: 360.0, height: 250.0, left: 52.0, right: 346.0, top: 34.0, bottom: 210.0)
  private var axis: Chart.Axis { charts[0].axis }

  private var implementations: [String] { charts.flatMap { $0.lines.map(\.name) }.uniqued }

  var text: String {
    let columns = min(columns, charts.count)
    let heading = 38 + 16 * Double((implementations.count + 3) / 3)
    let width = Double(columns) * Self.panel.width
    let height = heading + Double((charts.count + columns - 1) / columns) * Self.panel.height
    let words = charts.map { "\($0.title): \($0.description)." }.joined(separator: " ")
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" width="\(number(width))" \
      height="\(number(height))" role="img" aria-labelledby="\(axis)-title \(axis)-text">
      <title id="\(axis)-title">\(axis.heading), \(escaped(run))</title>
      <desc id="\(axis)-text">\(escaped(words))</desc>
      <style>\(Self.styleSheet)</style>
      <rect class="paper" width="\(number(width))" height="\(number(height))"/>
      """, label("title", 14, 22, axis.heading),
    ]
    let notes = [Chart.Axis.threads: ["ideal scaling; band: 95 %"], .registrations: ["band: 95 %"]][axis] ?? []
    for (index, name) in (implementations + notes).enumerated() {
      let (x, y) = (14 + Double(index % 3) * (width - 28) / 3, 40 + Double(index / 3) * 16)
      let style = index < implementations.count ? style(of: name) : nil
      if style != nil || axis == .threads {
        lines.append(path(style.map { "line \($0)" } ?? "ideal", "M\(number(x)) \(number(y))h18"))
      }
      if let style { lines.append(marker(style, x + 9, y)) }
      lines.append(label("", x + 24, y + 4, String(name.trimmingPrefix("reference/"))))
    }
    for (index, chart) in charts.enumerated() {
      let (x, y) = (Double(index % columns) * Self.panel.width, heading + Double(index / columns) * Self.panel.height)
      lines += ["<g transform=\"translate(\(number(x)) \(number(y)))\">"] + panel(chart) + ["</g>"]
    }
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  /// One chart, on logarithmic axes.
  private func panel(_ chart: Chart) -> [String] {
    let panel = Self.panel
    let (positions, decades) = (chart.positions, chart.decades)
    // A file may say that nothing was registered.
    let logarithms = positions.map { log2(Double(max(1, $0))) }
    let (least, most) = (logarithms[0], logarithms[logarithms.count - 1])
    let x = { (position: Int) in
      panel.left + 14 + (log2(Double(max(1, position))) - least) / (most - least) * (panel.right - panel.left - 28)
    }
    let y = { (value: Double) in
      let part = (log10(value) - Double(decades.lowerBound)) / Double(decades.count - 1)
      return panel.bottom - part * (panel.bottom - panel.top)
    }
    let line = { (points: [(Double, Double)]) in
      points.enumerated().map { "\($0 == 0 ? "M" : "L")\(number($1.0)) \(number($1.1))" }.joined()
    }
    var parts = [label("name", panel.left, 22, chart.title)]
    for decade in decades {
      let y = y(pow(10, Double(decade)))
      parts.append(path("grid", "M\(number(panel.left)) \(number(y))H\(number(panel.right))"))
      parts.append(label("end", panel.left - 6, y + 4, chart.axis.label(decade)))
    }
    for position in positions {
      let isCores = chart.axis == .threads && position == chart.cores
      parts.append(label("middle", x(position), panel.bottom + 16, isCores ? "\(position) = cores" : "\(position)"))
    }
    parts.append(label("middle", (panel.left + panel.right) / 2, panel.bottom + 31, chart.axis.rawValue))
    if chart.ideal.count > 1 { parts.append(path("ideal", line(chart.ideal.map { (x($0.0), y($0.1)) }))) }
    // The subject last, on top.
    for (name, points) in chart.lines.reversed() {
      let style = style(of: name)
      let middle = points.map { (x($0.x), y($0.value.median)) }
      // Benchmarks of different depths are unrelated: nothing is between them.
      if chart.axis != .depth {
        let upper = points.map { (x($0.x), y($0.value.upper)) }
        let lower = points.map { (x($0.x), y($0.value.lower)) }
        parts += [path("band \(style)", line(upper + lower.reversed()) + "Z"), path("line \(style)", line(middle))]
      }
      parts += zip(points, middle).map { marker(style, $1.0, $1.1, "\(name): \(chart.description($0))") }
    }
    return parts
  }

  private func style(of name: String) -> String {
    switch name {
    case Benchmark.Implementation.lockedDictionary: "b"
    case Benchmark.Implementation.serialQueue: "c"
    case _ where name.hasPrefix("reference/"): "d"
    default: "a"
    }
  }

  static let styleSheet = """
    text { font: 12px system-ui, sans-serif; fill: #333; } .title { font-size: 15px; font-weight: 600; } \
    .name { font-weight: 600; } .end { text-anchor: end; } .middle { text-anchor: middle; } .paper { fill: #fff; } \
    .grid { stroke: #ddd; } .ideal { fill: none; stroke: #777; stroke-width: 1.5; stroke-dasharray: 6 4; } \
    .line { fill: none; stroke-width: 2; } .band { stroke: none; opacity: 0.2; } \
    .line.a { stroke: #0072b2; } .band.a, .mark.a { fill: #0072b2; } \
    .line.b { stroke: #b35900; } .band.b, .mark.b { fill: #b35900; } \
    .line.c { stroke: #a3336b; } .band.c, .mark.c { fill: #a3336b; } \
    .line.d { stroke: #00795a; } .band.d, .mark.d { fill: #00795a; } \
    @media (prefers-color-scheme: dark) { text { fill: #ddd; } .paper { fill: #16191d; } .grid { stroke: #3a3f45; } \
    .ideal { stroke: #aaa; } .line.a { stroke: #56b4e9; } .band.a, .mark.a { fill: #56b4e9; } \
    .line.b { stroke: #f0a030; } .band.b, .mark.b { fill: #f0a030; } \
    .line.c { stroke: #e58bb8; } .band.c, .mark.c { fill: #e58bb8; } \
    .line.d { stroke: #35c79b; } .band.d, .mark.d { fill: #35c79b; } }
    """

  // MARK: A run beside another

  /// The changes of all cells, as dots with their intervals on a logarithmic axis.
  static func changes(_ comparison: Comparison) -> String {
    let cells = comparison.cells.compactMap { cell in
      cell.change.map { (cell: cell, change: $0, range: cell.interval ?? $0...$0) }
    }.sorted { $0.change > $1.change }
    let ends = cells.flatMap { [$0.change, $0.range.lowerBound, $0.range.upperBound] }
    let most = max(log(1.25), ends.map { abs(log($0)) }.max() ?? 0)
    let x = { (ratio: Double) in 600 + log(ratio) / most * 270 }
    let height = Double(cells.count * 18 + 50)
    var lines = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 900 \(number(height))\" role=\"img\">"
        + "<title>\(escaped(comparison.conclusion))</title>"
    ]
    for tick in [1 / exp(most), 1 / exp(most / 2), 1, exp(most / 2), exp(most)] {
      lines.append(path(tick == 1 ? "ideal" : "grid", "M\(number(x(tick))) 24V\(number(height - 20))"))
      lines.append(label("middle", x(tick), 16, Summary.percent(tick, 0)))
    }
    for (index, (cell, change, range)) in cells.enumerated() {
      let y = Double(index * 18 + 40)
      let style = [.slower, .heavier].contains(cell.verdict) ? "b" : cell.verdict == .faster ? "d" : "a"
      let note = "\(cell.name): \(Summary.percent(change)), \(cell.verdict.rawValue)"
      lines.append(label("end", 315, y + 4, cell.name))
      let (start, end) = (number(x(range.lowerBound)), number(x(range.upperBound)))
      lines.append(path("line \(style)", "M\(start) \(number(y))H\(end)"))
      lines.append(marker(style, x(change), y, note))
    }
    return lines.joined(separator: "\n") + "\n</svg>"
  }
}

private func path(_ style: String, _ shape: String, _ note: String? = nil) -> String {
  let end = note.map { "><title>\(escaped($0))</title></path>" } ?? "/>"
  return "<path class=\"\(style)\" d=\"\(shape)\"" + end
}

private func label(_ style: String, _ x: Double, _ y: Double, _ text: String) -> String {
  "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\">\(escaped(text))</text>"
}

private func marker(_ style: String, _ x: Double, _ y: Double, _ note: String? = nil) -> String {
  let shape =
    switch style {
    case "a": "M\(number(x - 4)) \(number(y))a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z"
    case "b": "M\(number(x - 3.5)) \(number(y - 3.5))h7v7h-7Z"
    case "c": "M\(number(x)) \(number(y - 4.5))l4.5 8h-9Z"
    default: "M\(number(x)) \(number(y - 5))l5 5l-5 5l-5 -5Z"
    }
  return path("mark \(style)", shape, note)
}

private func number(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : value.fixed(1) }

/// Returns text escaped for XML.
private func escaped(_ text: String) -> String {
  String(text.map { $0.unicodeScalars.contains { $0.value < 32 } ? " " : $0 })
    .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    .replacing("\"", with: "&quot;")
}

/// A run in one self-contained HTML file.
enum ChartPage {
  /// The page: the answer, the changes to a base if there is one, the charts, and all figures.
  static func text(_ groups: [ResultGroup], run: String, against base: (name: String, comparison: Comparison)?)
    -> String
  {
    var parts = ["<h1>\(escaped(run))</h1>", "<p>\(escaped(ResultTable.summary(groups)))</p>"]
    if let base {
      parts += ["<h2>Beside \(escaped(base.name))</h2>", "<p>\(escaped(base.comparison.conclusion))</p>"]
      parts.append(ChartDrawing.changes(base.comparison))
    }
    for axis in Chart.Axis.allCases {
      let charts = Chart.charts(of: groups, against: axis)
      if !charts.isEmpty { parts.append(ChartDrawing(charts: charts, run: run, columns: 3).text) }
    }
    let table = ResultTable.table(groups)
    let row = { (fields: [String], tag: String) in
      "<tr>" + fields.map { "<\(tag)>\(escaped($0))</\(tag)>" }.joined() + "</tr>"
    }
    parts +=
      ["<h2>All figures</h2>", "<table>", row(table.header, "th")] + table.rows.map { row($0, "td") } + ["</table>"]
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width"/>
      <title>\(escaped(run))</title>
      <style>:root { color-scheme: light dark; } body { font: 15px system-ui, sans-serif; margin: 2em auto; max-width: 1080px; }
      svg { max-width: 100%; height: auto; } table { border-collapse: collapse; font-size: 13px; display: block; overflow: auto; }
      td, th { padding: 2px 8px; text-align: right; white-space: nowrap; } td:first-child, th:first-child { text-align: left; }
      tr:nth-child(even) { background: #8882; } \(ChartDrawing.styleSheet)</style></head>
      <body>
      \(parts.joined(separator: "\n"))
      </body></html>

      """
  }
}
