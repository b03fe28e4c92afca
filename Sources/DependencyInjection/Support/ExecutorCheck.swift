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
  private typealias CurrentExecutor = @convention(c) () -> UInt

  /// The runtime's `swift_task_getCurrentExecutor`, if this process has it.
  private static let currentExecutor: CurrentExecutor? = {
    // Sound: it returns an executor reference, whose first word is where a function of C returns its only one.
    unsafe CLibrary.function("swift_task_getCurrentExecutor", as: CurrentExecutor.self)
  }()

  /// The identity of the executor that the caller runs on, or 0 if it is that of no actor; nil if it is not known.
  static var current: UInt? { currentExecutor.map { $0() } }

  /// The identity of an actor's executor.
  static func identity(of actor: any Actor) -> UInt { unsafe words(of: actor.unownedExecutor).identity }

  /// Whether the caller runs on the executor of an actor; unknown counts as false.
  static var isOnActor: Bool { current.map { $0 != 0 } ?? false }

  /// Whether the runtime itself executes what is isolated to an actor.
  static func isOfRuntime(_ actor: any Actor) -> Bool { unsafe words(of: actor.unownedExecutor).implementation == 0 }

  /// The identity of the current task, or 0.
  static var currentTask: UInt {
    // Sound: it is a struct around the reference to the task.
    unsafe withUnsafeCurrentTask { task in unsafe task.map { unsafe unsafeBitCast($0, to: UInt.self) } ?? 0 }
  }

  /// The identity of the task that a job belongs to, if it belongs to one.
  static func task(of job: UnownedJob) -> UInt {
    // Sound: it is a frozen struct around the reference to the job, which a task is to the runtime.
    unsafe unsafeBitCast(job, to: UInt.self)
  }

  private static func words(of executor: UnownedSerialExecutor) -> (identity: UInt, implementation: UInt) {
    // Sound: it is a frozen struct around the two words of an executor reference.
    unsafe unsafeBitCast(executor, to: (UInt, UInt).self)
  }

  /// Whether the caller runs on `actor`'s executor.
  static func isIsolated(to actor: any Actor) -> Bool {
    #if canImport(Darwin)
      // Not the runtime, which older systems cannot ask, and which knows less: in a job that another executor runs on
      // the main thread it says no, where the checks of the standard library say yes.
      if actor is MainActor { return pthread_main_np() != 0 }
    #endif
    if #available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *) {
      // Sound: the actor keeps its executor alive, and the caller the actor.
      return unsafe isCurrentExecutor(executor: actor.unownedExecutor._executor, flags: 0)
    }
    // An older system: this finds all but executors that are equal without being identical.
    return current == identity(of: actor)
  }
}
