internal import Synchronization

/// The current container of a task and of the tasks that it starts, and the factory for which they work.
///
/// Two task-local values lead to it. A resolution reads a number, the address of the context: that retains nothing,
/// and takes a quarter of the time. The other value keeps the context alive as long as a task carries it.
@safe
final class TaskContext: Sendable {
  @TaskLocal
  private static var address: UInt = 0

  @TaskLocal
  private static var reference: TaskContext?

  /// The container that was made current; nil for the shared one, as long as no other was.
  let container: DIContainer?

  /// The innermost asynchronous factory for which the task works.
  let creation: CreationContext?

  /// The number of contexts in the process: those of tasks and scopes, and those of factories whose dependencies are
  /// recorded.
  ///
  /// While it is 0, every resolution is from the shared container, and none is recorded. A relaxed load is enough. Code
  /// that runs in a context begins after the context was counted, and the context is counted until no such code can
  /// run.
  static let activeCount = Atomic(0)

  /// Creates a context inside of the current one, with another container, for another factory, or both.
  init(_ container: DIContainer? = nil, for creation: CreationContext? = nil) {
    self.container = container ?? Self.withCurrent { $0?.container }
    self.creation = creation ?? Self.withCurrent { $0?.creation }
    Self.activeCount.wrappingAdd(1, ordering: .relaxed)
  }

  // The last task that carries the context has ended.
  deinit { Self.activeCount.wrappingSubtract(1, ordering: .relaxed) }

  // MARK: Where it applies

  /// Calls a closure with the context of the current task or scope.
  @inline(__always)
  static func withCurrent<Result>(_ body: (TaskContext?) -> Result) -> Result {
    if activeCount.load(ordering: .relaxed) == 0 { return body(nil) }
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return body(nil) }
    // Sound: both task-local values are set together, so where the address is set, the other value keeps the context
    // alive.
    return unsafe Unmanaged<TaskContext>.fromOpaque(pointer)._withUnsafeGuaranteedRef { body($0) }
  }

  private var ownAddress: UInt { unsafe UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

  /// Runs a closure, and the tasks that it starts, in this context.
  func run<Result>(_ body: () throws -> Result) rethrows -> Result {
    return try Self.$reference.withValue(self) { try Self.$address.withValue(ownAddress, operation: body) }
  }

  /// Runs an asynchronous closure, and the tasks that it starts, in this context.
  func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    return try await Self.$reference.withValue(
      self, operation: { try await Self.$address.withValue(ownAddress, operation: body, isolation: isolation) },
      isolation: isolation)
  }

  /// Runs a closure that is isolated to no actor, and the tasks that it starts, in this context.
  func run<Result>(concurrently body: @concurrent () async throws -> Result) async rethrows -> Result {
    return try await Self.$reference.withValue(
      self, operation: { @concurrent in try await Self.$address.withValue(ownAddress, operation: body) })
  }
}
