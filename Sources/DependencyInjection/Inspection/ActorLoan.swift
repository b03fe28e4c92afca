/// An actor that stands still while another thread runs in its name.
///
/// The thread of an actor cannot be put to sleep for good, because nobody could use the actor any more. So an isolated
/// factory that may have to be left is called on another thread, while the actor waits. Nothing else runs isolated to it
/// meanwhile, and to the concurrency runtime the thread is on the actor.
final class ActorLoan: Sendable {
  private let actor: any Actor
  private let isOver = Monitor(false)

  /// Waits until the actor is free, and has it stand still from then on.
  init(of actor: any Actor) async {
    self.actor = actor
    let holder = SandboxExecutor()
    await withCheckedContinuation { continuation in
      _ = Task(executorPreference: holder) { [self] in
        await hold(actor, continuation)
        holder.stop()
      }
    }
  }

  private func hold(_: isolated any Actor, _ continuation: CheckedContinuation<Void, Never>) {
    continuation.resume()
    isOver.wait { $0 ? () : nil }
  }

  /// In whose name to run, until the loan is over.
  var executor: UnownedSerialExecutor? { isOver.withLock { $0 } ? nil : unsafe actor.unownedExecutor }

  /// Lets the actor go on.
  func end() {
    isOver.withLock { $0 = true }
    isOver.wakeAll()
  }

  /// Whether nobody can tell that an actor is run on another thread than its own.
  ///
  /// Not so if its executor is a class of somebody's own, which may ask for the thread; and on Apple platforms what is
  /// isolated to the main actor may need the main thread.
  static func isPossible(of actor: any Actor) -> Bool {
    #if !canImport(Darwin)
      if actor is MainActor { return true }
    #endif
    return ExecutorCheck.isOfRuntime(actor)
  }
}
