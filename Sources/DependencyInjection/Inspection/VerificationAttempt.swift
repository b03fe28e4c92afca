/// One resolve of a check.
@safe
final class VerificationAttempt: @unchecked Sendable {
  // Unchecked: what changes is locked.
  private let verification: Verification
  private let state = Locked(State())

  @safe
  private struct State {
    /// The thread that only this resolve runs on, if there is one.
    var thread: UnsafeMutablePointer<ThreadState>?

    var continuation: CheckedContinuation<Void, any Error>?
    var isCancelled = false
  }

  /// The resolve that the current factory is called for, if it is called by a check.
  @TaskLocal
  static var current: VerificationAttempt?

  init(in verification: Verification) { self.verification = verification }

  /// Runs an asynchronous resolve in the current task.
  func run(_ resolve: @concurrent () async throws -> Void) async throws {
    try await Self.$current.withValue(self, operation: resolve)
  }

  /// Runs a resolve on a thread of its own, until it has returned, its thread is left, or the current task is cancelled.
  func runOnOwnThread(_ resolve: @escaping @Sendable () throws -> Void) async throws {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCancelled = state.withLock { state in
          if !state.isCancelled { state.continuation = continuation }
          return state.isCancelled
        }
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        SystemThread.start { [self] in
          let thread = unsafe ThreadState.current
          state.withLock { unsafe $0.thread = thread }
          let result = Result { try Self.$current.withValue(self, operation: resolve) }
          // The next thread takes the state of this one over.
          state.withLock { unsafe $0.thread = nil }
          end(result)
        }
      }
    } onCancel: {
      state.withLock { $0.isCancelled = true }
      end(.failure(CancellationError()))
    }
  }

  /// Says how the resolve has ended, if that has not been said.
  private func end(_ result: Result<Void, any Error>) {
    state.withLock { $0.continuation.take() }?.resume(with: result)
  }

  // MARK: In the place of a trap

  /// Puts the calling thread to sleep for good if nobody else needs it, with everything that is on its stack.
  ///
  /// - Parameter error: What to trap with.
  func leaveThread(with error: ResolutionError) {
    guard state.withLock({ unsafe $0.thread == ThreadState.current }) else { return }
    ThreadState.giveUp()
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
