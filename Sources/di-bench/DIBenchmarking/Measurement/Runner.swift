internal import Synchronization

/// Carries out one launch of a plan, in this process.
struct Runner {
  let plan: Plan
  let launch: Int
  let environment: RunEnvironment
  let isDebug: Bool
  let childSampler: ChildSampler

  private struct Measured {
    let candidate: Candidate
    /// The calibration; nil for a candidate with a process of its own, which calibrates itself.
    var calibration: Calibration?
    /// Counted in the first launch only, because it is the same in all.
    var allocations: Double?
    var samples: [Sampler.Sample] = []
  }

  /// Measures everything, in rounds: in each, every candidate gets one sample.
  ///
  /// The candidates of a cell follow each other, in an order that changes from round to round, so that a disturbance of
  /// more than a few milliseconds affects all of them, and their ratio stays the same.
  func run() throws(CommandFailure) -> [ResultRow] {
    var cells = try plan.cells().map { cell throws(CommandFailure) in try cell.map(calibrate) }
    // Every launch has an order of its own: the first number of a generator is a good seed for another.
    var seeds = RandomGenerator(seed: plan.seed &+ UInt64(launch))
    var generator = RandomGenerator(seed: seeds.next())
    for round in 1...plan.rounds {
      for cell in cells.indices.shuffled(using: &generator) {
        if !plan.isMeasured(cells[cell][0].candidate.benchmark, launch: launch, round: round) { continue }
        for index in cells[cell].indices.shuffled(using: &generator) {
          cells[cell][index].samples.append(try sample(cells[cell][index]))
        }
      }
    }
    for measured in cells.joined() {
      try measured.candidate.checked { () throws(Violation) in try measured.candidate.workload?.finish() }
    }
    return cells.flatMap(rows)
  }

  private func calibrate(_ candidate: Candidate) throws(CommandFailure) -> Measured {
    Interrupt.lastWords.store(candidate.lastWords, ordering: .releasing)
    guard let workload = candidate.workload else { return Measured(candidate: candidate) }
    let calibration = try candidate.checked { () throws(Violation) in
      try Calibration(of: workload, threads: candidate.threads, nanoseconds: plan.sampleNanoseconds)
    }
    let allocations = launch == 1 ? childSampler.allocationsPerOperation(of: candidate) : nil
    return Measured(candidate: candidate, calibration: calibration, allocations: allocations)
  }

  private func sample(_ measured: Measured) throws(CommandFailure) -> Sampler.Sample {
    let candidate = measured.candidate
    Interrupt.lastWords.store(candidate.lastWords, ordering: .releasing)
    guard let workload = candidate.workload, let calibration = measured.calibration else {
      return try childSampler.measure(candidate, nanoseconds: plan.sampleNanoseconds)
    }
    return try candidate.checked { () throws(Violation) in
      try Sampler.measure(
        workload, threads: candidate.threads, operations: calibration.operations, limit: 2 * plan.sampleNanoseconds)
    }
  }

  private func rows(_ cell: [Measured]) -> [ResultRow] {
    let subject = cell[0].samples
    return cell.compactMap { measured in
      guard !measured.samples.isEmpty else { return nil }
      let (candidate, benchmark) = (measured.candidate, measured.candidate.benchmark)
      let times = measured.samples.map { Self.nanoseconds($0, candidate.threads) }
      var row = ResultRow(
        hostHash: environment.hostHash, cores: environment.cores,
        scenario: benchmark.name, implementation: candidate.implementation.name, role: candidate.role,
        threads: candidate.threads, registrations: benchmark.size ?? subject[0].registrations, depth: benchmark.depth,
        launch: launch, samples: times.count,
        disturbed: Self.disturbed(times), nanoseconds: times.median ?? 0, allocations: measured.allocations,
        status: isDebug ? .debug : .ok)
      if row.role == .subject {
        row.harness = plan.harness(of: benchmark)
        row.gate = plan.gate(of: benchmark, threads: candidate.threads)
        row.process = benchmark.ownProcess == nil ? .shared : .own
      } else {
        row.ratioOfSubject = zip(subject, times).map { Self.nanoseconds($0, candidate.threads) / $1 }.median
      }
      row.throughput = Double(candidate.threads) / row.nanoseconds * 1e3
      let latencies = measured.samples.flatMap(\.latencies).sorted()
      // Of the operations if each was timed, or else of the samples.
      let sorted = latencies.isEmpty ? times.sorted() : latencies.map { Double($0) }
      let quantile = { (percent: Int) in sorted[(sorted.count * percent + 99) / 100 - 1] }
      (row.percentile50, row.percentile90, row.percentile99) = (quantile(50), quantile(90), quantile(99))
      row.times = times
      row.bytes =
        measured.samples.compactMap { sample in
          sample.growth.map { Double($0) / Double(sample.operations) }
        }.median
      if candidate.busyThreads > environment.cores { row.quality.insert(.oversubscribed) }
      if measured.calibration?.isSteady == false { row.quality.insert(.unsteady) }
      return row
    }
  }

  private static func nanoseconds(_ sample: Sampler.Sample, _ threads: Int) -> Double {
    Double(sample.nanoseconds) * Double(threads) / Double(sample.operations)
  }

  /// Returns how many times stand out: those further from the median than eight median deviations and a tenth of the
  /// median, because on a quiet machine deviations are so small that every sample would stand out.
  static func disturbed(_ times: [Double]) -> Int {
    guard let median = times.median, let deviation = times.medianDeviation else { return 0 }
    return times.count { abs($0 - median) > max(8 * deviation, median / 10) }
  }
}
