internal import Foundation

/// Throughput against threads, for one scenario.
struct Chart {
  /// What one implementation achieves.
  struct Line {
    let name: String
    let points: [Point]
  }

  /// What it achieves on a number of threads, in operations per second.
  struct Point {
    let threads: Int
    let throughput: Estimate
  }

  let title: String
  let cores: Int

  /// The subject first.
  let lines: [Line]

  /// What perfect scaling of the subject would be: the throughput of one thread, for each; nil if that is not known.
  let single: Double?

  /// A chart for each scenario that was measured on several numbers of threads.
  static func charts(of groups: [ResultGroup]) -> [Chart] {
    var labels: [String] = []
    for group in groups where !labels.contains(group.label) { labels.append(group.label) }
    return labels.compactMap { label in Chart(groups.filter { $0.label == label }) }
  }

  private init?(_ groups: [ResultGroup]) {
    guard let first = groups.first, Set(groups.map(\.key.threads)).count > 1 else { return nil }
    title = first.label
    cores = first.cores
    lines = first.implementations.map { name in
      Line(
        name: name,
        points: groups.compactMap { group in
          group.throughput(name).map { Point(threads: group.key.threads, throughput: $0) }
        }.sorted { $0.threads < $1.threads })
    }
    single = lines[0].points.first { $0.threads == 1 }?.throughput.median
  }

  /// All numbers of threads.
  var threads: [Int] { Set(lines.flatMap { $0.points.map(\.threads) }).sorted() }

  /// The chart in words, for those who do not see it.
  var description: String {
    lines.map { line in
      let points = line.points.map { point in
        "\((point.throughput.median * 1e-6).short) on \(point.threads) \(point.threads == 1 ? "thread" : "threads")"
      }
      return "\(line.name): \(points.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  // MARK: Scales

  /// The powers of ten that all throughputs are between.
  var decades: ClosedRange<Int> {
    let values =
      lines.flatMap { $0.points.flatMap { [$0.throughput.lower, $0.throughput.upper] } } + ideal.map(\.1)
    let logarithms = values.filter { $0 > 0 }.map { log10($0) }
    let lowest = Int((logarithms.min() ?? 0).rounded(.down))
    return lowest...max(lowest + 1, Int((logarithms.max() ?? 1).rounded(.up)))
  }

  /// Perfect scaling, up to the number of cores.
  var ideal: [(Int, Double)] {
    guard let single else { return [] }
    return threads.filter { $0 <= cores }.map { ($0, single * Double($0)) }
  }
}
