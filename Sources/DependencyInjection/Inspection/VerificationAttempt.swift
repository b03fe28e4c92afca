/// One resolve of a check.
@safe
final class VerificationAttempt: TrapHandler, @unchecked Sendable {
  // Unchecked: what changes is locked.
  private let verification: Verification
  private let state = Locked(State())

  private struct State {
    /// The thread that only this resolve runs on, if there is one.
    var thread: ThreadState?

    var continuation: CheckedContinuation<Void, Never>?

    /// How the resolve has ended, once that is known.
    var result: Result<Void, any Error>?
  }

  init(in verification: Verification) { self.verification = verification }

  /// Runs an asynchronous resolve in the current task.
  func run(_ resolve: @concurrent () async throws -> Void) async throws {
    try await TrapHandling.$current.withValue(self, operation: resolve)
  }

  /// Runs a resolve on a thread of its own, until it has returned, its thread is left, or the current task is cancelled.
  func runOnOwnThread(_ resolve: @escaping @Sendable () throws -> Void) async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.result == nil { state.continuation = continuation }
          return state.result != nil
        }
        if isOver { return continuation.resume() }
        SystemThread.start { [self] in
          state.withLock { $0.thread = .current }
          let result = Result { try TrapHandling.$current.withValue(self, operation: resolve) }
          end(result)
        }
      }
    } onCancel: {
      end(.failure(CancellationError()))
    }
    try state.withLock { $0.result }?.get()
  }

  /// Says how the resolve has ended, if that has not been said.
  private func end(_ result: Result<Void, any Error>) {
    let continuation = state.withLock { state in
      if state.result == nil { state.result = result }
      return state.continuation.take()
    }
    continuation?.resume()
  }

  // MARK: In the place of a trap

  /// Puts the calling thread to sleep for good if nobody else needs it, with everything that is on its stack.
  ///
  /// - Parameter error: What to trap with.
  func leaveThread(with error: ResolutionError) {
    guard state.withLock({ $0.thread === ThreadState.current }) else { return }
    ThreadState.current.abandonCreations()
    end(.failure(error))
    SystemThread.sleep()
  }

  /// Ends the process with everything that the check has found, unless the check is over.
  func endProcess(with error: ResolutionError) {
    if verification.isOver { return }
    verification.add(error)
    fatalError(
      """
      \(verification.error.map { "\($0)" } ?? "")
      This ends the process, and the check before its end: `resolve()` does not throw, and its thread is needed by others.
      Use `try resolve.tryResolve()` at \(error.location), which throws.
      """, file: error.location.file, line: error.location.line)
  }
}
