internal import Foundation

/// One sample of one cell.
struct TimedSample: Sendable {
  let cell: Cell

  /// Which round it belongs to, from 1; the samples of a group and a round are paired.
  let round: Int

  let sample: Sampler.Sample

  /// When it was taken.
  let time: Date

  /// The time that one operation took on one thread.
  var nanosecondsPerOperation: Double {
    Double(sample.nanoseconds) * Double(cell.threads) / Double(sample.operations)
  }

  /// What all threads together achieved.
  var operationsPerSecond: Double {
    Double(sample.operations) / (Double(sample.nanoseconds) * 1e-9)
  }
}
