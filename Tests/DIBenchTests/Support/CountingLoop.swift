internal import DependencyInjection

@testable import di_bench

/// Does nothing, and notes how often.
final class CountingLoop: Loop {
  let runs = Locked<[Int]>([])
  let onlyOperations: Int?

  init(only operations: Int? = nil) {
    onlyOperations = operations
  }

  var registrations: Int? { nil }
  var growth: Int? { 4096 }

  func run(_ operations: Int, thread _: Int) {
    runs.withLock { $0.append(operations) }
  }
}
