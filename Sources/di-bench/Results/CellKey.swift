/// What tells a cell, in which implementations are compared with each other, from all other cells of a file.
struct CellKey: Hashable, Comparable, Codable {
  let scenario: String
  let registrations: Int?
  let depth: Int
  let threads: Int

  init(_ row: ResultRow) {
    scenario = row.scenario
    registrations = row.registrations
    depth = row.depth
    threads = row.threads
  }

  /// By name, then by size, depth and threads.
  static func < (first: CellKey, second: CellKey) -> Bool {
    (first.scenario, first.registrations ?? 0, first.depth, first.threads)
      < (second.scenario, second.registrations ?? 0, second.depth, second.threads)
  }

  /// Whether a slowdown ends a comparison badly.
  ///
  /// With several threads or tasks, ratios of the same code differ by as much as the threads meet: that is reported only.
  var isGated: Bool {
    let others = ["contended/", "churn/", "async/first-resolve", "reference/"]
    return threads == 1 && !others.contains { scenario.hasPrefix($0) }
  }

  /// Names that tell these keys apart, threads aside.
  static func labels(of keys: some Sequence<CellKey>) -> [CellKey: String] {
    let keys = Set(keys)
    let byScenario = Dictionary(grouping: keys, by: \.scenario)
    return Dictionary(
      uniqueKeysWithValues: keys.map { key in
        let others = byScenario[key.scenario] ?? []
        var label = key.scenario
        if Set(others.map(\.registrations)).count > 1 { label += "/\(key.registrations.map { "\($0)" } ?? "-")" }
        if Set(others.map(\.depth)).count > 1 { label += "/\(key.depth)" }
        return (key, label)
      })
  }
}
