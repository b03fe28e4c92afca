internal import Synchronization

/// Something that a task of its own creates while other tasks may wait for it.
///
/// Nobody's thread is blocked, and nobody waits for ever: a task that waits from inside of one creation for another one
/// adds an edge to the same graph that threads wait in, and the edge that would close a circle is an error. A waiter that
/// is cancelled leaves at once; with the last one goes the creation.
final class TaskCreation: Creation, @unchecked Sendable {
  // Unchecked: everything that changes is guarded by the lock of all waits.

  /// The container for which it is created.
  let container: DIContainer

  /// What was asked for.
  let name: String

  private var waiters: [ObjectIdentifier: Waiter] = [:]

  /// What the tasks inside of this one wait for.
  private var awaited: [ObjectIdentifier: TaskCreation] = [:]
  override var blockers: [Creation] { Array(awaited.values) }

  private var task: Task<Void, Never>?
  private var abandoned = false

  /// How many there are in the process.
  private static let running = Atomic<Int>(0)

  /// Whether there are any.
  static var areRunning: Bool { running.load(ordering: .relaxed) > 0 }

  init(of definition: Definition, for container: DIContainer, _ name: String) {
    self.container = container
    self.name = name
    super.init(of: definition)
  }

  /// Says that a creation would wait for itself.
  struct Circle: Error {
    /// The names of what waits for what, from the creation on.
    let names: [String]
  }

  /// One task that waits.
  private final class Waiter: @unchecked Sendable {
    // Unchecked: guarded, as above.
    var continuation: CheckedContinuation<Registry.Instance?, any Error>?
    var isCancelled = false

    /// What the task is creating itself.
    let context = AsyncContext.active
  }

  /// Whether the last one who waited for it has been cancelled, or it has been given up.
  override var isAbandoned: Bool { Self.lock.withLock { _ in abandoned || isFinished } }

  /// Starts the task.
  ///
  /// - Parameter body: Creates the instance, or returns nil if whoever waits has to look again.
  func run(_ body: @escaping @Sendable () async throws -> Registry.Instance?) {
    Self.running.wrappingAdd(1, ordering: .relaxed)
    // Relaxed: only what happens inside has to see it.
    _ = unsafe Gate.creations.pointee.wrappingAdd(1, ordering: .relaxed)
    let create = { @Sendable [self] in
      do {
        finish(.success(try await body()))
      } catch {
        finish(.failure(error))
      }
    }
    let task = Task(operation: create)
    let isOver = Self.lock.withLock { _ in
      self.task = task
      return abandoned
    }
    if isOver { task.cancel() }
  }

  /// Hands the result to everybody who waits, once: an instance, nil if they have to look again, or an error.
  func finish(_ result: Result<Registry.Instance?, any Error>) {
    let continuations: [CheckedContinuation<Registry.Instance?, any Error>?]? = Self.lock.withLock { _ in
      if isFinished { return nil }
      isFinished = true
      task = nil
      defer { waiters = [:] }
      return waiters.map { identity, waiter in
        waiter.context?.creation?.awaited[identity] = nil
        return waiter.continuation
      }
    }
    guard let continuations else { return }
    Self.running.wrappingSubtract(1, ordering: .relaxed)
    // Relaxed: as where it was counted.
    _ = unsafe Gate.creations.pointee.wrappingSubtract(1, ordering: .relaxed)
    for continuation in continuations { continuation?.resume(with: result) }
  }

  /// Waits until it is created.
  ///
  /// - Returns: The instance, or nil to look again.
  /// - Throws: What the factory has thrown, `Circle`, or a `CancellationError`.
  func value() async throws -> Registry.Instance? {
    let waiter = Waiter()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let immediate = Self.lock.withLock { _ in enroll(waiter, continuation) }
        if let immediate { continuation.resume(with: immediate) }
      }
    } onCancel: {
      let left = Self.lock.withLock { _ in leave(waiter) }
      left?.continuation?.resume(throwing: CancellationError())
      left?.task?.cancel()
    }
  }

  // MARK: Under the lock

  private func enroll(
    _ waiter: Waiter, _ continuation: CheckedContinuation<Registry.Instance?, any Error>
  ) -> Result<Registry.Instance?, any Error>? {
    if waiter.isCancelled { return .failure(CancellationError()) }
    if isFinished || abandoned { return .success(nil) }
    if let blocked = waiter.context?.creation, !blocked.isFinished {
      if let circle = path(to: { $0 === blocked })?.compactMap({ $0 as? TaskCreation }) {
        // From here on as far as the task's own path goes on.
        let own = circle.firstIndex { $0.definition.map { waiter.context?.isInside($0) == true } ?? false }
        return .failure(Circle(names: circle.prefix((own ?? circle.count - 1) + 1).map(\.name)))
      }
      blocked.awaited[ObjectIdentifier(waiter)] = self
    }
    waiter.continuation = continuation
    waiters[ObjectIdentifier(waiter)] = waiter
    return nil
  }

  private func leave(
    _ waiter: Waiter
  ) -> (continuation: CheckedContinuation<Registry.Instance?, any Error>?, task: Task<Void, Never>?)? {
    waiter.isCancelled = true
    guard waiters.removeValue(forKey: ObjectIdentifier(waiter)) != nil else { return nil }
    waiter.context?.creation?.awaited[ObjectIdentifier(waiter)] = nil
    abandoned = waiters.isEmpty
    return (waiter.continuation, abandoned ? task : nil)
  }
}
