internal import DependencyInjection
internal import Foundation

/// Runs a workload once on a number of threads and times it.
enum Sampler {
  struct Sample: Equatable {
    let operations: Int
    /// From the start of the first thread to the end of the last; for a single thread that does not time each operation,
    /// without its waits for a core.
    let nanoseconds: Int
    var registrations: Int?
    /// The number of bytes by which the memory of the process grew, if that was measured.
    var growth: Int?
    /// The nanoseconds for which the busiest thread had a core; nil if no thread has to wait for one.
    var busy: Int?
    /// The nanoseconds of each operation, where each was timed.
    var latencies: [Int] = []
  }

  private struct Lap {
    let start, end: UInt64
    let operations: Int
    let busy: UInt64
    let latencies: [Int]
  }

  /// Takes one sample.
  ///
  /// Every thread first runs a tenth of its operations untimed: that warms its caches and creates its thread-locals. A
  /// workload that a process can do only once is timed right away.
  ///
  /// Each thread runs this many operations. Threads that may disturb each other stop after the limit, in nanoseconds,
  /// because nobody knows how badly they will.
  static func measure(
    _ workload: Workload, threads: Int, operations: Int, limit: Int? = nil, clock: (@Sendable () -> UInt64)? = nil
  ) throws(Violation) -> Sample {
    let isContended = threads > 1 || workload.background != nil
    // Reading the clock of one thread takes microseconds, which an operation may not.
    let clock = clock ?? (isContended || workload.timesEach ? uptime : nil)
    let limit = isContended && workload.onlyOperations == nil ? limit.map { UInt64($0) } : nil
    let startLine = StartLine(threads: workload.background == nil ? threads : threads + 1)
    let finishLine = StartLine(threads: threads)
    let results = Locked<[Result<Lap, Violation>]>([])
    let group = DispatchGroup()
    let backgroundResult = Locked<Result<Void, Violation>>(.success(()))
    for index in 0..<threads {
      group.enter()
      Thread.detachNewThread {
        if isContended { CoreAffinity.tie(thread: index) }
        let result = lap(workload, thread: index, operations: operations, limit, startLine, clock)
        finishLine.arrive()
        results.withLock { $0.append(result) }
        group.leave()
      }
    }
    if let background = workload.background {
      group.enter()
      Thread.detachNewThread {
        CoreAffinity.tie(thread: threads)
        startLine.wait()
        let result = Result { () throws(Violation) in try background { finishLine.isAwaitingThreads } }
        backgroundResult.withLock { $0 = result }
        group.leave()
      }
    }
    group.wait()
    try backgroundResult.withLock { $0 }.get()
    let laps = try results.withLock { $0 }.map { result throws(Violation) in try result.get() }
    let start = laps.map(\.start).min() ?? 0
    let end = laps.map(\.end).max() ?? 0
    let done = laps.reduce(0) { $0 + $1.operations }
    return Sample(
      operations: done, nanoseconds: max(1, Int(end) - Int(start)), registrations: workload.registrations,
      growth: workload.growth(), busy: isContended ? laps.map(\.busy).max().map { Int($0) } : nil,
      latencies: laps.flatMap(\.latencies))
  }

  private static func lap(
    _ workload: Workload, thread: Int, operations: Int, _ limit: UInt64?, _ startLine: StartLine,
    _ clock: (() -> UInt64)?
  ) -> Result<Lap, Violation> {
    let clock = clock ?? uptimeWithoutWaits()
    let warmUp = operations / 10 / workload.batch * workload.batch
    let isReady = Result { () throws(Violation) in
      if workload.onlyOperations == nil { _ = try run(workload, max(workload.batch, warmUp), thread, limit, clock) }
    }
    // Even if that failed, because the others wait.
    startLine.wait()
    return isReady.flatMap { Result { () throws(Violation) in try run(workload, operations, thread, limit, clock) } }
  }

  /// Runs operations, all at once or, if there is a limit, in sixteenths until it is reached.
  private static func run(
    _ workload: Workload, _ operations: Int, _ thread: Int, _ limit: UInt64?, _ clock: () -> UInt64
  ) throws(Violation) -> Lap {
    let part = limit == nil ? operations : max(1, operations / 16 / workload.batch) * workload.batch
    let busy = threadTime()
    let start = clock()
    var end = start
    var done = 0
    var latencies: [Int] = []
    repeat {
      let count = workload.timesEach ? 1 : min(part, operations - done)
      try workload.run(count, thread)
      done += count
      let now = clock()
      if workload.timesEach { latencies.append(Int(now - end)) }
      end = now
    } while done < operations && limit.map { end - start < $0 } ?? true
    return Lap(start: start, end: end, operations: done, busy: threadTime() - busy, latencies: latencies)
  }

  private static let uptime: @Sendable () -> UInt64 = { DispatchTime.now().uptimeNanoseconds }

  /// Returns a clock of the calling thread, which stands still while the thread waits for a core that something else keeps
  /// busy.
  private static func uptimeWithoutWaits() -> () -> UInt64 {
    // Opened once, so that each reading leaves out the waits or, where the system does not say, none does.
    let statistics = FileHandle(forReadingAtPath: "/proc/thread-self/schedstat")
    return {
      // Until no wait falls between the two, because only one of them would include it.
      while true {
        let (before, now) = (waits(in: statistics), uptime())
        if waits(in: statistics) == before { return now - before }
      }
    }
  }

  /// The nanoseconds for which a thread has waited for a core, according to its statistics; 0 if there are none.
  private static func waits(in statistics: FileHandle?) -> UInt64 {
    guard let statistics else { return 0 }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe pread(statistics.fileDescriptor, &bytes, bytes.count, 0)
    return waits(in: String(decoding: bytes.prefix(max(0, count)), as: UTF8.self))
  }

  /// Returns the second of three numbers: the time with a core, the time of waiting for one, and the number of turns.
  static func waits(in statistics: String) -> UInt64 {
    statistics.split(separator: " ").dropFirst().first.flatMap { UInt64($0) } ?? 0
  }

  /// The nanoseconds for which the calling thread has had a core.
  private static func threadTime() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
