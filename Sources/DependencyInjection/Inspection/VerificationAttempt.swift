/// One resolution of a check.
@safe
final class VerificationAttempt: TrapHandler {
  private let verification: Verification
  private let state = Locked(State())

  private struct State {
    /// The thread that runs only this resolution, if there is one.
    var thread: ThreadState?

    var continuation: CheckedContinuation<Void, Never>?

    /// The result of the resolution, once there is one.
    var result: Result<Void, any Error>?
  }

  init(in verification: Verification) { self.verification = verification }

  /// Runs an asynchronous resolution in the current task.
  func run(_ resolve: @concurrent () async throws -> Void) async throws {
    try await Resolver.$trapHandler.withValue(self, operation: resolve)
  }

  /// The reason why a resolution has no result: it has not returned in time.
  struct Timeout: Error {}

  /// Runs a resolution on a thread of its own until it returns, its thread is abandoned, or the current task is
  /// canceled.
  ///
  /// - Parameters:
  ///   - limit: The time after which the resolution is given up, if it may be waiting for an abandoned thread.
  ///   - resolve: The resolution.
  /// - Throws: The error of the resolution, `Timeout`, or a `CancellationError`.
  func runOnOwnThread(limit: Duration?, _ resolve: @escaping @Sendable () throws -> Void) async throws {
    let timer = limit.map { limit in
      Task {
        try await Task.sleep(for: limit)
        end(.failure(Timeout()))
      }
    }
    defer { timer?.cancel() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.result == nil { state.continuation = continuation }
          return state.result != nil
        }
        if isOver { return continuation.resume() }
        SystemThread.start { [self] in
          state.withLock { $0.thread = .current }
          let result = Result { try Resolver.$trapHandler.withValue(self, operation: resolve) }
          end(result)
        }
      }
    } onCancel: {
      end(.failure(CancellationError()))
    }
    try state.withLock { $0.result }?.get()
  }

  /// Sets the result of the resolution, if it has none.
  private func end(_ result: Result<Void, any Error>) {
    let continuation = state.withLock { state in
      if state.result == nil { state.result = result }
      return state.continuation.take()
    }
    continuation?.resume()
  }

  // MARK: In the place of a trap

  /// Suspends the calling thread forever, with everything on its stack, if no other code needs it.
  ///
  /// - Parameter error: The error of the failed resolution.
  func leaveThread(with error: ResolutionError) {
    guard state.withLock({ $0.thread === ThreadState.current }) else { return }
    ThreadState.current.abandonCreations()
    verification.didAbandonThread(error)
    end(.failure(error))
    SystemThread.sleep()
  }

  /// Ends the process with all problems that the check has found, unless the check has ended.
  func endProcess(with error: ResolutionError) {
    if verification.isOver { return }
    verification.add(error)
    fatalError(
      """
      \(verification.error.map { "\($0)" } ?? "")
      This ends the process, and the check with it: neither `resolve()` nor `@Inject` can throw.
      Use `autowire:`, or `try resolve.tryResolve()` in the factory, instead of what stands at \(error.location).
      """, file: error.location.file, line: error.location.line)
  }
}
