/// An actor that stands still while another thread runs in its name.
///
/// The thread of an actor cannot be put to sleep for good, because nobody could use the actor any more. So an isolated
/// factory that may have to be left is called on another thread, while the actor waits. Nothing else runs isolated to it
/// meanwhile, and to the concurrency runtime the thread is on the actor.
final class ActorLoan: Sendable {
  private let actor: any Actor
  private let isOver = Monitor(false)

  /// For an actor that stands still for good.
  init(ofHeld actor: any Actor) { self.actor = actor }

  /// Waits until the actor is free, and has it stand still from then on.
  init(of actor: any Actor) async {
    self.actor = actor
    let holder = SandboxExecutor()
    await withCheckedContinuation { continuation in
      _ = Task(executorPreference: holder) { [self] in
        while !(await hold(actor, on: holder, continuation)) { await Task.yield() }
        holder.stop()
      }
    }
  }

  /// Has the actor stand still, unless that would block a thread which happens to run what is queued for the actor.
  private func hold(
    _: isolated any Actor, on holder: SandboxExecutor, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    guard actor is MainActor || holder.isCurrentThread else { return false }
    continuation.resume()
    isOver.wait { $0 ? () : nil }
    return true
  }

  /// In whose name to run, until the loan is over.
  var executor: UnownedSerialExecutor? { isOver.withLock { $0 } ? nil : unsafe actor.unownedExecutor }

  /// Lets the actor go on.
  func end() {
    isOver.withLock { $0 = true }
    isOver.wakeAll()
  }

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
