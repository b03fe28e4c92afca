internal import Foundation

/// Draws charts beside and below each other, as SVG.
///
/// Colors are those of people who do not tell red from green; each line has a marker of its own as well.
struct ChartDrawing {
  let charts: [Chart]
  /// The name of the run, for the title.
  let run: String
  private static let panel = (width: 360.0, height: 250.0, left: 52.0, right: 346.0, top: 34.0, bottom: 210.0)
  private var columns: Int { min(charts.count, 2) }

  private var implementations: [String] {
    var names: [String] = []
    for name in charts.flatMap({ $0.lines.map(\.name) }) where !names.contains(name) { names.append(name) }
    return names
  }

  /// The picture.
  var text: String {
    let heading = 38 + 16 * Double((implementations.count + 3) / 3)
    let width = Double(columns) * Self.panel.width
    let height = heading + Double((charts.count + columns - 1) / columns) * Self.panel.height
    let words = charts.map { "\($0.title): \($0.description)." }.joined(separator: " ")
    var lines = [
      """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" width="\(number(width))" \
      height="\(number(height))" role="img" aria-labelledby="title description">
      <title id="title">Throughput against threads, \(escaped(run))</title>
      <desc id="description">Millions of operations per second. \(escaped(words))</desc>
      <style>\(Self.styleSheet)</style>
      <rect class="paper" width="\(number(width))" height="\(number(height))"/>
      """, label("title", 14, 22, "Operations per second against threads"),
    ]
    for (index, name) in (implementations + ["ideal scaling; band: 95 %"]).enumerated() {
      let (x, y) = (14 + Double(index % 3) * (width - 28) / 3, 40 + Double(index / 3) * 16)
      let style = index < implementations.count ? style(of: name) : nil
      lines.append(path(style.map { "line \($0)" } ?? "ideal", "M\(number(x)) \(number(y))h18"))
      if let style { lines.append(marker(style, x + 9, y)) }
      lines.append(label("", x + 24, y + 4, String(name.trimmingPrefix("reference/"))))
    }
    for (index, chart) in charts.enumerated() {
      let (x, y) = (Double(index % columns) * Self.panel.width, heading + Double(index / columns) * Self.panel.height)
      lines += ["<g transform=\"translate(\(number(x)) \(number(y)))\">"] + panel(chart) + ["</g>"]
    }
    return lines.joined(separator: "\n") + "\n</svg>\n"
  }

  /// One chart: numbers of threads by their binary logarithm, throughput by its decimal one.
  private func panel(_ chart: Chart) -> [String] {
    let panel = Self.panel
    let (most, decades) = (log2(Double(chart.threads.last ?? 1)), chart.decades)
    let least = log2(Double(chart.threads.first ?? 1))
    let x = { (threads: Int) in
      panel.left + 14 + (log2(Double(threads)) - least) / (most - least) * (panel.right - panel.left - 28)
    }
    let y = { (value: Double) in
      let part = (log10(max(value, 1e-12)) - Double(decades.lowerBound)) / Double(decades.count - 1)
      return panel.bottom - min(1, max(0, part)) * (panel.bottom - panel.top)
    }
    let line = { (points: [(Double, Double)]) in
      points.enumerated().map { "\($0 == 0 ? "M" : "L")\(number($1.0)) \(number($1.1))" }.joined()
    }
    var parts = [label("name", panel.left, 22, chart.title)]
    for decade in decades {
      let y = y(pow(10, Double(decade)))
      parts.append(path("grid", "M\(number(panel.left)) \(number(y))H\(number(panel.right))"))
      parts.append(label("end", panel.left - 6, y + 4, Self.label(decade)))
    }
    for threads in chart.threads {
      parts.append(
        label("middle", x(threads), panel.bottom + 16, threads == chart.cores ? "\(threads) = cores" : "\(threads)"))
    }
    parts.append(label("middle", (panel.left + panel.right) / 2, panel.bottom + 31, "threads"))
    if chart.ideal.count > 1 { parts.append(path("ideal", line(chart.ideal.map { (x($0.0), y($0.1)) }))) }
    // The subject last, on top.
    for (name, points) in chart.lines.reversed() {
      let style = style(of: name)
      let upper = points.map { (x($0.threads), y($0.throughput.upper)) }
      let lower = points.map { (x($0.threads), y($0.throughput.lower)) }
      let middle = points.map { (x($0.threads), y($0.throughput.median)) }
      parts += [path("band \(style)", line(upper + lower.reversed()) + "Z"), path("line \(style)", line(middle))]
      parts += middle.map { marker(style, $0.0, $0.1) }
    }
    return parts
  }

  /// The class of a line; what is not known looks like the container.
  private func style(of name: String) -> String {
    switch name {
    case Benchmark.Implementation.lockedDictionary: "b"
    case Benchmark.Implementation.serialQueue: "c"
    case _ where name.hasPrefix("reference/"): "d"
    default: "a"
    }
  }

  private func path(_ style: String, _ shape: String) -> String { "<path class=\"\(style)\" d=\"\(shape)\"/>" }

  private func label(_ style: String, _ x: Double, _ y: Double, _ text: String) -> String {
    "<text class=\"\(style)\" x=\"\(number(x))\" y=\"\(number(y))\">\(escaped(text))</text>"
  }

  private func marker(_ style: String, _ x: Double, _ y: Double) -> String {
    let shape =
      switch style {
      case "a": "M\(number(x - 4)) \(number(y))a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z"
      case "b": "M\(number(x - 3.5)) \(number(y - 3.5))h7v7h-7Z"
      case "c": "M\(number(x)) \(number(y - 4.5))l4.5 8h-9Z"
      default: "M\(number(x)) \(number(y - 5))l5 5l-5 5l-5 -5Z"
      }
    return path("mark \(style)", shape)
  }

  private func number(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : value.fixed(1) }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  /// A power of ten of millions as people say it.
  private static func label(_ decade: Int) -> String {
    let decade = decade + 6
    let unit = min(max(decade, 0) / 3, 4)
    return "\(pow(10, Double(decade - unit * 3)).fixed(max(0, unit * 3 - decade)))\(["", "k", "M", "G", "T"][unit])"
  }

  /// The colors, on light and on dark paper.
  private static let styleSheet = """
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
}
