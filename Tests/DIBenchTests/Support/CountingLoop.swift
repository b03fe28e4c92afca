internal import DependencyInjection

@testable import DIBenchmarking
@testable import di_bench

/// Counts its runs, and does one thing each time.
final class CountingLoop: Sendable {
  let runs = Locked<[Int]>([])
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void = {}) {
    self.body = body
  }

  /// A workload that does nothing else.
  func workload(only operations: Int? = nil) -> Workload {
    Workload(only: operations) { [self] operations, _ in
      runs.withLock { $0.append(operations) }
      body()
    }.with { $0.growth = { 4096 } }
  }
}

extension Benchmark {
  /// A benchmark on one thread beside one that does nothing.
  init(_ name: String, _ workload: @autoclosure @escaping @Sendable () -> Workload) {
    self.init(
      name, "a test", threads: [1], Implementation("container", workload()),
      Implementation("reference/static-let", CountingLoop().workload()))
  }
}
