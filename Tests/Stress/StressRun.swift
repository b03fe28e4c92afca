internal import DIBenchmarking
internal import Dispatch
internal import Foundation
internal import DependencyInjection
internal import Synchronization

/// Rounds in which threads race on a new container, trying all invariants at once.
struct StressRun {
  static let scenes: [any StressScene.Type] = [
    SharedOnceScene.self, NewDistinctScene.self, VisibilityScene.self, ReentrancyScene.self, OverrideScene.self,
    SnapshotScene.self, CycleScene.self, ReleaseScene.self,
  ]

  let threads: Int

  /// How many steps each thread takes in a round.
  var steps = 200

  /// How long nobody may take a step before that is called a hang, in seconds.
  var patience = 10.0

  let makeTarget: @Sendable () -> any StressTarget

  /// What a round has done.
  struct Outcome {
    /// How often each invariant was tried.
    var tries = [Int](repeating: 0, count: StressRun.scenes.count)
  }

  /// What threads and the one that watches them share; it outlives a hang.
  private final class Round: Sendable {
    let scenes: [any StressScene]
    let stage: StressStage
    let startLine: StartLine
    let diaries: [StressDiary]
    let violation = Locked<Violation?>(nil)
    let outcome = Locked(Outcome())
    let group = DispatchGroup()

    init(_ stage: StressStage) {
      self.stage = stage
      scenes = StressRun.scenes.map { $0.init(stage) }
      startLine = StartLine(threads: stage.threads)
      diaries = (0..<stage.threads).map { _ in StressDiary() }
    }

    func report(_ scene: Int, _ error: any Error) {
      // What a nested factory found wrong is the cause of a failure of those around it.
      let cause = (error as? ResolutionError)?.underlyingError ?? error
      let message = (cause as? Violation)?.message ?? "a resolve failed: \(error)"
      violation.withLock { $0 = $0 ?? Violation(message: "\(StressRun.scenes[scene].invariant): \(message)") }
    }

    /// What one thread does.
    func run(thread: Int, steps: Int, seed: UInt64) {
      var random = RandomGenerator(seed: seed)
      var outcome = Outcome()
      startLine.wait()
      for _ in 0..<steps where violation.withLock({ $0 == nil }) {
        let scene = Int.random(in: scenes.indices, using: &random)
        outcome.tries[scene] += 1
        do { try scenes[scene].act(thread, &random) } catch { report(scene, error) }
        diaries[thread].steps.add(1, ordering: .relaxed)
      }
      self.outcome.withLock { total in
        for index in outcome.tries.indices { total.tries[index] += outcome.tries[index] }
      }
    }
  }

  /// Runs one round.
  ///
  /// - Parameter seed: Decides what each thread does, in which order; how they meet decides the machine.
  /// - Returns: What was done.
  /// - Throws: What was wrong, or a hang.
  func round(seed: UInt64) throws(Violation) -> Outcome {
    let census: StressCounter
    let outcome: Outcome
    do {
      // Gone at the end of this block.
      let round = Round(StressStage(threads: threads, makeTarget))
      census = round.stage.census
      var seeds = RandomGenerator(seed: seed)
      for thread in 0..<threads {
        let (seed, steps) = (seeds.next(), steps)
        round.group.enter()
        let thread = Thread {
          StressDiary.$mine.withValue(round.diaries[thread]) { round.run(thread: thread, steps: steps, seed: seed) }
          round.group.leave()
        }
        // As much as a main thread has: 64 nested factories are deep in a debug build.
        thread.stackSize = 8 << 20
        thread.start()
      }
      try StressWatchdog(patience: patience).wait(for: round.group, round.diaries)
      if let violation = round.violation.withLock({ $0 }) { throw violation }
      for (index, scene) in round.scenes.enumerated() {
        do { try scene.finish() } catch { round.report(index, error) }
      }
      if let violation = round.violation.withLock({ $0 }) { throw violation }
      outcome = round.outcome.withLock { $0 }
    }
    // The threads may hold the round for a moment after they have left the group: wait ten seconds or more.
    try StressWatchdog(patience: max(patience, 10)).wait(until: { census.current == 0 }) {
      "\(ReleaseScene.invariant): \(census.current) are alive after their container is gone"
    }
    return outcome
  }
}
