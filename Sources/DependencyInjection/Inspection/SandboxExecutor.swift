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

  /// Whether something may be created on another actor.
  let mayHop: Bool

  /// The actor in whose name the thread runs, and the executor that waits for what comes of it.
  private let loan: (actor: ActorLoan, borrower: SandboxExecutor)?

  /// Why something cannot be resolved, if it cannot, and whether the resolve never will come to an end, in truth.
  typealias Outcome = (error: ResolutionError?, isLost: Bool)

  /// The one on which the current task runs, as far as it is on no actor.
  @TaskLocal
  static var current: SandboxExecutor?

  init(mayHop: Bool = true, _ loan: (actor: ActorLoan, borrower: SandboxExecutor)? = nil) {
    self.mayHop = mayHop
    self.loan = loan
    SystemThread.start { [self] in
      state.withLock { unsafe $0.thread = ThreadState.current }
      var jobs = 0
      while let job = next() {
        jobs += 1
        guard let actor = loan?.actor, let executor = unsafe actor.executor else {
          unsafe job.runSynchronously(on: asUnownedTaskExecutor())
          continue
        }
        unsafe job.runSynchronously(isolatedTo: executor, taskExecutor: asUnownedTaskExecutor())
        // A task that waits does so without the actor, also if it waits by yielding again and again.
        if jobs > 16 || state.withLock({ $0.jobs.isEmpty }) { actor.end() }
      }
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
  func stop() {
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
  ///   - mayHop: Whether something may be created on another actor.
  ///   - lastWords: Tells what the process ends with if it cannot even be left alone.
  /// - Returns: What came of it.
  static func outcome(
    of body: @escaping @Sendable () async throws -> Void, mayHop: Bool,
    or lastWords: @escaping @Sendable (ResolutionError) -> String
  ) async -> Outcome {
    let executor = SandboxExecutor(mayHop: mayHop)
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

  /// Calls a closure in the name of an actor, on a thread that can be left.
  func borrowing<Result>(
    _ actor: any Actor, _ body: @concurrent @Sendable () async throws -> sending Result
  ) async throws -> sending Result {
    let loan = await ActorLoan(of: actor)
    let executor = SandboxExecutor((loan, self))
    defer {
      loan.end()
      executor.stop()
    }
    return try await Self.$current.withValue(executor) {
      try await withTaskExecutorPreference(executor) { try await body() }
    }
  }

  private func end(_ outcome: Outcome) {
    if let loan {
      loan.actor.end()
      return loan.borrower.end(outcome)
    }
    // Not kept by a thread that sleeps for good; and not released under the lock.
    let (continuation, lastWords) = state.withLock { state in
      // Whoever says the last words reads what was found so far, so nobody goes on and adds to it.
      (state.lastWords == nil ? nil : state.continuation.take(), state.lastWords.take())
    }
    _ = consume lastWords
    continuation?.resume(returning: outcome)
  }

  /// Ends what runs in the place of a trap, if the calling thread is one that nobody will miss.
  ///
  /// - Returns: What to trap with if it is not.
  func endInsteadOfTrap(_ error: ResolutionError) -> String? {
    let isOwnThread = state.withLock { unsafe $0.thread == ThreadState.current }
    // The thread may be in an actor also without a loan, if a factory called or was written as a function of one.
    guard isOwnThread, unsafe ExecutorCheck.isOn(loan?.actor.executor) else { return takeLastWords()?(error) }
    end((error, true))
    SystemThread.sleep()
  }

  /// Once: others that trap meanwhile have their own text.
  private func takeLastWords() -> (@Sendable (ResolutionError) -> String)? {
    loan?.borrower.takeLastWords() ?? state.withLock { $0.lastWords.take() }
  }
}
