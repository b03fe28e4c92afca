internal import Foundation

/// Throughput against threads, for one scenario.
struct Chart {
  /// The throughput of one implementation by number of threads, in millions of operations per second.
  typealias Line = (name: String, points: [(threads: Int, throughput: Estimate)])
  let title: String
  let cores: Int
  /// The subject first.
  let lines: [Line]

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
      let points = groups.compactMap { group in
        group.throughput(name).map { (threads: group.key.threads, throughput: $0) }
      }
      return (name, points.sorted { $0.threads < $1.threads })
    }
  }

  /// All numbers of threads.
  var threads: [Int] { Set(lines.flatMap { $0.points.map(\.threads) }).sorted() }

  /// The chart in words, for those who do not see it.
  var description: String {
    lines.map { line in
      let points = line.points.map { "\($0.throughput.median.short) on \($0.threads.counted("thread"))" }
      return "\(line.name): \(points.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  /// The powers of ten that all throughputs are between.
  var decades: ClosedRange<Int> {
    let values = lines.flatMap { $0.points.flatMap { [$0.throughput.lower, $0.throughput.upper] } } + ideal.map(\.1)
    let logarithms = values.filter { $0 > 0 }.map { log10($0) }
    let lowest = Int((logarithms.min() ?? 0).rounded(.down))
    return lowest...max(lowest + 1, Int((logarithms.max() ?? 1).rounded(.up)))
  }

  /// Perfect scaling of the subject, from one thread up to the number of cores; empty if that is not known.
  var ideal: [(Int, Double)] {
    guard let single = lines[0].points.first(where: { $0.threads == 1 })?.throughput.median else { return [] }
    return threads.filter { $0 <= cores }.map { ($0, single * Double($0)) }
  }
}
