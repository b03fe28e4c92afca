extension ResultRow {
  /// The rows of a launch; those that stand out from others of their implementation and cell are marked.
  ///
  /// A sample stands out if it is further from the median of those than eight times the median deviation, and than
  /// a tenth of the median: on a quiet machine, deviations are so small that every sample would stand out.
  static func markingDisturbed(_ rows: [ResultRow]) -> [ResultRow] {
    let candidates = Dictionary(grouping: rows.indices) { index in
      "\(CellKey(rows[index])) \(rows[index].implementation)"
    }
    var rows = rows
    for indices in candidates.values where indices.count > 2 {
      let times = indices.map { rows[$0].nanosecondsPerOperation }
      guard let median = times.median, let deviation = times.medianDeviation else { continue }
      let limit = max(8 * deviation, median / 10)
      for (index, time) in zip(indices, times) where abs(time - median) > limit {
        rows[index].quality.insert(.disturbed)
      }
    }
    return rows
  }
}
