internal import Dispatch
internal import Foundation
internal import Synchronization
internal import DependencyInjection
internal import Testing

@testable import di_bench

@Suite("Measuring")
struct SamplerTests {
  /// Takes a fixed time for each operation and notes who has run how many.
  private final class SleepyLoop: Loop {
    let calls = Locked<[(operations: Int, thread: Int)]>([])
    let failing: Int?
    let slow: Int?

    init(failing: Int? = nil, slow: Int? = nil) {
      self.failing = failing
      self.slow = slow
    }

    var registrations: Int? { nil }
    var batch: Int { 5 }

    func run(_ operations: Int, thread: Int) throws(Violation) {
      if thread == failing { throw Violation(message: "thread \(thread)") }
      usleep(UInt32(operations) * (thread == slow ? 2000 : 20))
      calls.withLock { $0.append((operations, thread)) }
    }
  }

  @Test("A sample counts the operations of all threads, and every thread warms up")
  func sample() throws {
    let loop = SleepyLoop()
    let sample = try Sampler.measure(Workload(loop), threads: 3, operations: 200)
    #expect(sample.operations == 600)
    // 200 operations of at least 20 µs each, at once: not the sum over threads, and without the warm-up.
    #expect(sample.nanoseconds >= 4_000_000)
    let calls = loop.calls.withLock { $0 }
    for thread in 0..<3 { #expect(calls.filter { $0.thread == thread }.map(\.operations) == [20, 200]) }
    #expect(calls.count == 6)
  }

  @Test("No thread is timed before the slowest has warmed up")
  func startsTogether() throws {
    // The slow thread warms up for 20 ms; the others would have done all in 2 ms.
    let loop = SleepyLoop(slow: 1)
    _ = try Sampler.measure(Workload(loop), threads: 3, operations: 100)
    let calls = loop.calls.withLock { $0 }
    #expect(calls.prefix(3).map(\.operations) == [10, 10, 10])
  }

  @Test("What one thread finds wrong ends the sample, and no thread waits for ever")
  func violation() {
    #expect(throws: Violation(message: "thread 1")) {
      try Sampler.measure(Workload(SleepyLoop(failing: 1)), threads: 3, operations: 5)
    }
  }

  /// Is accompanied by a thread that counts, and that may find something wrong.
  private final class AccompaniedLoop: Loop {
    let turns = Atomic(0)
    let turnsAtEnd = Atomic(0)
    let isWrong: Bool

    init(isWrong: Bool = false) {
      self.isWrong = isWrong
    }

    var registrations: Int? { nil }
    var isAccompanied: Bool { true }

    func run(_ operations: Int, thread _: Int) {
      guard operations > 1 else { return }
      // As long as it takes the other thread to go round a few times, which it can only while this one is timed.
      let start = turns.load(ordering: .relaxed)
      while turns.load(ordering: .relaxed) < start + 3 { sched_yield() }
      turnsAtEnd.store(turns.load(ordering: .relaxed), ordering: .relaxed)
    }

    func accompany(while isNeeded: () -> Bool) throws(Violation) {
      repeat { turns.add(1, ordering: .relaxed) } while isNeeded()
      if isWrong { throw Violation(message: "company") }
    }
  }

  @Test("Another thread accompanies those that are timed, to their end, and counts as busy")
  func company() throws {
    let loop = AccompaniedLoop()
    let sample = try Sampler.measure(Workload(loop), threads: 2, operations: 5)
    #expect(sample.operations == 10)
    #expect(loop.turnsAtEnd.load(ordering: .relaxed) >= 3)
    let scenario = try #require(Scenario.all.first { $0.name == "churn/one-writer" })
    #expect(Cell(scenario: scenario, implementation: scenario.subject, threads: 2).busyThreads == 3)
    let other = Scenario.all[0]
    #expect(Cell(scenario: other, implementation: other.subject, threads: 2).busyThreads == 2)
  }

  @Test("What the thread that accompanies others finds wrong ends the sample")
  func wrongCompany() {
    #expect(throws: Violation(message: "company")) {
      try Sampler.measure(Workload(AccompaniedLoop(isWrong: true)), threads: 1, operations: 5)
    }
  }

  @Test("Calibration finds how many operations take the given time, in whole batches")
  func calibration() throws {
    let operations = try Calibration.operations(of: Workload(SleepyLoop()), threads: 1, nanoseconds: 10_000_000)
    #expect(operations.isMultiple(of: 5))
    // 10 ms are 500 operations of 20 µs; sleeping takes longer than asked for, on a busy machine much longer.
    #expect((5...505).contains(operations))
  }

  @Test("Threads leave the start line when the last has arrived")
  func startLine() {
    let line = StartLine(threads: 4)
    let arrived = Atomic(0)
    let missed = Atomic(0)
    let threads = DispatchGroup()
    for _ in 0..<4 {
      threads.enter()
      Thread.detachNewThread {
        arrived.add(1, ordering: .relaxed)
        line.wait()
        if arrived.load(ordering: .relaxed) != 4 { missed.add(1, ordering: .relaxed) }
        threads.leave()
      }
    }
    threads.wait()
    #expect(missed.load(ordering: .relaxed) == 0)
  }

  @Test("Every cell gets one sample in each round, next to those it is compared with")
  func rounds() throws {
    let plan = Plan(
      scenarios: Array(Scenario.all.prefix(2)), threads: [1, 2], rounds: 3, sampleNanoseconds: 10_000, seed: 7)
    let runner = Runner(
      plan: plan, terminal: Terminal(output: { _ in }, error: { _ in }),
      childSampler: ChildSampler(executables: Executables.folder))
    let measurements = try runner.run()
    #expect(measurements.count == 2 * 2 * 4 * 3)
    let names = measurements.map { "\($0.cell.name) \($0.round)" }
    #expect(Set(names).count == names.count)
    for start in stride(from: 0, to: measurements.count, by: 4) {
      let group = measurements[start..<start + 4]
      #expect(Set(group.map { "\($0.cell.scenario.name) \($0.cell.threads) \($0.round)" }).count == 1)
    }
  }
}
