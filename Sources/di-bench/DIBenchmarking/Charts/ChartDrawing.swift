internal import Foundation

/// Draws charts beside and below each other.
struct ChartDrawing {
  let charts: [Chart]

  /// What the run was, for the title.
  let run: String

  private static let panel = (width: 360.0, height: 250.0)
  private static let margin = (left: 52.0, right: 14.0, top: 34.0, bottom: 40.0)
  private var columns: Int { min(charts.count, 2) }

  /// The title, and a legend with three names in a row.
  private var heading: Double { 38 + 16 * Double((implementations.count + 3) / 3) }

  private var implementations: [String] {
    var names: [String] = []
    for name in charts.flatMap({ $0.lines.map(\.name) }) where !names.contains(name) { names.append(name) }
    return names
  }

  /// The picture.
  ///
  /// Colors are those of people who do not tell red from green; each line has a shape of its own as well.
  var text: String {
    let rows = (charts.count + columns - 1) / columns
    let width = Double(columns) * Self.panel.width
    let height = heading + Double(rows) * Self.panel.height
    var svg = SVG()
    svg.add(
      "svg",
      [
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": "0 0 \(number(width)) \(number(height))",
        "width": number(width), "height": number(height), "role": "img", "aria-labelledby": "title description",
      ]
    ) { svg in
      svg.add("title", ["id": "title"], text: "Throughput against threads, \(run)")
      svg.add(
        "desc", ["id": "description"],
        text: "Millions of operations per second. "
          + charts.map { "\($0.title): \($0.description)." }.joined(separator: " "))
      svg.add("style", text: Self.styleSheet)
      svg.add("rect", ["class": "paper", "width": number(width), "height": number(height)])
      drawHeading(&svg)
      for (index, chart) in charts.enumerated() {
        let x = Double(index % columns) * Self.panel.width
        let y = heading + Double(index / columns) * Self.panel.height
        svg.add("g", ["transform": "translate(\(number(x)) \(number(y)))"]) { draw(chart, &$0) }
      }
    }
    return svg.text
  }

  // MARK: Heading

  private func drawHeading(_ svg: inout SVG) {
    svg.add("text", ["class": "title", "x": "14", "y": "22"], text: "Operations per second against threads")
    let step = (Double(columns) * Self.panel.width - 28) / 3
    for (index, name) in implementations.enumerated() {
      let x = 14 + Double(index % 3) * step
      let y = 40 + Double(index / 3) * 16
      let style = style(of: name)
      svg.add("path", ["class": "line \(style)", "d": "M\(number(x)) \(number(y))h18"])
      marker(style, x + 9, y, &svg)
      svg.add("text", ["x": number(x + 24), "y": number(y + 4)], text: String(name.trimmingPrefix("reference/")))
    }
    let x = 14 + Double(implementations.count % 3) * step
    let y = 40 + Double(implementations.count / 3) * 16
    svg.add("path", ["class": "ideal", "d": "M\(number(x)) \(number(y))h18"])
    svg.add("text", ["x": number(x + 24), "y": number(y + 4)], text: "ideal scaling; band: 95 %")
  }

  // MARK: One chart

  private func draw(_ chart: Chart, _ svg: inout SVG) {
    let scale = Scale(chart, Self.panel, Self.margin)
    svg.add("text", ["class": "name", "x": number(Self.margin.left), "y": "22"], text: chart.title)
    for decade in chart.decades {
      let y = scale.y(pow(10, Double(decade)))
      svg.add("path", ["class": "grid", "d": "M\(number(scale.left)) \(number(y))H\(number(scale.right))"])
      svg.add(
        "text", ["class": "end", "x": number(scale.left - 6), "y": number(y + 4)], text: Self.label(decade))
    }
    for threads in chart.threads {
      svg.add(
        "text", ["class": "middle", "x": number(scale.x(threads)), "y": number(scale.bottom + 16)],
        text: threads == chart.cores ? "\(threads) = cores" : "\(threads)")
    }
    svg.add(
      "text", ["class": "middle", "x": number((scale.left + scale.right) / 2), "y": number(scale.bottom + 31)],
      text: "threads")
    if chart.threads.contains(chart.cores) {
      let x = scale.x(chart.cores)
      svg.add("path", ["class": "cores", "d": "M\(number(x)) \(number(scale.top))V\(number(scale.bottom))"])
    }
    if chart.ideal.count > 1 {
      svg.add("path", ["class": "ideal", "d": path(chart.ideal.map { (scale.x($0.0), scale.y($0.1)) })])
    }
    // The subject last, on top.
    for line in chart.lines.reversed() {
      let style = style(of: line.name)
      let upper = line.points.map { (scale.x($0.threads), scale.y($0.throughput.upper)) }
      let lower = line.points.map { (scale.x($0.threads), scale.y($0.throughput.lower)) }
      svg.add("path", ["class": "band \(style)", "d": path(upper + lower.reversed()) + "Z"])
      let points = line.points.map { (scale.x($0.threads), scale.y($0.throughput.median)) }
      svg.add("path", ["class": "line \(style)", "d": path(points)])
      for point in points { marker(style, point.0, point.1, &svg) }
    }
  }

  /// Where things are: numbers of threads by their binary logarithm, throughput by its decimal one.
  private struct Scale {
    let left, right, top, bottom: Double
    private let threads: ClosedRange<Double>
    private let decades: ClosedRange<Double>

    init(
      _ chart: Chart, _ panel: (width: Double, height: Double),
      _ margin: (left: Double, right: Double, top: Double, bottom: Double)
    ) {
      left = margin.left
      right = panel.width - margin.right
      top = margin.top
      bottom = panel.height - margin.bottom
      threads = log2(Double(chart.threads[0]))...log2(Double(chart.threads[chart.threads.count - 1]))
      decades = Double(chart.decades.lowerBound)...Double(chart.decades.upperBound)
    }

    func x(_ count: Int) -> Double {
      left + 14 + (log2(Double(count)) - threads.lowerBound) / (threads.upperBound - threads.lowerBound)
        * (right - left - 28)
    }

    func y(_ throughput: Double) -> Double {
      let part = (log10(max(throughput, 1e-9)) - decades.lowerBound) / (decades.upperBound - decades.lowerBound)
      return bottom - min(1, max(0, part)) * (bottom - top)
    }
  }
}
