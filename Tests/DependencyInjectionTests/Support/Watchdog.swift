internal import Testing

/// Runs an asynchronous closure, and turns a hang into a failure.
///
/// The limit says only when to give up; nothing that ends by itself depends on it. A closure that hangs is canceled, so
/// that the test ends. If that does not help either, the process ends.
///
/// - Parameters:
///   - minutes: How long the closure may take.
///   - progress: Says what waits for what, once the time is over.
///   - source: Where to report a hang.
///   - body: What to run; it may record issues.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
func watched<Result: Sendable>(
  minutes: Double = 15, progress: @escaping @Sendable () -> String = { "a task waits forever" },
  source: SourceLocation = #_sourceLocation, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  let task = Task { try await body() }
  let (end, hang) = (Event(), Monitor<String?>(nil))
  startThread {
    if end.wait(seconds: minutes * 60) { return }
    let report = progress()
    hang.change { $0 = report }
    task.cancel()
    if !end.wait(seconds: 60) { fatalError("Hangs although it is cancelled: \(report)") }
  }
  let result = await withTaskCancellationHandler {
    await task.result
  } onCancel: {
    task.cancel()
  }
  end.signal()
  if let report = hang.change({ $0 }) { Issue.record("hangs: \(report)", sourceLocation: source) }
  return try result.get()
}
