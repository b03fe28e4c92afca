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
  }

  private struct Lap {
    let start: UInt64
    let end: UInt64
  }

  /// Takes one sample.
  ///
  /// Every thread first runs a tenth of its operations untimed: that warms its caches and creates its thread-locals.
  ///
  /// - Parameters:
  ///   - workload: What to run.
  ///   - threads: On how many threads at once.
  ///   - operations: How many operations each thread runs.
  /// - Returns: The time it took.
  /// - Throws: What the workload found wrong, on any of the threads.
  static func measure(_ workload: Workload, threads: Int, operations: Int) throws(Violation) -> Sample {
    let startLine = StartLine(threads: threads)
    let results = Locked<[Result<Lap, Violation>]>([])
    let group = DispatchGroup()
    withExtendedLifetime(results) {
      for index in 0..<threads {
        group.enter()
        Thread.detachNewThread {
          if threads > 1 { CoreAffinity.tie(thread: index) }
          let result = lap(workload, thread: index, operations: operations, startLine)
          results.withLock { $0.append(result) }
          group.leave()
        }
      }
      group.wait()
    }
    var laps: [Lap] = []
    for result in results.withLock({ $0 }) { laps.append(try result.get()) }
    let start = laps.map(\.start).min() ?? 0
    let end = laps.map(\.end).max() ?? 0
    return Sample(operations: operations * threads, nanoseconds: max(1, Int(end - start)))
  }

  private static func lap(
    _ workload: Workload, thread: Int, operations: Int, _ startLine: StartLine
  ) -> Result<Lap, Violation> {
    let warmUp = operations / 10 / workload.batch * workload.batch
    let isReady = Result { () throws(Violation) in try workload.run(max(workload.batch, warmUp), thread) }
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
