internal import Foundation

/// All samples of a cell: of a scenario with a size, a depth and a number of threads.
struct ResultGroup {
  let key: CellKey
  let label: String
  let cores: Int

  /// What is judged.
  let subject: String

  /// The least that could do the same.
  let reference: String

  /// What changes are measured with: code that stays the same, and that is slowed by the same disturbances.
  let yardstick: String

  /// Whether there were more threads than cores.
  let isOversubscribed: Bool

  private let samples: [String: [ResultRow]]

  /// The groups of a run, in the order of the catalog, those that it does not know at the end.
  static func groups(of rows: [ResultRow]) -> [ResultGroup] {
    let byKey = Dictionary(grouping: rows) { CellKey($0) }
    let labels = CellKey.labels(of: byKey.keys)
    let order = Dictionary(
      Scenario.all.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    let rank = { (key: CellKey) in order[key.scenario] ?? order.count }
    return byKey.keys.sorted { (rank($0), $0) < (rank($1), $1) }
      .compactMap { key in ResultGroup(key, labels[key] ?? key.scenario, byKey[key] ?? []) }
  }

  private init?(_ key: CellKey, _ label: String, _ rows: [ResultRow]) {
    let samples = Dictionary(grouping: rows, by: \.implementation)
    // A scenario about a reference measures the implementation that it is named after.
    let subject = samples.keys.first { $0 == Scenario.Implementation.container || key.scenario.hasPrefix($0) }
    guard let subject, let reference = samples[subject]?.lazy.compactMap(\.reference).first else { return nil }
    self.key = key
    self.label = label
    self.samples = samples
    self.subject = subject
    self.reference = reference
    let lockedDictionary = Scenario.Implementation.lockedDictionary
    yardstick = subject != lockedDictionary && samples[lockedDictionary] != nil ? lockedDictionary : reference
    cores = rows[0].cores
    isOversubscribed = rows.contains { $0.quality.contains(.oversubscribed) }
  }

  /// The names of all implementations, the subject first.
  var implementations: [String] {
    [subject] + samples.keys.filter { $0 != subject }.sorted()
  }

  // MARK: Statistics

  /// The medians of the launches of something that each sample has.
  func medians(_ implementation: String, of value: (ResultRow) -> Double?) -> [Double] {
    Dictionary(grouping: samples[implementation] ?? [], by: \.launch).sorted { $0.key < $1.key }
      .compactMap { $0.value.compactMap(value).median }
  }

  /// For each launch the median, over its rounds, of the logarithm of the ratio of the times of two implementations.
  ///
  /// Logarithms, because twice as fast and half as fast are equally far from the same.
  func logRatios(of first: String, to second: String) -> [Double] {
    let pairs = Dictionary(
      (samples[second] ?? []).map { (Round($0), $0.nanosecondsPerOperation) }, uniquingKeysWith: { first, _ in first })
    return medians(first) { row in
      guard let other = pairs[Round(row)], other > 0, row.nanosecondsPerOperation > 0 else { return nil }
      return log(row.nanosecondsPerOperation / other)
    }
  }

  private struct Round: Hashable {
    let launch: Int
    let round: Int

    init(_ row: ResultRow) {
      launch = row.launch
      round = row.round
    }
  }

  /// The ratio of the times of two implementations; nil if one was not measured.
  func ratio(of first: String, to second: String) -> Estimate? {
    Estimate(logRatios(of: first, to: second))?.map(exp)
  }

  /// The time of one operation on one thread.
  func nanoseconds(_ implementation: String) -> Estimate? {
    Estimate(medians(implementation) { $0.nanosecondsPerOperation })
  }

  /// What all threads together achieve.
  func throughput(_ implementation: String) -> Estimate? {
    Estimate(medians(implementation) { $0.operationsPerSecond })
  }

  /// The largest number of bytes that an operation left behind; nil if that was not measured.
  func bytes(_ implementation: String) -> Double? {
    samples[implementation]?.compactMap(\.bytesPerOperation).max()
  }

  /// How many objects an operation allocates; nil if that was not counted.
  func allocations(_ implementation: String) -> Double? {
    samples[implementation]?.compactMap(\.allocationsPerOperation).median
  }
}
