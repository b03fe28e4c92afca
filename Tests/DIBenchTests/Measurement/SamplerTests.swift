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
    #expect(Candidate(scenario: scenario, implementation: scenario.subject, threads: 2).busyThreads == 3)
    let other = Scenario.all[0]
    #expect(Candidate(scenario: other, implementation: other.subject, threads: 2).busyThreads == 2)
  }

  @Test("What the thread that accompanies others finds wrong ends the sample")
  func wrongCompany() {
    #expect(throws: Violation(message: "company")) {
      try Sampler.measure(Workload(AccompaniedLoop(isWrong: true)), threads: 1, operations: 5)
    }
  }

  @Test("Threads that take much longer than expected stop early, and what they did counts")
  func limit() throws {
    // Each of 16 parts takes a millisecond or more; alone, nobody is disturbed.
    let workload = Workload(SleepyLoop())
    let two = try Sampler.measure(workload, threads: 2, operations: 800, limit: 2_000_000)
    #expect((100..<1600).contains(two.operations))
    let one = try Sampler.measure(workload, threads: 1, operations: 800, limit: 2_000_000)
    #expect(one.operations == 800)
  }

  @Test("Calibration finds how many operations take the given time, in whole batches")
  func calibration() throws {
    let calibration = try Calibration(of: Workload(SleepyLoop()), threads: 1, nanoseconds: 10_000_000)
    #expect(calibration.operations.isMultiple(of: 5))
    // 10 ms are 500 operations of 20 µs; sleeping takes longer than asked for, on a busy machine much longer.
    #expect((5...505).contains(calibration.operations))
    // Threads that sleep have no core, which must not be taken for waiting for one.
    let two = try Calibration(of: Workload(SleepyLoop()), threads: 2, nanoseconds: 1_000_000)
    #expect((5...505).contains(two.operations))
  }

  @Test("The time that threads have a core is known where they may have to wait for one")
  func busy() throws {
    let sleepy = Workload(SleepyLoop())
    #expect(try Sampler.measure(sleepy, threads: 1, operations: 50).busy == nil)
    let sample = try Sampler.measure(sleepy, threads: 2, operations: 500)
    let busy = try #require(sample.busy)
    #expect(0 < busy && busy < sample.nanoseconds / 2)
  }

  /// Takes twice as long in every run as in the one before, or always the same.
  private final class SettlingLoop: Loop {
    private let runs = Atomic(0)
    private let settles: Bool

    init(settles: Bool) {
      self.settles = settles
    }

    var registrations: Int? { nil }

    // The same time for every number of operations: calibration must not wait for it to get shorter.
    func run(_: Int, thread _: Int) {
      let run = runs.add(1, ordering: .relaxed).newValue
      usleep(settles ? 20_000 : 1000 << UInt32(min(run, 8)))
    }
  }

  @Test("Calibration goes on until two samples in a row are alike, and says so if they never are")
  func steadiness() throws {
    #expect(try Calibration(of: Workload(SettlingLoop(settles: true)), threads: 1, nanoseconds: 1).isSteady)
    let restless = try Calibration(of: Workload(SettlingLoop(settles: false)), threads: 1, nanoseconds: 1, limit: 2)
    #expect(!restless.isSteady)
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

  private func rows(launch: Int, interrupt: Interrupt = Interrupt()) throws -> [[ResultRow]] {
    let plan = Plan(
      scenarios: Array(Scenario.all.filter { $0.name.hasPrefix("resolve/s") }.prefix(2)), threads: [1, 2], rounds: 3,
      sampleNanoseconds: 10_000, seed: 7)
    let runner = Runner(
      plan: plan, launch: launch, environment: .current(),
      childSampler: ChildSampler(executables: Executables.folder), interrupt: interrupt)
    var rounds: [[ResultRow]] = []
    let isInterrupted = try runner.run { rows in
      rounds.append(rows)
      if rounds.count == 2 { interrupt.request() }
    }
    #expect(isInterrupted)
    return rounds
  }

  @Test("Every candidate gets one sample in each round, next to those it is compared with")
  func rounds() throws {
    let rounds = try rows(launch: 1)
    // The second round was the last that was finished before the interruption.
    #expect(rounds.map(\.count) == [2 * 2 * 4, 2 * 2 * 4, 0])
    for rows in rounds.prefix(2) {
      #expect(Set(rows.map { "\($0.scenario) \($0.implementation) \($0.threads)" }).count == 16)
      for start in stride(from: 0, to: rows.count, by: 4) {
        #expect(Set(rows[start..<start + 4].map { CellKey($0) }).count == 1)
      }
    }
  }

  @Test("The order is another one in each launch, and the same for the same seed")
  func order() throws {
    let orders = try [1, 1, 2].map {
      try rows(launch: $0)[0].map { "\($0.scenario) \($0.implementation) \($0.threads)" }
    }
    #expect(orders[0] == orders[1])
    #expect(orders[0] != orders[2])
  }
}
