import Testing

/// Runs an exit test with a high priority, so that its end is noticed at once.
///
/// Swift Testing waits for the process in a task, which Linux would queue behind all tests that have not begun. Until that task
/// runs, a thread of Swift Testing spins.
struct ExitTestTrait: SuiteTrait, TestTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withoutActuallyEscaping(function) { function in
      try await withThrowingTaskGroup { group in
        group.addTask(priority: .high) { try await function() }
        try await group.waitForAll()
      }
    }
  }
}

extension Trait where Self == ExitTestTrait {
  static var exitTest: Self { Self() }
}
