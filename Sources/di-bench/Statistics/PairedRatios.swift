/// Compares samples that were taken right after each other.
struct PairedRatios {
  private struct Key: Hashable {
    let scenario: String
    let implementation: String
    let threads: Int
    let round: Int
  }

  private let nanoseconds: [Key: Double]

  init(_ measurements: [TimedSample]) {
    nanoseconds = Dictionary(
      measurements.map { measurement in
        let cell = measurement.cell
        let key = Key(
          scenario: cell.scenario.label, implementation: cell.implementation.name, threads: cell.threads,
          round: measurement.round)
        return (key, measurement.nanosecondsPerOperation)
      }, uniquingKeysWith: { first, _ in first })
  }

  /// What all threads of a sample achieved together, divided by what one thread achieved in the same round.
  func scaling(of measurement: TimedSample) -> Double? {
    let cell = measurement.cell
    let key = Key(
      scenario: cell.scenario.label, implementation: cell.implementation.name, threads: 1, round: measurement.round)
    return nanoseconds[key].map { $0 * Double(cell.threads) / measurement.nanosecondsPerOperation }
  }

  /// The time per operation of a sample, divided by that of another implementation in the same round.
  func ratio(of measurement: TimedSample, to implementation: String) -> Double? {
    let cell = measurement.cell
    let key = Key(
      scenario: cell.scenario.label, implementation: implementation, threads: cell.threads, round: measurement.round)
    return nanoseconds[key].map { measurement.nanosecondsPerOperation / $0 }
  }
}
