/// The identity of a cell, in which implementations are compared with each other, within a file.
struct CellKey: Hashable {
  let scenario: String
  let registrations: Int?
  let depth, threads: Int

  /// Returns a function that names these keys so that the names tell them apart, threads aside.
  static func labels(of keys: some Sequence<CellKey>) -> (CellKey) -> String {
    let differing = Dictionary(grouping: Set(keys), by: \.scenario).mapValues { keys in
      (registrations: Set(keys.map(\.registrations)).count > 1, depth: Set(keys.map(\.depth)).count > 1)
    }
    return { key in
      var label = key.scenario
      if differing[key.scenario]?.registrations == true { label += "/\(key.registrations.map { "\($0)" } ?? "-")" }
      if differing[key.scenario]?.depth == true { label += "/\(key.depth)" }
      return label
    }
  }
}

extension [ResultRow] {
  /// The rows of the cells whose labels a filter matches; all without a filter.
  func matching(_ filter: ((String) -> Bool)?) -> [ResultRow] {
    guard let filter else { return self }
    let label = CellKey.labels(of: map(\.key))
    // Where there is one size only, the label lacks it.
    return self.filter { row in
      filter(label(row.key)) || row.registrations.map { filter("\(row.scenario)/\($0)") } == true
    }
  }

  /// The rows of the cells that other rows have, too.
  func within(_ others: [ResultRow]) -> [ResultRow] {
    let keys = Set(others.map(\.key))
    return filter { keys.contains($0.key) }
  }
}

extension Sequence where Element: Hashable {
  /// The elements without repetitions, each in its first position.
  var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
