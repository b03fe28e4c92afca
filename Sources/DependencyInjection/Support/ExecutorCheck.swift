internal import Builtin

#if canImport(Darwin)
  internal import Darwin
#endif

/// Returns whether the current code runs isolated to an executor, instead of trapping if it does not.
///
/// This is the runtime's entry point behind the checks of the standard library. It is linked, not looked up by its name,
/// because a program into which the runtime is linked statically exports no names.
///
/// Sound: this is the standard library's own declaration, and the compiler refuses any other type for the name. Without
/// flags the function answers; the only flag makes it trap. Swift 6.2 and later have it, and this package needs those.
/// On Apple platforms the runtime is that of the system, and may be older: there the reference is weak, and is only
/// followed where the standard library declares the function available.
@available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
@_silgen_name("swift_task_isCurrentExecutorWithFlags")
private func isCurrentExecutor(executor: Builtin.Executor, flags: UInt64) -> Bool

/// Tells whether the current code runs isolated to an actor, without trapping when it does not.
///
/// The standard library has only checks that trap (`preconditionIsolated`), and the main actor is not the main thread
/// under Swift Testing on Linux, so the thread cannot answer either. The concurrency runtime can.
enum ExecutorCheck {
  #if canImport(Darwin)
    private typealias CurrentExecutor = @convention(c) () -> UInt

    /// The runtime's `swift_task_getCurrentExecutor`, for older systems.
    private static let currentExecutor: CurrentExecutor? = {
      // Sound: it returns an executor reference, whose first word is where a function of C returns its only one.
      unsafe CLibrary.function("swift_task_getCurrentExecutor", as: CurrentExecutor.self)
    }()

    /// Returns whether the caller runs on an actor's executor.
    static func isIsolated(to actor: any Actor) -> Bool {
      // Not the runtime, which older systems cannot ask, and which knows less: in a job that another executor runs on
      // the main thread it says no, where the checks of the standard library say yes.
      if actor is MainActor { return pthread_main_np() != 0 }
      if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
        // Sound: the actor keeps its executor alive, and the caller the actor.
        return unsafe isCurrentExecutor(executor: actor.unownedExecutor._executor, flags: 0)
      }
      // An older system: this finds all but executors that are equal without being identical.
      // Sound: the actor's executor is a frozen struct around the two words of an executor reference.
      return unsafe currentExecutor?() == unsafeBitCast(actor.unownedExecutor, to: (UInt, UInt).self).0
    }
  #else
    /// Returns whether the caller runs on an actor's executor.
    static func isIsolated(to actor: any Actor) -> Bool {
      // Sound: the actor keeps its executor alive, and the caller the actor.
      unsafe isCurrentExecutor(executor: actor.unownedExecutor._executor, flags: 0)
    }
  #endif
}
