internal import DependencyInjection

@testable import di_bench

/// Does nothing, or one thing, and notes how often.
final class CountingLoop: Loop {
  let runs = Locked<[Int]>([])
  let onlyOperations: Int?
  private let body: @Sendable () -> Void

  init(only operations: Int? = nil, _ body: @escaping @Sendable () -> Void = {}) {
    onlyOperations = operations
    self.body = body
  }

  var registrations: Int? { nil }
  var growth: Int? { 4096 }

  func run(_ operations: Int, thread _: Int) {
    runs.withLock { $0.append(operations) }
    body()
  }
}
