/// A creation by a task of its own, for which other tasks may wait.
///
/// No thread is blocked. A waiter that is canceled leaves at once. When the last one has left, the creation is
/// canceled.
final class TaskCreation: Creation, @unchecked Sendable {
  // Unchecked: everything that changes is guarded by the lock of all waits.

  /// The container for which the instance is created.
  let container: DIContainer

  private var waiters: [ObjectIdentifier: Waiter] = [:]
  private var task: Task<Void, Never>?

  /// A Boolean value that indicates whether the task that started the creation has begun to wait.
  private var hasBegun = false

  private var hasLostWaiters = false

  /// The result, for the task that started the creation if it has not begun to wait yet.
  private var result: Result<Instance?, any Error>?

  init(of definition: Definition, for container: DIContainer) {
    self.container = container
    super.init(of: definition)
  }

  /// The error of a creation that would wait for itself.
  struct Cycle: Error {
    /// The names of the types in the cycle, from the creation on.
    let names: [String]
  }

  /// One waiting task.
  private final class Waiter: @unchecked Sendable {
    // Unchecked: guarded by the lock of all waits.
    let wait: Wait
    var continuation: CheckedContinuation<Void, Never>?
    var isCancelled = false

    /// The result for this task, which the task reads under the lock when it continues.
    var result: Result<Instance?, any Error>?

    init(for creation: TaskCreation) { wait = Wait(for: creation) }
  }

  /// A Boolean value that indicates whether the last waiter has left, or the creation is finished.
  override var isAbandoned: Bool { Self.lock.withLock { hasLostWaiters || isFinished } }

  /// Starts the task.
  ///
  /// - Parameter body: A closure that creates the instance, or returns nil if the waiters have to search again.
  func run(_ body: @escaping @Sendable () async throws -> Instance?) {
    let task = Task {
      do {
        finish(.success(try await body()))
      } catch {
        finish(.failure(error))
      }
    }
    let isOver = Self.lock.withLock {
      self.task = task
      return hasLostWaiters
    }
    if isOver { task.cancel() }
  }

  /// Passes the result to all waiters: an instance, nil if they have to search again, or an error.
  private func finish(_ result: Result<Instance?, any Error>) {
    let waiters = Self.lock.withLock {
      isFinished = true
      task = nil
      if !hasBegun { self.result = result }
      defer { self.waiters = [:] }
      for waiter in self.waiters.values {
        waiter.wait.end()
        waiter.result = result
      }
      return self.waiters.values
    }
    for waiter in waiters { waiter.continuation?.resume() }
  }

  /// Waits until the instance is created.
  ///
  /// - Parameter isStarter: A Boolean value that indicates whether the current task started the creation.
  /// - Returns: The instance, or nil if the caller has to search again.
  /// - Throws: The error of the factory, `Cycle`, or a `CancellationError`.
  func value(isStarter: Bool) async throws -> Instance? {
    let waiter = Waiter(for: self)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isOver, task) = Self.lock.withLock {
          if isStarter { hasBegun = true }
          waiter.result = (isStarter ? result.take() : nil) ?? enter(waiter, continuation)
          let isOver = waiter.result != nil
          return (isOver, isOver ? abandonIfUnwanted() : nil)
        }
        task?.cancel()
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let (continuation, task) = Self.lock.withLock {
        let continuation = leave(waiter)
        return (continuation, continuation == nil ? nil : abandonIfUnwanted())
      }
      continuation?.resume()
      task?.cancel()
    }
    return try Self.lock.withLock { waiter.result }?.get()
  }

  // MARK: Under the lock

  private func enter(
    _ waiter: Waiter, _ continuation: CheckedContinuation<Void, Never>
  ) -> Result<Instance?, any Error>? {
    if waiter.isCancelled { return .failure(CancellationError()) }
    if isFinished || hasLostWaiters { return .success(nil) }
    if let cycle = waiter.wait.begin() { return .failure(Cycle(names: cycle)) }
    waiter.continuation = continuation
    waiters[ObjectIdentifier(waiter)] = waiter
    return nil
  }

  private func leave(_ waiter: Waiter) -> CheckedContinuation<Void, Never>? {
    waiter.isCancelled = true
    guard waiters.removeValue(forKey: ObjectIdentifier(waiter)) != nil else { return nil }
    waiter.wait.end()
    waiter.result = .failure(CancellationError())
    return waiter.continuation
  }

  /// Abandons the creation if no task waits for it.
  ///
  /// - Returns: The task to cancel, if there is one already.
  private func abandonIfUnwanted() -> Task<Void, Never>? {
    guard hasBegun, waiters.isEmpty, !isFinished else { return nil }
    hasLostWaiters = true
    return task
  }
}
