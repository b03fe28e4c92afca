internal import Dispatch
internal import Foundation

/// Carries out a plan.
struct Runner {
  let plan: Plan
  let terminal: Terminal

  /// Takes the samples that need a process of their own.
  let childSampler: ChildSampler

  private struct CalibratedCell {
    let cell: Cell

    /// How many operations take as long as a sample should; what runs in a process of its own finds that out there.
    let operations: Int
  }

  /// Measures everything, in rounds: in each, every cell gets one sample.
  ///
  /// The cells of a group follow each other, in an order that changes from round to round, so that whatever disturbs
  /// one of them for longer than a few milliseconds disturbs all of them, and their ratio stays.
  ///
  /// - Returns: The samples, in the order they were taken.
  /// - Throws: A failure as soon as anything gives a wrong answer.
  func run() throws(CommandFailure) -> [TimedSample] {
    defer { terminal.clearProgress() }
    var groups: [[CalibratedCell]] = []
    for group in plan.groups() {
      var calibrated: [CalibratedCell] = []
      for cell in group {
        terminal.showProgress("calibrating  \(cell.name)")
        calibrated.append(CalibratedCell(cell: cell, operations: try operations(of: cell)))
      }
      groups.append(calibrated)
    }
    var generator = RandomGenerator(seed: plan.seed)
    var measurements: [TimedSample] = []
    let start = DispatchTime.now().uptimeNanoseconds
    for round in 1...plan.rounds {
      for group in groups.shuffled(using: &generator) where group[0].cell.scenario.isMeasured(in: round) {
        showProgress(round, since: start, group[0].cell)
        for calibrated in group.shuffled(using: &generator) {
          measurements.append(try measure(calibrated, round))
        }
      }
    }
    for calibrated in groups.joined() {
      let cell = calibrated.cell
      do { try cell.workload?.finish() } catch { throw cell.failure(error) }
    }
    return measurements
  }

  private func operations(of cell: Cell) throws(CommandFailure) -> Int {
    guard let workload = cell.workload else { return 0 }
    do {
      return try Calibration.operations(
        of: workload, threads: cell.threads, nanoseconds: plan.sampleNanoseconds)
    } catch {
      throw cell.failure(error)
    }
  }

  private func measure(_ calibrated: CalibratedCell, _ round: Int) throws(CommandFailure) -> TimedSample {
    let cell = calibrated.cell
    guard let workload = cell.workload else {
      let sample = try childSampler.measure(cell, nanoseconds: plan.sampleNanoseconds)
      return TimedSample(cell: cell, round: round, sample: sample, time: Date())
    }
    do {
      let sample = try Sampler.measure(workload, threads: cell.threads, operations: calibrated.operations)
      return TimedSample(cell: cell, round: round, sample: sample, time: Date())
    } catch {
      throw cell.failure(error)
    }
  }

  private func showProgress(_ round: Int, since start: UInt64, _ cell: Cell) {
    guard terminal.showsProgress else { return }
    var rest = plan.expectedSeconds
    if round > 1 {
      let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) * 1e-9
      rest = seconds / Double(round - 1) * Double(plan.rounds - round + 1)
    }
    terminal.showProgress("round \(round) of \(plan.rounds), \(Int(rest)) s left  \(cell.scenario.label)")
  }
}
