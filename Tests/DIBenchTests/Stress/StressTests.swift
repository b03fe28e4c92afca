internal import DependencyInjection
internal import Dispatch
internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import DIStressChecks
@testable import di_bench

struct StressTests {
  private let folder = FileManager.default.temporaryDirectory
  /// A busy machine may let no thread take a step for the usual ten seconds.
  private let patience = 900

  @Test("The library passes, every invariant is tried, and the wrapper around a faultless container passes too")
  func library() throws {
    let stress = Transcript(
      ["stress", "--duration", "1", "--threads", "6", "--seed", "7", "--patience=\(patience)"], in: folder)
    #expect(stress.exitCode == .success, "\(stress.errors)")
    let lines = stress.output.split(separator: "\n")
    #expect(
      (lines.first, lines.last?.hasSuffix(" steps: nothing is wrong")) == ("Racing 6 threads for 1.00 s, seed 7.", true)
    )
    for check in StressRun.checks {
      let line = try #require(lines.first { $0.hasSuffix(check.invariant) })
      #expect((line.split(separator: " ").first.flatMap { Int($0) } ?? 0) > 0)
    }
    do {
      let stress = Transcript(["stress", "--duration=1", "--seed=1", "--patience=\(patience)"], in: folder) {
        FaultyTarget(nil)
      }
      #expect(stress.exitCode == .success, "\(stress.errors)")
    }
  }

  @Test(
    "Each fault is found, with what is wrong and the seed",
    arguments: [
      (.createsTwice, SharedOnceCheck.invariant), (.losesRegistrations, "registration"),
      (.leaksOverrides, "an override leaked"),
      (.reusesNew, "New"), (.mixesKeys, "returned an instance of type"),
      (.changesRestored, "than the saved"), (.keepsReplaced, "still alive"),
      (.losesReset, "that was reset"), (.losesResetOfType, "that was reset"),
      (.losesOptionals, "nil was resolved"), (.tearsValues, "parts of two values"),
      (.mixesReferences, "parts of two values"),
      (.keepsRegistrations, "newer than the saved"), (.hidesCycles, CycleCheck.invariant),
    ] as [(FaultyTarget.Fault, String)])
  func faults(_ fault: FaultyTarget.Fault, _ message: String) throws {
    // Another check may find the fault first, such as that for what is released, because some targets keep instances. Then the
    // race begins again.
    for _ in 0..<50 {
      // The duration is a limit for a fault that is not found.
      let stress = Transcript(["stress", "--duration=900", "--seed=5", "--patience=\(patience)"], in: folder) {
        FaultyTarget(fault)
      }
      #expect(stress.exitCode == .invariantViolated)
      let lines = stress.errors.split(separator: "\n")
      #expect(lines.first?.hasPrefix("Error: Invariant violated: ") == true)
      // A round has the seed of the one before it, and one more.
      let seeds = lines.last?.wholeMatch(
        of: /Seed (\d+), 8 threads, in round (\d+) after \d+\.\d s\. To .* di-bench stress --seed (\d+) --threads 8/)
      let numbers = try #require(seeds.map { [$0.1, $0.2, $0.3].compactMap { Int($0) } })
      #expect(numbers == [numbers[1] + 4, numbers[1], numbers[1] + 4])
      if lines.first?.contains(message) == true { return }
    }
    Issue.record("The check that has to find the fault never was the first one to do so.")
  }

  @Test("A factory that is never released is found")
  func factory() {
    // However long it waits, the factories are not released.
    let run = StressRun(threads: 1, steps: 0, patience: Double(patience), leakPatience: 0.2) {
      FaultyTarget(.keepsFactories)
    }
    #expect { _ = try run.round(seed: 5) } throws: {
      ($0 as? Violation)?.message.hasSuffix(" are alive after their container is gone") == true
    }
  }

  @Test("A hang is reported: who waits for whom, with the seed, which factory blocks others, or what is released")
  func hang() async {
    let (locks, lock) = (HangingTarget.Locks(.creating), HangingTarget.Locks(.releasing))
    FaultyTarget.isOpen.withLock { $0 = false }
    defer {
      locks.open()
      lock.open()
      FaultyTarget.isOpen.withLock { $0 = true }
    }
    func errors(_ makeTarget: @escaping @Sendable () -> any StressTarget) async -> String {
      let (arguments, folder) = (["stress", "--duration=900", "--seed=3", "--threads=4", "--patience=10"], folder)
      // Not on a thread of the pool, which would do nothing else for ten seconds.
      let stress = await withCheckedContinuation { continuation in
        Thread { continuation.resume(returning: Transcript(arguments, in: folder, makeStressTarget: makeTarget)) }
          .start()
      }
      #expect(
        (stress.exitCode, stress.errors.contains("no thread has taken a step for 10.0 s\n  thread 0 ")) == (
          .invariantViolated, true
        ), "\(stress.errors)")
      #expect(stress.errors.contains("di-bench stress --seed "))
      return stress.errors
    }
    async let waiting = errors { HangingTarget(locks) }
    async let blocking = errors { FaultyTarget(.blocksOthers) }
    async let releasing = errors { HangingTarget(lock) }
    #expect(
      await waiting.contains(/thread \d resolves .*, creates .*, resolves .*: waits for thread \d, which creates it/))
    #expect(
      await blocking.contains(/is in resolves .*, creates .*, waits for another thread, which .* must not block/))
    #expect(await releasing.contains(/thread \d is in releases .*/))
  }

  @Test("A seed makes each thread do the same, reports say who waits for whom, and an interruption ends the round")
  func replay() throws {
    // The same seed makes each thread do the same.
    do {
      let run = StressRun(threads: 3, steps: 50, patience: Double(patience)) { StressContainer() }
      let first = try run.round(seed: 11)
      #expect(try run.round(seed: 11) == first)
      #expect(try run.round(seed: 12) != first)
    }
    // Reports derive who waits for whom from what they create.
    do {
      let report = StressWatchdog.report(
        [
          [.resolving("A"), .creating("A"), .resolving("B")], [.resolving("B"), .creating("B"), .resolving("A")],
          [.resolving("C")], [],
        ], 2)
      #expect(
        report == """
          no thread has taken a step for 2.0 s
            thread 0 resolves A, creates A, resolves B: waits for thread 1, which creates it
            thread 1 resolves B, creates B, resolves A: waits for thread 0, which creates it
            thread 2 resolves C: waits, and nobody creates it
            thread 3 is done or between two steps
          """)
    }
    // An interruption ends it after the round, with its own exit code.
    do {
      let interrupt = Interrupt()
      interrupt.request()
      let stress = Transcript(["stress", "--duration=1000"], in: folder, interrupt: interrupt)
      #expect((stress.exitCode, stress.output.contains("\n1 rounds, ")) == (.interrupted, true), "\(stress.output)")
    }
  }
}
