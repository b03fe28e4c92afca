internal import Foundation

/// Times or throughputs of several implementations against something that grows.
struct Chart {
  /// The quantity that grows, on a logarithmic axis.
  enum Axis: String, CaseIterable {
    case threads, registrations, depth

    var heading: String {
      switch self {
      case .threads: "Operations per second against threads"
      case .registrations: "Time against registrations"
      case .depth: "Time against depth"
      }
    }

    /// The title of the chart that a cell is in, and its place there.
    func place(of group: ResultGroup) -> (title: String, x: Int) {
      switch self {
      case .threads: (group.label, group.key.threads)
      case .registrations: (group.key.scenario, group.key.registrations ?? 0)
      case .depth: (String(group.key.scenario.prefix { $0 != "/" }), group.key.depth)
      }
    }

    /// A power of ten of millions of operations per second, or of nanoseconds, in the usual units.
    func label(_ decade: Int) -> String {
      let decade = self == .threads ? decade + 6 : decade
      let units = self == .threads ? ["", "k", "M", "G", "T"] : [" ns", " µs", " ms", " s"]
      let unit = min(max(decade, 0) / 3, units.count - 1)
      return "\(pow(10, Double(decade - unit * 3)).fixed(max(0, unit * 3 - decade)))\(units[unit])"
    }
  }

  typealias Point = (x: Int, value: Estimate, label: String)
  let title: String
  let axis: Axis
  let cores: Int
  /// The subject first.
  let lines: [(name: String, points: [Point])]

  /// A chart for each benchmark that was measured on several numbers of threads or registrations, or, against depth, for
  /// each family of benchmarks.
  static func charts(of groups: [ResultGroup], against axis: Axis) -> [Chart] {
    let title = { (group: ResultGroup) in axis.place(of: group).title }
    let groups = groups.filter { axis == .threads || $0.key.threads == 1 && (axis != .depth || $0.key.depth > 1) }
    return groups.map(title).uniqued.compactMap { name in Chart(name, axis, groups.filter { title($0) == name }) }
  }

  private init?(_ title: String, _ axis: Axis, _ groups: [ResultGroup]) {
    let x = { (group: ResultGroup) in max(1, axis.place(of: group).x) }
    guard let first = groups.first, Set(groups.map(x)).count > 1 else { return nil }
    self.title = title
    self.axis = axis
    cores = first.cores
    lines = groups.flatMap(\.implementations).uniqued.map { name in
      let points = groups.compactMap { group in
        (axis == .threads ? group.throughput(name) : group.nanoseconds(name)).map { (x(group), $0, group.label) }
      }
      return (name, points.sorted { $0.0 < $1.0 })
    }
  }

  var positions: [Int] { Set(lines.flatMap { $0.points.map(\.x) }).sorted() }

  func description(_ point: Point) -> String {
    axis == .threads
      ? "\(point.value.median.short) M/s on \(point.x.counted("thread"))"
      : "\(point.value.median.short) ns in \(point.label)"
  }

  /// The chart in words, for those who cannot see it.
  var description: String {
    lines.map { "\($0.name): \($0.points.map(description).joined(separator: ", "))" }.joined(separator: "; ")
  }

  /// The powers of ten between which all values lie.
  var decades: ClosedRange<Int> {
    let values = lines.flatMap { $0.points.flatMap { [$0.value.lower, $0.value.upper] } } + ideal.map(\.1)
    let logarithms = values.map { log10($0) }
    let lowest = Int((logarithms.min() ?? 0).rounded(.down))
    return lowest...max(lowest + 1, Int((logarithms.max() ?? 1).rounded(.up)))
  }

  /// Perfect scaling of the subject, from one thread up to the number of cores; empty if that is not known.
  var ideal: [(Int, Double)] {
    guard axis == .threads, let single = lines[0].points.first(where: { $0.x == 1 })?.value.median else { return [] }
    return positions.filter { $0 <= cores }.map { ($0, single * Double($0)) }
  }
}
