internal import Foundation

/// One implementation in a cell, which is a benchmark on a number of threads.
struct Candidate: Sendable {
  let benchmark: Benchmark
  let implementation: Benchmark.Implementation
  let threads: Int
  let name: String
  /// The workload; nil for benchmarks that are measured in processes of their own, which make it.
  let workload: Workload?
  /// The address of what the process says if it hangs or crashes while it measures this.
  let lastWords: UInt
  static let lastWordsPrefix = "Ended while measuring "

  init(benchmark: Benchmark, implementation: Benchmark.Implementation, threads: Int) {
    self.benchmark = benchmark
    self.implementation = implementation
    self.threads = threads
    name = "\(benchmark.label) \(implementation.name) at \(threads.counted("thread"))"
    lastWords = unsafe UInt(bitPattern: strdup("\n" + Self.lastWordsPrefix + name + "\n"))
    workload = benchmark.ownProcess == nil ? Self.makeWorkload(benchmark, implementation) : nil
  }

  /// Makes the workload; if the environment says so, slows the subject's by a quarter, to show that this is noticed.
  static func makeWorkload(_ benchmark: Benchmark, _ implementation: Benchmark.Implementation) -> Workload {
    let workload = implementation.makeWorkload()
    let isSlowed = slowed == benchmark.label && implementation.name == benchmark.subject.name
    return isSlowed ? workload.slowed : workload
  }

  private static let slowed = ProcessInfo.processInfo.environment["DI_BENCH_SLOWED"]

  var role: ResultRow.Role {
    implementation.name == benchmark.subject.name
      ? .subject : implementation.name == benchmark.reference?.name ? .reference : .other
  }

  var busyThreads: Int { workload?.background == nil ? threads : threads + 1 }

  /// Runs a workload, and converts a violation to the failure that the command reports.
  func checked<Result>(_ body: () throws(Violation) -> Result) throws(CommandFailure) -> Result {
    do { return try body() } catch {
      throw CommandFailure(.invariantViolated, "Invariant violated: \(name): \(error.message)")
    }
  }
}
