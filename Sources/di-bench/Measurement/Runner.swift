internal import Foundation

/// Carries out one launch of a plan, in this process.
struct Runner {
  let plan: Plan

  /// Which launch it is, from 1.
  let launch: Int

  let environment: RunEnvironment

  /// Takes the samples that need a process of their own.
  let childSampler: ChildSampler

  /// What tells it to stop early.
  let interrupt: Interrupt

  private struct Calibrated {
    let candidate: Candidate

    /// Of what runs in a process of its own, that process finds it out.
    let calibration: Calibration

    /// Counted in the first launch only, because it is the same in all.
    let allocationsPerOperation: Double?
  }

  /// Measures everything, in rounds: in each, every candidate gets one sample.
  ///
  /// The candidates of a cell follow each other, in an order that changes from round to round, so that whatever
  /// disturbs one of them for longer than a few milliseconds disturbs all of them, and their ratio stays.
  ///
  /// - Parameter finishRound: Gets the rows of a round when it is over; before, writing them would be a disturbance.
  /// - Returns: Whether it was interrupted.
  /// - Throws: A failure as soon as anything gives a wrong answer.
  func run(_ finishRound: ([ResultRow]) -> Void) throws(CommandFailure) -> Bool {
    var cells: [[Calibrated]] = []
    for cell in plan.cells() {
      if interrupt.isRequested { return true }
      var calibrated: [Calibrated] = []
      for candidate in cell { calibrated.append(try calibrate(candidate)) }
      cells.append(calibrated)
    }
    // Every launch has an order of its own: the first number of a generator is a good seed for another.
    var seeds = RandomGenerator(seed: plan.seed &+ UInt64(launch))
    var generator = RandomGenerator(seed: seeds.next())
    for round in 1...plan.rounds {
      var rows: [ResultRow] = []
      defer { finishRound(rows) }
      for cell in cells.shuffled(using: &generator) {
        if interrupt.isRequested { return true }
        if !plan.isMeasured(cell[0].candidate.scenario, launch: launch, round: round) { continue }
        var samples: [TimedSample] = []
        for calibrated in cell.shuffled(using: &generator) {
          guard let sample = try sample(calibrated) else { return true }
          samples.append(sample)
        }
        rows += ResultRow.rows(of: samples, launch: launch, round: round, in: environment)
      }
    }
    for calibrated in cells.joined() {
      let candidate = calibrated.candidate
      do { try candidate.workload?.finish() } catch { throw candidate.failure(error) }
    }
    return false
  }

  private func calibrate(_ candidate: Candidate) throws(CommandFailure) -> Calibrated {
    guard let workload = candidate.workload else {
      return Calibrated(candidate: candidate, calibration: Calibration(operations: 0), allocationsPerOperation: nil)
    }
    do {
      return Calibrated(
        candidate: candidate,
        calibration: try Calibration(of: workload, threads: candidate.threads, nanoseconds: plan.sampleNanoseconds),
        allocationsPerOperation: launch == 1 ? childSampler.allocationsPerOperation(of: candidate) : nil)
    } catch {
      throw candidate.failure(error)
    }
  }

  /// Takes one sample; nil if it was interrupted.
  private func sample(_ calibrated: Calibrated) throws(CommandFailure) -> TimedSample? {
    let candidate = calibrated.candidate
    let sample: Sampler.Sample?
    if let workload = candidate.workload {
      do {
        sample = try Sampler.measure(
          workload, threads: candidate.threads, operations: calibrated.calibration.operations,
          limit: 2 * plan.sampleNanoseconds)
      } catch {
        throw candidate.failure(error)
      }
    } else {
      sample = try childSampler.measure(candidate, nanoseconds: plan.sampleNanoseconds)
    }
    return sample.map { sample in
      TimedSample(
        candidate: candidate, sample: sample, time: Date(), isSteady: calibrated.calibration.isSteady,
        allocationsPerOperation: calibrated.allocationsPerOperation)
    }
  }
}
