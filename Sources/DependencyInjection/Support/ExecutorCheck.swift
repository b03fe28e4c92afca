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
      if actor is MainActor { return pthread_main_np() != 0 }
    #endif
    if let isCurrentExecutor {
      let executor = unsafe words(of: actor.unownedExecutor)
      return isCurrentExecutor(executor.identity, executor.implementation, 0)
    }
    return false
  }
}
