#if canImport(Darwin)
  internal import Darwin
#endif

/// Tells whether the current code runs isolated to an actor, without trapping when it does not.
///
/// The standard library has only checks that trap (`preconditionIsolated`), and the main actor is not the main thread
/// under Swift Testing on Linux, so the thread cannot answer either. The concurrency runtime knows: this asks the
/// entry point behind those checks in its answering mode. Where the runtime is older or linked statically without
/// exported symbols, an actor counts as "not here", which turns a creation into an error that names the way out, never
/// into unsynchronised access. On Apple platforms the main actor is the main thread, which is asked instead.
enum ExecutorCheck {
  private typealias IsCurrentExecutor = @convention(c) (UInt, UInt, UInt) -> Bool

  /// The runtime's `swift_task_isCurrentExecutorWithFlags`, if this process has it.
  private static let isCurrentExecutor: IsCurrentExecutor? = {
    // Sound: the symbol takes an executor reference (two words) and a flag word, and returns a Bool.
    unsafe CLibrary.function("swift_task_isCurrentExecutorWithFlags", as: IsCurrentExecutor.self)
  }()

  /// Whether the caller runs on `actor`'s executor.
  static func isIsolated(to actor: any Actor) -> Bool {
    #if canImport(Darwin)
      if actor is MainActor { return pthread_main_np() != 0 }
    #endif
    if let isCurrentExecutor {
      // Sound: `UnownedSerialExecutor` is a frozen struct around the two words of an executor reference.
      let words = unsafe unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self)
      return isCurrentExecutor(words.0, words.1, 0)
    }
    return false
  }
}
