internal import Dispatch
internal import Foundation
internal import DependencyInjection

/// Runs a workload once on a number of threads and times it.
enum Sampler {
  /// The time that all threads together took.
  struct Sample: Equatable {
    /// The operations of all threads.
    let operations: Int

    /// From the start of the first thread to the end of the last.
    let nanoseconds: Int

    /// How many registrations there were; nil if nothing is registered.
    var registrations: Int?

    /// By how many bytes the memory of the process grew, if that was measured.
    var growth: Int?
  }

  private struct Lap {
    let start: UInt64
    let end: UInt64
  }

  /// What the thread that accompanies the others found wrong.
  private final class Company: Sendable {
    let result = Locked<Result<Void, Violation>>(.success(()))
  }

  /// Takes one sample.
  ///
  /// Every thread first runs a tenth of its operations untimed: that warms its caches and creates its thread-locals. A
  /// workload that a process can do only once is timed at once.
  ///
  /// - Parameters:
  ///   - workload: What to run.
  ///   - threads: On how many threads at once.
  ///   - operations: How many operations each thread runs.
  /// - Returns: The time it took.
  /// - Throws: What the workload found wrong, on any of the threads.
  static func measure(_ workload: Workload, threads: Int, operations: Int) throws(Violation) -> Sample {
    let startLine = StartLine(threads: workload.accompany == nil ? threads : threads + 1)
    let finishLine = FinishLine(threads: threads)
    let results = Locked<[Result<Lap, Violation>]>([])
    let group = DispatchGroup()
    let company = Company()
    withExtendedLifetime(results) {
      for index in 0..<threads {
        group.enter()
        Thread.detachNewThread {
          if threads > 1 || workload.accompany != nil { CoreAffinity.tie(thread: index) }
          let result = lap(workload, thread: index, operations: operations, startLine)
          finishLine.cross()
          results.withLock { $0.append(result) }
          group.leave()
        }
      }
      if let accompany = workload.accompany {
        group.enter()
        Thread.detachNewThread {
          CoreAffinity.tie(thread: threads)
          startLine.wait()
          let result = Result { () throws(Violation) in try accompany { finishLine.isAwaitingThreads } }
          company.result.withLock { $0 = result }
          group.leave()
        }
      }
      group.wait()
    }
    try company.result.withLock { $0 }.get()
    var laps: [Lap] = []
    for result in results.withLock({ $0 }) { laps.append(try result.get()) }
    let start = laps.map(\.start).min() ?? 0
    let end = laps.map(\.end).max() ?? 0
    return Sample(
      operations: operations * threads, nanoseconds: max(1, Int(end - start)), registrations: workload.registrations,
      growth: workload.growth())
  }

  private static func lap(
    _ workload: Workload, thread: Int, operations: Int, _ startLine: StartLine
  ) -> Result<Lap, Violation> {
    let warmUp = operations / 10 / workload.batch * workload.batch
    let isReady = Result { () throws(Violation) in
      if workload.onlyOperations == nil { try workload.run(max(workload.batch, warmUp), thread) }
    }
    // Also if that failed, because the others wait.
    startLine.wait()
    return isReady.flatMap {
      Result { () throws(Violation) in
        let start = DispatchTime.now().uptimeNanoseconds
        try workload.run(operations, thread)
        return Lap(start: start, end: DispatchTime.now().uptimeNanoseconds)
      }
    }
  }
}
