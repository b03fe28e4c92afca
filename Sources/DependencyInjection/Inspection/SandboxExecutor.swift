/// A thread for tasks that may never come back.
///
/// A factory that is not marked `throws` cannot be left when something it resolves is missing: where a resolve would
/// trap, the thread is put to sleep for good, with everything that is on its stack. So whoever waits for the tasks goes
/// on without them.
@safe
final class SandboxExecutor: TaskExecutor, @unchecked Sendable {
  // Unchecked: the thread may be asleep for good, so it keeps the executor; what changes is locked.
  private let state = Monitor(State())

  @safe
  private struct State {
    var jobs: [UnownedJob] = []
    var isOver = false
    var continuation: CheckedContinuation<Outcome, Never>?

    /// What to say of a failure that cannot be left.
    var lastWords: (@Sendable (ResolutionError) -> String)?

    /// The thread, once it runs.
    var thread: UnsafeMutablePointer<ThreadState>?
  }

  /// Why something cannot be resolved, if it cannot, and whether the resolve never will come to an end, in truth.
  typealias Outcome = (error: ResolutionError?, isLost: Bool)

  /// The one on which the current task runs, as far as it is on no actor.
  @TaskLocal
  static var current: SandboxExecutor?

  init() {
    SystemThread.start { [self] in
      state.withLock { unsafe $0.thread = ThreadState.current }
      while let job = next() { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    state.wakeAll()
  }

  private func next() -> UnownedJob? {
    state.wait { state -> UnownedJob?? in
      if state.jobs.isEmpty { return state.isOver ? .some(nil) : nil }
      return state.jobs.removeFirst()
    }
  }

  /// Lets the thread end when it has nothing to do any more.
  private func stop() {
    state.withLock { $0.isOver = true }
    state.wakeAll()
  }

  /// Runs an asynchronous closure on a thread of its own, and waits for what it returns.
  static func wait<Result: Sendable>(for body: @escaping @Sendable () async -> Result) -> Result {
    let executor = SandboxExecutor()
    nonisolated(unsafe) var result: Result?
    Task(executorPreference: executor) {
      unsafe result = await body()
      executor.stop()
    }
    executor.state.wait { $0.isOver ? () : nil }
    return unsafe result!
  }

  /// Runs a closure that resolves something on a thread of its own, until that has ended or can come to no end.
  ///
  /// - Parameters:
  ///   - body: The closure.
  ///   - lastWords: Tells what the process ends with if it cannot even be left alone.
  /// - Returns: What came of it.
  static func outcome(
    of body: @escaping @Sendable () async throws -> Void, or lastWords: @escaping @Sendable (ResolutionError) -> String
  ) async -> Outcome {
    let executor = SandboxExecutor()
    defer { executor.stop() }
    return await withCheckedContinuation { continuation in
      executor.state.withLock { state in
        state.continuation = continuation
        state.lastWords = lastWords
      }
      $current.withValue(executor) {
        _ = Task(executorPreference: executor) {
          do {
            try await body()
            executor.end((nil, false))
          } catch {
            executor.end((error as? ResolutionError, false))
          }
        }
      }
    }
  }

  private func end(_ outcome: Outcome) {
    // Not kept by a thread that sleeps for good; and not released under the lock.
    let (continuation, lastWords) = state.withLock { state in (state.continuation.take(), state.lastWords.take()) }
    _ = consume lastWords
    continuation?.resume(returning: outcome)
  }

  /// Ends what runs in the place of a trap, if the calling thread is one that nobody will miss.
  ///
  /// - Returns: What to trap with if it is not.
  func endInsteadOfTrap(_ error: ResolutionError) -> String? {
    guard state.withLock({ unsafe $0.thread == ThreadState.current }) else {
      // Once: others that trap meanwhile have their own text.
      return state.withLock { $0.lastWords.take() }?(error)
    }
    end((error, true))
    SystemThread.sleep()
  }
}
