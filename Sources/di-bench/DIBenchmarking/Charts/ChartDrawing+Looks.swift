internal import Foundation

/// What lines and labels look like.
extension ChartDrawing {
  /// The class of a line; what is not known looks like the last.
  func style(of name: String) -> String {
    switch name {
    case Scenario.Implementation.lockedDictionary: "b"
    case Scenario.Implementation.serialQueue: "c"
    case _ where name.hasPrefix("reference/"): "d"
    default: "a"
    }
  }

  func marker(_ style: String, _ x: Double, _ y: Double, _ svg: inout SVG) {
    let shape =
      switch style {
      case "a": "M\(number(x - 4)) \(number(y))a4 4 0 1 0 8 0a4 4 0 1 0 -8 0Z"
      case "b": "M\(number(x - 3.5)) \(number(y - 3.5))h7v7h-7Z"
      case "c": "M\(number(x)) \(number(y - 4.5))l4.5 8h-9Z"
      default: "M\(number(x)) \(number(y - 5))l5 5l-5 5l-5 -5Z"
      }
    svg.add("path", ["class": "mark \(style)", "d": shape])
  }

  func path(_ points: [(Double, Double)]) -> String {
    points.enumerated().map { "\($0 == 0 ? "M" : "L")\(number($1.0)) \(number($1.1))" }.joined()
  }

  func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : value.fixed(1)
  }

  /// A power of ten as people say it.
  static func label(_ decade: Int) -> String {
    let units = ["", "k", "M", "G", "T"]
    let unit = min(max(decade, 0) / 3, units.count - 1)
    return "\(pow(10, Double(decade - unit * 3)).fixed(max(0, unit * 3 - decade)))\(units[unit])"
  }

  /// The colors, on light and on dark paper.
  static let styleSheet = """
    text { font: 12px system-ui, sans-serif; fill: #333; } .title { font-size: 15px; font-weight: 600; } \
    .name { font-weight: 600; } .end { text-anchor: end; } .middle { text-anchor: middle; } .paper { fill: #fff; } \
    .grid { stroke: #ddd; } .cores { stroke: #888; stroke-dasharray: 2 3; } \
    .ideal { fill: none; stroke: #777; stroke-width: 1.5; stroke-dasharray: 6 4; } \
    .line { fill: none; stroke-width: 2; } .band { stroke: none; opacity: 0.2; } \
    .line.a { stroke: #0072b2; } .band.a, .mark.a { fill: #0072b2; } \
    .line.b { stroke: #b35900; } .band.b, .mark.b { fill: #b35900; } \
    .line.c { stroke: #a3336b; } .band.c, .mark.c { fill: #a3336b; } \
    .line.d { stroke: #00795a; } .band.d, .mark.d { fill: #00795a; } \
    @media (prefers-color-scheme: dark) { text { fill: #ddd; } .paper { fill: #16191d; } .grid { stroke: #3a3f45; } \
    .cores { stroke: #999; } .ideal { stroke: #aaa; } \
    .line.a { stroke: #56b4e9; } .band.a, .mark.a { fill: #56b4e9; } \
    .line.b { stroke: #f0a030; } .band.b, .mark.b { fill: #f0a030; } \
    .line.c { stroke: #e58bb8; } .band.c, .mark.c { fill: #e58bb8; } \
    .line.d { stroke: #35c79b; } .band.d, .mark.d { fill: #35c79b; } }
    """
}
