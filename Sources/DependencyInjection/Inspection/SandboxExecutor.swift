/// A thread for tasks that may never come back.
///
/// A factory that is not marked `throws` cannot be left when something it resolves is missing: where a resolve would
/// trap, the thread is put to sleep for good, with everything that is on its stack. So whoever waits for the tasks goes
/// on without them.
@safe
final class SandboxExecutor: TaskExecutor, @unchecked Sendable {
  // Unchecked: the thread may be asleep for good, so it keeps the executor; what changes is locked.
  private let state: Monitor<State>

  @safe
  private struct State {
    var jobs: [UnownedJob] = []
    var isOver = false

    /// Whether there is a thread for the jobs, unless it has been put to sleep.
    var isRunning = false

    var continuation: CheckedContinuation<Outcome, Never>?

    /// What is waited for with it.
    var task: Task<Void, Never>?

    /// The thread, while it runs.
    var thread: UnsafeMutablePointer<ThreadState>?

    /// The actor that the thread is on for good.
    var held: UnownedSerialExecutor?
  }

  /// The identity of the executor that waits for all of this, if it cannot be used meanwhile; 0 if it is that of no actor.
  private let blocked: UInt?

  /// The one that this is a part of.
  private let outer: SandboxExecutor?

  /// The actor in whose name the tasks can run.
  private let loan: ActorLoan?

  /// Whether the thread is there for actors to stand still on.
  private let holdsActors: Bool

  /// The check that all of this is a part of; weak, because a thread that sleeps for good keeps the executor.
  private weak let verification: Verification?

  /// Why something cannot be resolved, if it cannot, and whether the resolve never will come to an end, in truth.
  typealias Outcome = (error: ResolutionError?, isLost: Bool)

  /// The one that waits for the current task, or has waited for what has started it.
  @TaskLocal
  static var current: SandboxExecutor?

  init(
    for verification: Verification? = nil, blocked: UInt? = nil, holdsActors: Bool = false, isRunning: Bool = false
  ) {
    self.verification = verification
    self.blocked = blocked
    self.holdsActors = holdsActors
    (outer, loan) = (nil, nil)
    state = unsafe Monitor(State(isRunning: isRunning))
  }

  /// Creates one with a thread of its own for a part of what another one does.
  init(in outer: SandboxExecutor, _ loan: ActorLoan? = nil) {
    (verification, blocked, holdsActors) = (outer.verification, outer.blocked, false)
    (self.outer, self.loan) = (outer, loan)
    state = Monitor(State())
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
  private var isCurrentThread: Bool { state.withLock { unsafe $0.thread == ThreadState.current } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let loan, loan.run(job, for: self) { return }
    let isRunning = state.withLock { state in
      state.jobs.append(job)
      defer { state.isRunning = true }
      return state.isRunning
    }
    // Also when it is over: what a factory has started may still go on.
    if isRunning { state.wakeAll() } else { start() }
  }

  private func start() {
    SystemThread.start { [self] in work() }
  }

  /// Makes the calling thread that of the executor, until that is over.
  private func work() {
    let thread = unsafe ThreadState.current
    state.withLock { unsafe $0.thread = thread }
    unsafe thread.pointee.holdsActors = holdsActors
    while let job = next() { run(job) }
    unsafe thread.pointee.holdsActors = false
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
    if let executor = unsafe state.withLock({ unsafe $0.held }) {
      unsafe job.runSynchronously(isolatedTo: executor, taskExecutor: asUnownedTaskExecutor())
    } else {
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
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

  /// Runs a closure that resolves something, until that has ended or can come to no end.
  ///
  /// It is cancelled with the current task.
  ///
  /// - Parameter body: The closure.
  /// - Returns: What came of it.
  func outcome(of body: @escaping @Sendable () async throws -> Void) async -> Outcome {
    defer { stop() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { $0.continuation = continuation }
        let task = Self.$current.withValue(self) {
          Task(executorPreference: self) { [self] in
            do {
              try await body()
              end((nil, false))
            } catch {
              end((error as? ResolutionError, false))
            }
          }
        }
        state.withLock { $0.task = task }
        if Task.isCancelled { task.cancel() }
      }
    } onCancel: {
      state.withLock { $0.task }?.cancel()
    }
  }

  /// Starts a task on a thread of its own, because whoever waits for it may block this one.
  func task(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let executor = SandboxExecutor(in: self)
    return Self.$current.withValue(executor) {
      Task(executorPreference: executor) {
        defer { executor.stop() }
        await body()
      }
    }
  }

  /// Whether something can be called in the name of an actor.
  func mayBorrow(_ actor: any Actor) -> Bool { ActorLoan.isPossible(of: actor) || standIn(for: actor) != nil }

  /// Calls a closure in the name of an actor, on a thread that can be left.
  ///
  /// The closure calls `endLoan` right before what is isolated to the actor.
  @concurrent
  func borrowing<Result>(
    _ actor: any Actor, _ body: @concurrent @Sendable () async throws -> sending Result
  ) async throws -> sending Result {
    if let standIn = standIn(for: actor) {
      standIn.state.withLock { unsafe $0.held = actor.unownedExecutor }
      return try await withTaskExecutorPreference(standIn) { try await body() }
    }
    let loan = ActorLoan(of: actor)
    let executor = SandboxExecutor(in: self, loan)
    defer { executor.stop() }
    await loan.begin()
    return try await Self.$current.withValue(executor) {
      try await withTaskExecutorPreference(executor) { try await body() }
    }
  }

  /// The thread of an actor that stands by, if it does.
  private func standIn(for actor: any Actor) -> SandboxExecutor? {
    verification?.standIns[ExecutorCheck.identity(of: actor)]
  }

  /// Ends the loan, if there is one, as soon as the current task waits or has ended.
  ///
  /// What comes later runs on the actor itself where it is isolated, and in nobody's name where it is not.
  static func endLoan() { current?.loan?.endWithJob() }

  /// The one that can have the current task go on in the name of the actor that it is on, if there is one.
  static var lendingCaller: SandboxExecutor? {
    guard Gate.mayBeIsolated, let current, current.loan?.isOfCaller == true else { return nil }
    // Not a task that the factory has started, which runs elsewhere.
    let isOwn = unsafe withUnsafeCurrentTask { task in
      unsafe task?.unownedTaskExecutor == current.asUnownedTaskExecutor()
    }
    return isOwn ? current : nil
  }

  /// Has the current task go on in the name of the actor until it waits again or has ended.
  @concurrent
  func borrowAgain() async {
    guard let loan else { return }
    await loan.begin()
    // The wait may have been over before the thread was given up, and then this is still the job from before.
    while !loan.isOfThread { await Task.yield() }
    loan.endWithJob()
  }

  /// Says what came of it, if that has not been said.
  func end(_ outcome: Outcome) {
    if let outer { return outer.end(outcome) }
    state.withLock { $0.continuation.take() }?.resume(returning: outcome)
  }

  /// Whether the calling thread is one that nobody will miss.
  ///
  /// It may be in an actor also without a loan, if a factory called or was written as a function of one.
  var mayLeave: Bool { loan?.isOfThread == true || (isCurrentThread && !ExecutorCheck.isOnActor) }

  /// Ends what runs in the place of a trap, unless it has outlived the check.
  ///
  /// A thread that will be missed stands by until everything has been checked, which ends the process.
  ///
  /// - Parameters:
  ///   - error: What to trap with.
  ///   - container: The container that is asked.
  func endInsteadOfTrap(_ error: ResolutionError, in container: DIContainer) {
    let isMissed = !mayLeave
    let standIn = isMissed ? verification?.standIn(after: error) : nil
    if isMissed && standIn == nil { return }
    if !isMissed { verification?.didLoseThread() }
    end((error, true))
    container.giveUp(error)
    loan?.endWithThread()
    if isCurrentThread {
      // What is queued may be an actor's, so that somebody has to go on with it.
      let isRunning = state.withLock { state in
        unsafe state.thread = nil
        state.isRunning = !state.jobs.isEmpty
        return state.isRunning
      }
      if isRunning { start() }
    }
    if let standIn {
      // Each failure is nested in the one before.
      if SystemThread.isStackBelow(SystemThread.stackLimit()) { verification?.conclude() }
      ThreadState.abandon()
      standIn.work()
    }
    SystemThread.sleep()
  }
}
