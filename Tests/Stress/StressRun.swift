internal import DIBenchmarking
internal import Dispatch
internal import Foundation
internal import DependencyInjection
internal import Synchronization

/// Rounds in which threads race on a new container, trying all invariants at once.
struct StressRun {
  static let checks: [any StressCheck.Type] = [
    SharedOnceCheck.self, NewDistinctCheck.self, VisibilityCheck.self, ReentrancyCheck.self, OverrideCheck.self,
    SnapshotCheck.self, CycleCheck.self, ReleaseCheck.self, SlowFactoryCheck.self, GrowthCheck.self,
    WholeValueCheck.self,
  ]

  let threads: Int

  /// The number of steps that each thread takes in a round.
  var steps = 200

  /// The seconds without a step of any thread after which a round counts as a hang.
  var patience = 10.0

  /// The seconds after which an instance that is still alive is a leak; by default the patience, and at least ten.
  var leakPatience: Double?

  let makeTarget: @Sendable () -> any StressTarget

  /// Zero for each invariant.
  static let noTries = [Int](repeating: 0, count: checks.count)

  /// The state that threads and their watchdog share; it outlives a hang.
  private final class Round: Sendable {
    let checks: [any StressCheck]
    let context: StressContext
    let startLine: StartLine
    let logs: [StressLog]
    let violation = Locked<Violation?>(nil)
    let tries = Locked(StressRun.noTries)
    let group = DispatchGroup()

    init(_ context: StressContext) {
      self.context = context
      checks = StressRun.checks.map { $0.init(context) }
      startLine = StartLine(threads: context.threads)
      logs = (0..<context.threads).map { _ in StressLog() }
    }

    func report(_ check: Int, _ error: any Error) {
      // What a nested factory found wrong is the cause of a failure of those around it.
      let cause = (error as? ResolutionError)?.underlyingError ?? error
      let message = (cause as? Violation)?.message ?? "a resolution failed: \(error)"
      violation.withLock { $0 = $0 ?? Violation(message: "\(StressRun.checks[check].invariant): \(message)") }
    }

    /// Runs the steps of one thread.
    func run(thread: Int, steps: Int, seed: UInt64) {
      var random = RandomGenerator(seed: seed)
      var tries = StressRun.noTries
      startLine.wait()
      for _ in 0..<steps where violation.withLock({ $0 == nil }) {
        let check = Int.random(in: checks.indices, using: &random)
        tries[check] += 1
        do { try checks[check].step(thread, &random) } catch { report(check, error) }
        logs[thread].steps.add(1, ordering: .relaxed)
      }
      self.tries.withLock { total in
        for index in tries.indices { total[index] += tries[index] }
      }
    }
  }

  /// Runs one round.
  ///
  /// - Parameter seed: Decides what each thread does, in which order; the machine decides how they meet.
  /// - Returns: The number of times that each invariant was tried.
  /// - Throws: What was wrong, or a hang.
  func round(seed: UInt64) throws(Violation) -> [Int] {
    let living: StressCounter
    let tries: [Int]
    do {
      // Gone at the end of this block.
      let round = Round(StressContext(threads: threads, makeTarget))
      living = round.context.living
      var seeds = RandomGenerator(seed: seed)
      for thread in 0..<threads {
        let (seed, steps) = (seeds.next(), steps)
        round.group.enter()
        let thread = Thread {
          StressLog.$mine.withValue(round.logs[thread]) { round.run(thread: thread, steps: steps, seed: seed) }
          round.group.leave()
        }
        // As much as a main thread has: 64 nested factories are deep in a debug build.
        thread.stackSize = 8 << 20
        thread.start()
      }
      try StressWatchdog(patience: patience).wait(for: round.group, round.logs)
      if let violation = round.violation.withLock({ $0 }) { throw violation }
      for (index, check) in round.checks.enumerated() {
        do { try check.finish() } catch { round.report(index, error) }
      }
      if let violation = round.violation.withLock({ $0 }) { throw violation }
      tries = round.tries.withLock { $0 }
    }
    // The threads may hold the round for a moment after they have left the group.
    try StressWatchdog(patience: leakPatience ?? max(patience, 10)).wait(until: { living.current == 0 }) {
      "\(ReleaseCheck.invariant): \(living.current) are alive after their container is gone"
    }
    return tries
  }
}
