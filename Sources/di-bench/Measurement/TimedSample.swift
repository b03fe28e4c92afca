internal import Foundation

/// One sample of one candidate.
struct TimedSample: Sendable {
  let candidate: Candidate
  let sample: Sampler.Sample

  /// When it was taken.
  let time: Date

  /// Whether the time of an operation had settled before.
  var isSteady = true

  /// How many objects one operation allocates, if that was counted.
  var allocationsPerOperation: Double?

  /// The time that one operation took on one thread.
  var nanosecondsPerOperation: Double {
    Double(sample.nanoseconds) * Double(candidate.threads) / Double(sample.operations)
  }
}

extension ResultRow {
  /// The rows of a group's samples in one round, which are paired.
  static func rows(
    of samples: [TimedSample], launch: Int, round: Int, in environment: RunEnvironment
  ) -> [ResultRow] {
    guard let scenario = samples.first?.candidate.scenario else { return [] }
    let reference = samples.first { $0.candidate.implementation.name == scenario.reference?.name }
    let subject = samples.first { $0.candidate.implementation.name == scenario.subject.name }
    return samples.map { timed in
      let candidate = timed.candidate
      let sample = timed.sample
      var row = environment.row
      row.time = timed.time.ISO8601Format()
      row.scenario = scenario.name
      row.implementation = candidate.implementation.name
      row.threads = candidate.threads
      row.registrations = scenario.size ?? subject?.sample.registrations
      row.depth = scenario.depth
      row.launch = launch
      row.round = round
      row.operations = sample.operations
      row.elapsedNanoseconds = sample.nanoseconds
      row.nanosecondsPerOperation = timed.nanosecondsPerOperation
      row.operationsPerSecond = Double(sample.operations) / (Double(sample.nanoseconds) * 1e-9)
      if let reference, candidate.implementation.name != scenario.reference?.name {
        row.reference = scenario.reference?.name
        row.ratioToReference = timed.nanosecondsPerOperation / reference.nanosecondsPerOperation
      }
      row.allocationsPerOperation = timed.allocationsPerOperation
      row.bytesPerOperation = sample.growth.map { Double($0) / Double(sample.operations) }
      if candidate.busyThreads > environment.cores { row.quality.insert(.oversubscribed) }
      if !timed.isSteady { row.quality.insert(.unsteady) }
      return row
    }
  }
}
