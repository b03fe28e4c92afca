/// An actor that stands still while another thread runs in its name.
///
/// The thread of an actor cannot be put to sleep for good, because nobody could use the actor any more. So an isolated
/// factory that may have to be left is called on another thread, while the actor waits. Nothing else runs isolated to it
/// meanwhile, and to the concurrency runtime the thread is on the actor.
@safe
final class ActorLoan: @unchecked Sendable {
  // Unchecked: what changes is locked.
  private let actor: any Actor
  private let state = Monitor(State())

  @safe
  private struct State {
    /// The identity of the task that has borrowed the actor; 0 if none has.
    var borrower: UInt = 0

    /// Whether the loan ends with the job that runs; not the first one, as each `@concurrent` function begins a job.
    var isEnding = false

    /// The thread that runs in the name of the actor, while it does.
    var thread: UnsafeMutablePointer<ThreadState>?
  }

  init(of actor: any Actor) { self.actor = actor }

  /// Waits until the actor is free, and has it stand still from then on, for the jobs of the current task.
  @concurrent
  func begin() async {
    let (holder, borrower) = (SandboxExecutor(holdsActors: true), ExecutorCheck.currentTask)
    await withCheckedContinuation { continuation in
      _ = Task(executorPreference: holder) { [self] in
        // The actor has a free thread once its queue was empty, which many who ask at once would prevent.
        while !(await hold(actor, for: borrower, continuation)) { SystemThread.sleep(milliseconds: 1) }
        holder.stop()
      }
    }
  }

  /// Has the actor stand still, unless that would block a thread which happens to run what is queued for the actor.
  private func hold(
    _: isolated any Actor, for borrower: UInt, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    guard unsafe actor is MainActor || ThreadState.current.pointee.holdsActors else { return false }
    state.withLock { $0.borrower = borrower }
    continuation.resume()
    state.wait { $0.borrower == 0 ? () : nil }
    return true
  }

  /// Lets the actor go on.
  private func end() {
    state.withLock { $0 = State() }
    state.wakeAll()
  }

  // MARK: For whoever has borrowed it

  /// Runs a job, if it is one of whoever has borrowed the actor.
  ///
  /// Each has a thread of its own, because that of the executor may be busy with something that waits for the actor.
  func run(_ job: UnownedJob, for executor: SandboxExecutor) -> Bool {
    let task = ExecutorCheck.task(of: job)
    guard state.withLock({ $0.borrower == task && !$0.isEnding }) else { return false }
    SystemThread.start { [self] in
      let thread = unsafe ThreadState.current
      state.withLock { unsafe $0.thread = thread }
      unsafe job.runSynchronously(
        isolatedTo: actor.unownedExecutor, taskExecutor: executor.asUnownedTaskExecutor())
      let isEnding = state.withLock { state in
        // Otherwise the next one has already begun.
        guard unsafe state.thread == thread else { return false }
        unsafe state.thread = nil
        return state.isEnding
      }
      if isEnding { end() }
    }
    return true
  }

  /// Whether the calling thread runs in the name of the actor, and in no other one's.
  var isOfThread: Bool { isOfCaller && state.withLock { unsafe $0.thread == ThreadState.current } }

  /// Whether the caller is on the actor, or runs in its name.
  var isOfCaller: Bool { ExecutorCheck.current == ExecutorCheck.identity(of: actor) }

  /// Ends the loan as soon as the current task waits or has ended.
  func endWithJob() { state.withLock { if $0.borrower == ExecutorCheck.currentTask { $0.isEnding = true } } }

  /// Ends the loan, because the calling thread will not go on.
  func endWithThread() { if isOfThread { end() } }

  // MARK: When there is one

  /// Whether an actor has no thread of its own that may matter to what is isolated to it.
  ///
  /// It may have one if its executor is a class of somebody's own; and user interfaces need the main thread.
  static func isPossible(of actor: any Actor) -> Bool {
    if ExecutorCheck.current == nil { return false }
    #if os(Linux)
      if actor is MainActor { return true }
    #endif
    return ExecutorCheck.isOfRuntime(actor)
  }
}
