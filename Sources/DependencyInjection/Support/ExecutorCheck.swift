internal import Builtin

/// Returns a Boolean value that indicates whether the current code runs isolated to an executor, without trapping if it
/// does not.
///
/// This is the runtime's entry point behind the checks of the standard library. It is linked, and not looked up by its
/// name, because a program that links the runtime statically exports no names.
///
/// Sound: this is the standard library's own declaration, and the compiler refuses any other type for the name. Without
/// flags the function returns an answer; the only flag makes it trap. Swift 6.2 and later have it. On Apple platforms
/// the runtime belongs to the system, and may be older. There the reference is weak, and it is used only where the
/// standard library declares the function available.
@available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
@_silgen_name("swift_task_isCurrentExecutorWithFlags")
private func isCurrentExecutor(executor: Builtin.Executor, flags: UInt64) -> Bool

#if canImport(Darwin)
  private typealias CurrentExecutor = @convention(c) () -> UInt

  /// The runtime's `swift_task_getCurrentExecutor`, for older systems.
  private let currentExecutor: CurrentExecutor? = {
    // Sound: it returns an executor reference, whose first word is where a C function returns its only word.
    unsafe CLibrary.function("swift_task_getCurrentExecutor", as: CurrentExecutor.self)
  }()
#endif

extension Actor {
  /// A Boolean value that indicates whether the calling code is isolated to the actor.
  ///
  /// The standard library has only checks that trap (`preconditionIsolated`). The thread is no answer either, because
  /// under Swift Testing on Linux the main actor is not the main thread. The concurrency runtime knows the answer.
  nonisolated var isCurrent: Bool {
    #if canImport(Darwin)
      // Not the runtime alone, which knows less: in a job that another executor runs on the main thread it says no, where
      // the checks of the standard library say yes. Nor the thread alone: after `dispatchMain()` the main thread has ended,
      // and other threads run what is isolated to the main actor.
      if self is MainActor, CLibrary.isMainThread { return true }
      guard #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) else {
        // An older system: this check misses only executors that are equal without being identical.
        // Sound: the actor's executor is a frozen struct around the two words of an executor reference.
        return unsafe currentExecutor?() == unsafeBitCast(unownedExecutor, to: (UInt, UInt).self).0
      }
    #endif
    // Sound: the actor keeps its executor alive, and the caller keeps the actor alive.
    return unsafe isCurrentExecutor(executor: unownedExecutor._executor, flags: 0)
  }
}
