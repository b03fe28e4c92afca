internal import Foundation

/// All rows of a cell: of a scenario with a size, a depth and a number of threads.
struct ResultGroup {
  let key: CellKey
  let label, subject: String
  let reference: String?
  private let first: ResultRow
  private let rows: [String: [ResultRow]]

  /// The groups of a run, in the order of the file.
  static func groups(of rows: [ResultRow]) -> [ResultGroup] {
    let byKey = Dictionary(grouping: rows, by: \.key)
    let label = CellKey.labels(of: byKey.keys)
    return rows.map(\.key).uniqued.compactMap { ResultGroup($0, label($0), byKey[$0] ?? []) }
  }

  private init?(_ key: CellKey, _ label: String, _ rows: [ResultRow]) {
    guard let first = rows.first(where: { $0.role == .subject }) else { return nil }
    self.key = key
    self.label = label
    self.first = first
    self.rows = Dictionary(grouping: rows, by: \.implementation)
    subject = first.implementation
    reference = rows.first { $0.role == .reference }?.implementation
  }

  var cores: Int { first.cores }
  var gate: Benchmark.Gate { first.gate ?? .none }
  var harness: String? { first.harness }
  var hasOwnProcess: Bool { first.process == .own }
  var isOversubscribed: Bool { rows.values.joined().contains { $0.quality.contains(.oversubscribed) } }
  var isDebug: Bool { rows.values.joined().contains { $0.status == .debug } }
  var implementations: [String] { [subject] + controls }
  var controls: [String] { rows.keys.filter { $0 != subject }.sorted() }

  private func launches(_ implementation: String) -> [ResultRow] { rows[implementation] ?? [] }

  /// Returns the logarithm of the subject's time in each launch, as a ratio to a control's if there is one.
  ///
  /// Logarithms, because twice as fast and half as fast are equally far from unchanged.
  func logarithms(to control: String?) -> [Double] {
    guard let control else { return logarithms(of: subject) }
    return launches(control).compactMap { $0.ratioOfSubject.map(log) }
  }

  func logarithms(of implementation: String) -> [Double] { launches(implementation).map { log($0.nanoseconds) } }
  func ratio(to other: String) -> Estimate? { Estimate(launches(other).compactMap(\.ratioOfSubject)) }
  func nanoseconds(_ implementation: String) -> Estimate? { Estimate(launches(implementation).map(\.nanoseconds)) }
  func throughput(_ implementation: String) -> Estimate? { Estimate(launches(implementation).map(\.throughput)) }
  /// The time that 99 of 100 operations, or samples, do not exceed; nil if it is not known.
  func percentile99(_ implementation: String) -> Double? { launches(implementation).compactMap(\.percentile99).median }
  var bytes: [Double] { launches(subject).compactMap(\.bytes) }
  var allocations: Double? { launches(subject).lazy.compactMap(\.allocations).first }
}
