internal import Foundation
internal import Synchronization
internal import DependencyInjection
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct SamplerTests {
  /// Notes which thread has run how many operations, after calling a closure.
  private final class NotingLoop: Sendable {
    let calls = Locked<[(operations: Int, thread: Int)]>([])

    func workload(_ body: @escaping @Sendable (_ thread: Int) throws(Violation) -> Void = { _ in }) -> Workload {
      Workload(batch: 5) { [self] operations, thread throws(Violation) in
        try body(thread)
        calls.withLock { $0.append((operations, thread)) }
      }
    }
  }

  @Test("A sample counts the operations of all threads from first to last, each after a warm-up, slowed if asked for")
  func sample() throws {
    let loop = NotingLoop()
    let sample = try Sampler.measure(loop.workload(), threads: 3, operations: 200)
    #expect(sample.operations == 600)
    let calls = loop.calls.withLock { $0 }
    for thread in 0..<3 { #expect(calls.filter { $0.thread == thread }.map(\.operations) == [20, 200]) }
    #expect(calls.count == 6)
    do {
      // Each look at the clock is a microsecond after the one before: two in the warm-up, two in the sample.
      let clock = Ticks(1000)
      let sample = try Sampler.measure(NotingLoop().workload(), threads: 1, operations: 200, clock: clock.now)
      #expect((sample.nanoseconds, clock.now()) == (1000, 5000))
      // Each operation alone, if that is asked for.
      let each = NotingLoop().workload().with { $0.timesEach = true }
      let timed = try Sampler.measure(each, threads: 1, operations: 3, clock: Ticks(1000).now)
      #expect((timed.operations, timed.nanoseconds, timed.latencies) == (3, 3000, [1000, 1000, 1000]))
    }
    do {
      let loop = NotingLoop()
      let sample = try Sampler.measure(loop.workload().slowed, threads: 1, operations: 200)
      #expect((sample.operations, loop.calls.withLock { $0 }.map(\.operations)) == (200, [20, 5, 200, 50]))
      // In whole batches, at least one.
      _ = try Sampler.measure(loop.workload().slowed, threads: 1, operations: 30)
      #expect(loop.calls.withLock { $0 }.suffix(4).map(\.operations) == [5, 5, 30, 5])
    }
  }

  #if os(Linux)
    @Test(
      "The statistics of a thread are open for its whole sample, unless it races or each operation is timed",
      arguments: [(false, false), (false, true), (true, false)])
    func statistics(races: Bool, timesEach: Bool) throws {
      let numbers = Locked<[Int]>([])
      let workload = NotingLoop().workload { _ in
        let files = FileManager.default
        let own = (try? files.destinationOfSymbolicLink(atPath: "/proc/thread-self")) ?? ""
        let open = ((try? files.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).compactMap {
          try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)
        }
        numbers.withLock { $0.append(open.count { $0.hasSuffix("/\(own)/schedstat") }) }
      }
      let measured = workload.with {
        $0.timesEach = timesEach
        if races { $0.background = { _ in } }
      }
      _ = try Sampler.measure(measured, threads: 1, operations: 10)
      #expect(Set(numbers.withLock { $0 }) == [races || timesEach ? 0 : 1])
    }
  #endif

  @Test("No thread is timed before the slowest has warmed up, and what one finds wrong ends the sample for all")
  func startsTogether() throws {
    // No thread is timed before the slowest has warmed up.
    do {
      let loop = NotingLoop()
      let workload = loop.workload { [loop] thread in
        // The first run of this thread begins when the others have warmed up, and gives them time to go on.
        if thread != 1 || loop.calls.withLock({ $0.contains { $0.thread == 1 } }) { return }
        while loop.calls.withLock({ $0.count }) < 2 { sched_yield() }
        for _ in 0..<10_000 { sched_yield() }
      }
      _ = try Sampler.measure(workload, threads: 3, operations: 100)
      let calls = loop.calls.withLock { $0 }
      #expect(calls.prefix(3).map(\.operations) == [10, 10, 10])
    }
    // What one thread or the background thread finds wrong ends the sample, and no thread waits forever.
    do {
      do {
        let workload = NotingLoop().workload { thread throws(Violation) in
          if thread == 1 { throw Violation(message: "thread \(thread)") }
        }
        #expect(throws: Violation(message: "thread 1")) { try Sampler.measure(workload, threads: 3, operations: 5) }
      }
      #expect(throws: Violation(message: "background")) {
        let workload = withBackground(turns: Counter(), atEnd: Counter(), isWrong: true)
        _ = try Sampler.measure(workload, threads: 1, operations: 5)
      }
    }
  }

  /// A workload beside a thread that counts, and that may find something wrong.
  private func withBackground(turns: Counter, atEnd: Counter, isWrong: Bool = false) -> Workload {
    Workload { operations, _ in
      guard operations > 1 else { return }
      // Waits for a few turns of the other thread, which runs only while this one is timed.
      let start = turns.value
      while turns.value < start + 3 { sched_yield() }
      atEnd.set(turns.value)
    }.with {
      $0.background = { isNeeded throws(Violation) in
        repeat { turns.add() } while isNeeded()
        if isWrong { throw Violation(message: "background") }
      }
    }
  }

  @Test("A background thread runs to the end, and threads that take much longer than expected stop early")
  func background() throws {
    // A background thread runs to the end of those that are timed.
    do {
      let (turns, atEnd) = (Counter(), Counter())
      let sample = try Sampler.measure(withBackground(turns: turns, atEnd: atEnd), threads: 2, operations: 5)
      #expect(sample.operations == 10 && atEnd.value >= 3)
    }
    // Threads that take much longer than expected stop early, and the time that they have a core is known.
    do {
      // Each of 16 parts takes a millisecond or more; alone, nobody is disturbed.
      let two = try Sampler.measure(
        NotingLoop().workload(), threads: 2, operations: 800, limit: 2_000_000, clock: Ticks(1_000_000).now)
      #expect((100..<1600).contains(two.operations))
      // A part is a number of batches, and so is the warm-up; the last part is what is left.
      let loop = NotingLoop()
      let parts = try Sampler.measure(loop.workload(), threads: 2, operations: 810, limit: 1_000_000_000_000)
      let sizes = loop.calls.withLock { Set($0.map(\.operations)) }
      #expect((parts.operations, sizes) == (1620, [5, 50, 10]))
      let single = NotingLoop()
      _ = try Sampler.measure(single.workload(), threads: 1, operations: 230)
      #expect(single.calls.withLock { $0.map(\.operations) } == [20, 230])
      let one = try Sampler.measure(
        NotingLoop().workload(), threads: 1, operations: 800, limit: 2_000_000, clock: Ticks(1_000_000).now)
      #expect(one.operations == 800)
      #expect(try Sampler.measure(NotingLoop().workload(), threads: 1, operations: 50).busy == nil)
      let sample = try Sampler.measure(NotingLoop().workload(), threads: 2, operations: 500)
      #expect(try #require(sample.busy) >= 0)
    }
  }

  /// A sample on one thread in which each operation took this long.
  private func sample(_ operations: Int, _ nanoseconds: Int) -> Sampler.Sample {
    Sampler.Sample(operations: operations, nanoseconds: operations * nanoseconds)
  }

  @Test("Calibration finds how many operations take the given time, and continues until two samples are alike")
  func calibration() throws {
    let calibration = try Calibration(batch: 5, threads: 1, nanoseconds: 10_000_000) { sample($0, 20_000) }
    #expect(calibration.operations == 500 && calibration.isSteady)
    #expect(try Calibration(batch: 5, threads: 1, nanoseconds: 10_000_000) { sample($0, 30_000) }.operations == 335)
    // Ten times as many at a time, and one more of the right length.
    var tries: [Int] = []
    _ = try Calibration(batch: 1, threads: 1, nanoseconds: 1_000_000) { operations in
      tries.append(operations)
      return sample(operations, 1)
    }
    #expect(tries == [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 1_000_000])
    // Threads that waited for a core for most of the time: the time that they had one says how many operations to try.
    // Unless they waited for much longer than a sample should take.
    for (factor, expected) in [(10, [5, 50, 500, 500, 500]), (100, [5, 50, 500, 5000, 50])] {
      tries = []
      let waiting = try Calibration(batch: 5, threads: 2, nanoseconds: 1_000_000) { operations in
        tries.append(operations)
        var sample = sample(2 * operations, 10_000)
        sample.busy = sample.nanoseconds / factor
        return sample
      }
      #expect((waiting.operations, tries) == (50, expected))
    }
    do {
      var times = [100, 50, 30, 30]
      let settling = try Calibration(batch: 1, threads: 1, nanoseconds: 1) { _ in
        Sampler.Sample(operations: 1, nanoseconds: times.count > 1 ? times.removeFirst() : times[0])
      }
      #expect(settling.isSteady && times == [30])
      // The shortest counts.
      times = [100, 20, 30, 30]
      let slowing = try Calibration(batch: 1, threads: 1, nanoseconds: 60) { _ in
        Sampler.Sample(operations: 1, nanoseconds: times.count > 1 ? times.removeFirst() : times[0])
      }
      #expect(slowing.operations == 3)
      var time = 1
      let restless = try Calibration(batch: 1, threads: 1, nanoseconds: 1, limit: 2) { _ in
        time *= 2
        return Sampler.Sample(operations: 1, nanoseconds: time)
      }
      #expect(!restless.isSteady)
    }
  }

  private static func runner(_ benchmarks: [Benchmark], launch: Int = 1, seed: UInt64 = 7) -> Runner {
    let plan = Plan(benchmarks: benchmarks, threads: [1, 2], rounds: 3, sampleNanoseconds: 10_000, seed: seed)
    return Runner(
      plan: plan, launch: launch, environment: RunEnvironment(cores: 1, hostHash: "h"), isDebug: true,
      childSampler: ChildSampler(executable: Executables.bench))
  }

  @Test(
    "Each candidate has a row in each launch, with a sample of each round and quantiles of operations or samples",
    .exitTest)
  func rounds() async {
    // In a process of its own, because the benchmarks use the shared container.
    await #expect(processExitsWith: .success) {
      let benchmarks = Benchmark.all.filter { ["resolve/new", "resolve/shared"].contains($0.name) }
      let rows = try Self.runner(benchmarks).run()
      let cells = Set(rows.map { "\($0.scenario) \($0.implementation) \($0.threads)" })
      #expect((cells.count, rows.count) == (16, 16))
      #expect(rows.allSatisfy { $0.samples == 3 && $0.launch == 1 && $0.registrations == 100 })
      #expect(rows.prefix(4).map(\.role) == [.subject, .reference, .other, .other])
      #expect(rows.allSatisfy { ($0.ratioOfSubject == nil) == ($0.role == .subject) })
      for row in rows where row.threads == 1 && row.role == .subject {
        #expect(row.gate == .fine && row.process == .shared)
      }
      #expect(
        rows.filter { $0.threads == 2 }.allSatisfy { $0.quality.contains(.oversubscribed) }
          && rows.allSatisfy { ($0.gate == nil) == ($0.role != .subject) })
      #expect(rows.allSatisfy { $0.status == .debug && $0.hostHash == "h" })
      let harnesses = Set(rows.compactMap(\.harness))
      #expect(harnesses.count == 2)
      do {
        let benchmarks = Benchmark.all.filter { ["contended/slow-factory", "resolve/new"].contains($0.name) }
        let rows = try Self.runner(benchmarks).run()
        // The other thread needs a core, too.
        #expect(
          Set(rows.filter { $0.threads == 1 && $0.quality.contains(.oversubscribed) }.map(\.scenario))
            == ["contended/slow-factory"])
        for row in rows {
          let found: [Double?] = [row.percentile50, row.percentile90, row.percentile99]
          let quantiles: [Double] = found.compactMap { $0 }
          #expect(quantiles.count == 3 && row.times.count == 3)
          #expect(quantiles == quantiles.sorted())
          let (median, most) = (row.times.median, row.times.max())
          let samples: [Double?] = [median, most, most]
          if row.scenario == "resolve/new" { #expect(found == samples) }
        }
      }
      // A background thread counts as busy.
      let benchmark = try #require(Benchmark.all.first { $0.name == "churn/one-writer" })
      #expect(Candidate(benchmark: benchmark, implementation: benchmark.subject, threads: 2).busyThreads == 3)
      let other = Benchmark.all[0]
      #expect(Candidate(benchmark: other, implementation: other.subject, threads: 2).busyThreads == 2)
      // What cannot run on several threads is measured on one, whatever was requested.
      let labels = ["resolve/shared", "lifecycle/register-10000"]
      let plan = Plan(
        benchmarks: Benchmark.all.filter { labels.contains($0.label) }, threads: [2, 4], rounds: 10,
        sampleNanoseconds: 10_000_000, seed: 1)
      let planned = plan.cells().map { "\($0[0].benchmark.label) \($0[0].threads)" }
      #expect(planned == ["resolve/shared 2", "resolve/shared 4", "lifecycle/register-10000 1"])
    }
  }

  @Test("The ratio is the median of the ratios in each round, not that of the medians")
  func pairs() throws {
    try withTemporaryFolder { folder in
      let executable = folder.appending(path: "di-bench")
      let script = #"""
        for name; do :; done
        case "$name" in reference/x) times="10 1 20";; *) times="10 30 20";; esac
        echo x >> "$0.${name#*/}"
        echo "1 $(echo $times | cut -d ' ' -f $(($(wc -l < "$0.${name#*/}")))) - -"
        """#
      try makeExecutable(script, at: executable.path)
      let benchmark = Benchmark(
        "a", "a test", threads: [1], inOwnProcess: .init(interval: 1, seconds: 1),
        .init("container", CountingLoop().workload()), .init("reference/x", CountingLoop().workload()))
      let rows = try Runner(
        plan: Plan(benchmarks: [benchmark], threads: [1], rounds: 3, sampleNanoseconds: 1, seed: 7), launch: 1,
        environment: RunEnvironment(cores: 1, hostHash: "h"), isDebug: true,
        childSampler: ChildSampler(executable: executable)
      ).run()
      #expect((rows.map(\.nanoseconds), rows[1].ratioOfSubject) == ([20, 10], 1))
    }
  }

  @Test("A row has the median of its samples, for one operation of one thread, and the subject's time as a ratio to it")
  func row() throws {
    try withTemporaryFolder { folder in
      let executable = folder.appending(path: "di-bench")
      // Ten operations on two threads: of the subject in 100, 200 … 1200 ns, of the reference always in 100 ns.
      let script = #"""
        echo "$@" >> "$0.log"
        case "$*" in
          *reference*) echo "10 100 5 -";;
          *) echo x >> "$0.count"; time=$(($(wc -l < "$0.count") * 100)); echo "10 $time 5 $time";;
        esac
        """#
      try makeExecutable(script, at: executable.path)
      for (size, isDebug) in [(nil, true), (7, false)] {
        try? FileManager.default.removeItem(atPath: executable.path + ".count")
        let benchmark = Benchmark(
          "a", "a test", depth: 3, size: size, threads: [2], inOwnProcess: .init(interval: 1, seconds: 1),
          .init("container", CountingLoop().workload()), .init("reference/x", CountingLoop().workload()))
        let plan = Plan(benchmarks: [benchmark], threads: [2], rounds: 12, sampleNanoseconds: 6, seed: 7)
        let runner = Runner(
          plan: plan, launch: 2, environment: RunEnvironment(cores: 2, hostHash: "h"), isDebug: isDebug,
          childSampler: ChildSampler(executable: executable))
        let subject = ResultRow(
          hostHash: "h", cores: 2, harness: plan.harness(of: benchmark), scenario: "a", implementation: "container",
          threads: 2, registrations: size ?? 5, depth: 3, gate: .coarse, process: .own, launch: 2, samples: 12,
          disturbed: 0, nanoseconds: 130, percentile50: 120, percentile90: 220, percentile99: 240,
          throughput: 2 / 130 * 1e3, bytes: 65, status: isDebug ? .debug : .ok, times: (1...12).map { 20 * Double($0) })
        var reference = subject
        (reference.implementation, reference.role, reference.ratioOfSubject) = ("reference/x", .reference, 6.5)
        (reference.harness, reference.gate, reference.process, reference.bytes) = (nil, nil, nil, nil)
        (reference.nanoseconds, reference.throughput) = (20, 100)
        (reference.percentile50, reference.percentile90, reference.percentile99) = (20, 20, 20)
        reference.times = [Double](repeating: 20, count: 12)
        #expect(try runner.run() == [subject, reference])
      }
      let log = try String(contentsOfFile: executable.path + ".log", encoding: .utf8).split(separator: "\n")
      // In each round one after the other, now this one first and now that one.
      let firsts = stride(from: 0, to: log.count, by: 2).map { log[$0].hasSuffix("container") }
      #expect(Set(firsts).count == 2)
      #expect(
        Set(log)
          == Set(
            ["container", "reference/x"].flatMap { name in
              ["a", "a/7"].map { "probe --nanoseconds 6 --threads 2 -- \($0) \(name)" }
            }))
    }
  }

  @Test("The order differs from launch to launch, and a sample that stands out from its launch is counted")
  func order() throws {
    // The order differs from launch to launch, and is the same for the same seed.
    do {
      let orders = try [(1, 7), (1, 7), (2, 7), (1, 9)].map { (launch: Int, seed: UInt64) in
        let names = Locked<[String]>([])
        let benchmarks = (0..<20).map { index in
          Benchmark(
            "a/\(index)", CountingLoop { names.withLock { $0.append("\(index)") } }.workload())
        }
        _ = try Self.runner(benchmarks, launch: launch, seed: seed).run()
        // What came before was calibration.
        return names.withLock { $0.suffix(20) }
      }
      #expect(orders[0] == orders[1] && orders[0] != orders[2] && orders[0] != orders[3])
    }
    // A sample that stands out from its launch is counted, and the time in which a thread waits for a core is read.
    do {
      #expect(
        (
          Runner.disturbed([100, 101, 102, 150, 100, 101, 102, 100]),
          Runner.disturbed([100, 101, 102, 105, 100, 101, 102, 100]), Runner.disturbed([100, 200]),
          Sampler.waits(in: "170 84127 3\n")
        ) == (1, 0, 0, 84127))
      // One that is further than a tenth, but no further than eight median deviations, does not.
      #expect(
        (
          Runner.disturbed([100, 100, 200]), Runner.disturbed([100, 102, 104, 98, 96, 115, 100]),
          Runner.disturbed([100, 100, 100, 105])
        ) == (1, 0, 0))
      for text in ["", "170", "x y z"] { #expect(Sampler.waits(in: text) == 0) }
    }
  }
}

/// A number that threads change together.
private final class Counter: Sendable {
  private let atomic = Atomic(0)

  var value: Int { atomic.load(ordering: .relaxed) }
  func set(_ value: Int) { atomic.store(value, ordering: .relaxed) }
  func add() { atomic.add(1, ordering: .relaxed) }
}

/// A clock that advances whenever it is read.
private final class Ticks: Sendable {
  private let step: UInt64
  private let time = Atomic<UInt64>(0)

  init(_ step: UInt64) {
    self.step = step
  }

  @Sendable
  func now() -> UInt64 { time.add(step, ordering: .relaxed).newValue }
}
