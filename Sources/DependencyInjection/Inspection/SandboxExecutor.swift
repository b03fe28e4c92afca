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

    /// Whether there is a thread for the jobs, unless it has been put to sleep.
    var isRunning = false

    /// Whether the loan ends with the job that runs; not the first one, as each `@concurrent` function begins a job.
    var endsLoan = false

    var continuation: CheckedContinuation<Outcome, Never>?

    /// What to say of a failure that cannot be left.
    var lastWords: (@Sendable (ResolutionError) -> String)?

    /// The thread, while it runs.
    var thread: UnsafeMutablePointer<ThreadState>?
  }

  /// The identity of the executor that waits for all of this, if it cannot be used meanwhile; 0 if it is that of no actor.
  private let blocked: UInt?

  /// The actor in whose name the thread runs, and the executor that waits for what comes of it.
  private let loan: (actor: ActorLoan, borrower: SandboxExecutor)?

  /// Why something cannot be resolved, if it cannot, and whether the resolve never will come to an end, in truth.
  typealias Outcome = (error: ResolutionError?, isLost: Bool)

  /// The one that waits for the current task, or has waited for what has started it.
  @TaskLocal
  static var current: SandboxExecutor?

  init(blocked: UInt? = nil, _ loan: (actor: ActorLoan, borrower: SandboxExecutor)? = nil) {
    self.blocked = blocked
    self.loan = loan
  }

  /// Whether something may be created on an actor: not if that would have to wait for whoever waits for this.
  func mayHop(to actor: any Actor) -> Bool {
    guard let blocked else { return true }
    let identity = ExecutorCheck.identity(of: actor)
    return identity != ExecutorCheck.identity(of: MainActor.shared) && identity != blocked
  }

  /// The identity of the executor that cannot be used while the caller waits.
  static var blockedByCaller: UInt {
    let own = ExecutorCheck.current ?? 0
    return own == 0 ? current?.blocked ?? 0 : own
  }

  /// Whether the caller is on the thread.
  var isCurrentThread: Bool { state.withLock { unsafe $0.thread == ThreadState.current } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isRunning = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return state.isRunning
    }
    // Also when it is over: what a factory has started may still go on.
    if isRunning { state.wakeAll() } else { start() }
  }

  private func start() {
    SystemThread.start { [self] in
      state.withLock { unsafe $0.thread = ThreadState.current }
      while let job = next() { run(job) }
    }
  }

  private func next() -> UnownedJob? {
    state.wait { state -> UnownedJob?? in
      if !state.jobs.isEmpty { return state.jobs.removeFirst() }
      guard state.isOver else { return nil }
      state.isRunning = false
      unsafe state.thread = nil
      return .some(nil)
    }
  }

  private func run(_ job: UnownedJob) {
    guard let actor = loan?.actor, let executor = unsafe actor.executor else {
      return unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
    unsafe job.runSynchronously(isolatedTo: executor, taskExecutor: asUnownedTaskExecutor())
    if state.withLock({ $0.endsLoan }) { actor.end() }
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
  ///   - blocked: The identity of the executor that waits for this and cannot be used meanwhile, if any.
  ///   - lastWords: Tells what the process ends with if it cannot even be left alone.
  /// - Returns: What came of it.
  static func outcome(
    of body: @escaping @Sendable () async throws -> Void, blocked: UInt?,
    or lastWords: @escaping @Sendable (ResolutionError) -> String
  ) async -> Outcome {
    let executor = SandboxExecutor(blocked: blocked)
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
  ///
  /// The closure calls `endLoan` right before what is isolated to the actor.
  @concurrent
  func borrowing<Result>(
    _ actor: any Actor, _ body: @concurrent @Sendable () async throws -> sending Result
  ) async throws -> sending Result {
    let loan = await ActorLoan(of: actor)
    let executor = SandboxExecutor(blocked: blocked, (loan, self))
    defer { executor.stop() }
    return try await Self.$current.withValue(executor) {
      try await withTaskExecutorPreference(executor) { try await body() }
    }
  }

  /// Ends the loan, if there is one, as soon as the current task waits or has ended.
  ///
  /// What comes later runs on the actor itself where it is isolated, and in nobody's name where it is not.
  static func endLoan() { current?.state.withLock { $0.endsLoan = true } }

  private func end(_ outcome: Outcome) {
    if let loan { return loan.borrower.end(outcome) }
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
  /// - Parameters:
  ///   - error: What to trap with.
  ///   - container: The container that is asked.
  /// - Returns: What to trap with if the thread will be missed.
  func endInsteadOfTrap(_ error: ResolutionError, in container: DIContainer) -> String? {
    // The thread may be in an actor also without a loan, if a factory called or was written as a function of one.
    guard isCurrentThread, unsafe ExecutorCheck.isOn(loan?.actor.executor) else { return takeLastWords()?(error) }
    end((error, true))
    container.giveUp(error)
    loan?.actor.end()
    // What is queued may be an actor's, so that somebody has to go on with it.
    let isRunning = state.withLock { state in
      unsafe state.thread = nil
      state.isRunning = !state.jobs.isEmpty
      return state.isRunning
    }
    if isRunning { start() }
    SystemThread.sleep()
  }

  /// Once: others that trap meanwhile have their own text.
  private func takeLastWords() -> (@Sendable (ResolutionError) -> String)? {
    loan?.borrower.takeLastWords() ?? state.withLock { $0.lastWords.take() }
  }
}
