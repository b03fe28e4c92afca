/// The creation of an instance, for which threads and tasks may wait.
class Creation: @unchecked Sendable {
  // Unchecked: everything that changes is guarded by `lock`.

  /// The lock of all waits, by threads and by tasks.
  ///
  /// It is taken once per creation and per wait, never by a resolution that finds its instance.
  static let lock = Monitor()

  /// The registration; nil for something else, such as the registrations of `DependencyRegistering`.
  let definition: Definition?

  final var isFinished = false

  /// The number of its claim, which the container with the registration counts; set before the creation begins.
  final var claimNumber = 0

  /// The waits of the threads and tasks that work for this creation, except for its own thread.
  final fileprivate(set) var waits: [ObjectIdentifier: Wait] = [:]

  init(of definition: Definition?) { self.definition = definition }

  /// The thread that creates, if the creation ends on the thread that has begun it.
  var thread: ThreadState? { nil }

  /// A Boolean value that indicates whether the next request has to begin another creation.
  var isAbandoned: Bool { Self.lock.withLock { isFinished } }

  /// A Boolean value that indicates whether the calling thread or task works for this creation, and so cannot wait for
  /// it.
  final var isOwn: Bool { Wait(for: self, on: .current).blocks(self) }
}

/// A wait of a thread or a task for a creation, which is an edge of the graph in which cycles are found.
///
/// There is one graph for the whole process, guarded by the lock of all waits. The wait that would close a cycle finds
/// it, because the search for a cycle and the start of the wait happen under the same lock.
@safe
final class Wait: @unchecked Sendable {
  // Unchecked: immutable, and a waiting thread does not run.

  /// The awaited creation.
  private let awaited: Creation

  /// The waiting thread; nil for a task.
  private let thread: ThreadState?

  /// The context around all frames of the thread, or that of the task.
  private let context: CreationContext?

  /// Creates the wait of a thread, which must be the calling one, or else of the current task.
  init(for awaited: Creation, on thread: ThreadState? = nil) {
    self.awaited = awaited
    self.thread = thread
    context = thread?.outerContext ?? CreationContext.ofTask
  }

  /// Returns a Boolean value that indicates whether a creation cannot finish before this thread or task continues.
  fileprivate func blocks(_ creation: Creation) -> Bool {
    if let thread, creation.thread === thread { return true }
    return context?.blockedCreations.contains { $0 === creation } ?? false
  }

  // MARK: Under the lock

  /// Begins the wait, unless it would close a cycle.
  ///
  /// - Returns: The names of the types in the cycle, from the awaited creation to the one of this thread or task; nil
  ///   if there is no cycle.
  func begin() -> [String]? {
    var seen: Set<ObjectIdentifier> = []
    func search(_ creation: Creation) -> [PathEntry]? {
      if creation.isFinished || !seen.insert(ObjectIdentifier(creation)).inserted { return nil }
      if blocks(creation) { return Array(path(from: creation).prefix(1)) }
      var waits = Array(creation.waits.values)
      if let wait = creation.thread?.wait { waits.append(wait) }
      for wait in waits {
        if let rest = search(wait.awaited) { return wait.path(from: creation) + rest }
      }
      return nil
    }
    if let cycle = search(awaited) {
      // The path ends at the first type that this thread or task itself is creating.
      let own = cycle.firstIndex { context?.isInside($0.definition) == true } ?? cycle.count - 1
      return cycle.prefix(own + 1).map(\.name)
    }
    thread?.wait = self
    for creation in context?.blockedCreations ?? [] { creation.waits[ObjectIdentifier(self)] = self }
    return nil
  }

  /// Ends the wait.
  func end() {
    thread?.wait = nil
    for creation in context?.blockedCreations ?? [] { creation.waits[ObjectIdentifier(self)] = nil }
  }

  /// Returns the path of factories around this wait, beginning with the factory of one of the creations around it.
  private func path(from creation: Creation) -> ArraySlice<PathEntry> {
    let path = (context?.path ?? []) + (thread?.entries() ?? [])
    return path[(path.lastIndex { $0.definition === creation.definition } ?? 0)...]
  }
}

/// A creation by one thread, for which others may wait.
@safe
final class ThreadCreation: Creation, @unchecked Sendable {
  /// The thread that creates, which does not end before the creation is finished.
  private let owner = ThreadState.current

  private var hasWaiters = false

  override var thread: ThreadState? { owner }

  /// Finishes the creation, and wakes all waiters.
  func finish() {
    let wakes = Self.lock.withLock {
      isFinished = true
      return hasWaiters
    }
    if wakes { Self.lock.wakeAll() }
  }

  /// Waits until the creation is finished.
  ///
  /// - Returns: nil after the creation is finished. If the wait would never end, the names of the types in the cycle,
  ///   from this creation through the other threads and tasks to the calling one.
  func wait() -> [String]? {
    let wait = Wait(for: self, on: ThreadState.current)
    var isWaiting = false
    return Self.lock.wait { () -> [String]?? in
      if isFinished {
        if isWaiting { wait.end() }
        return .some(nil)
      }
      hasWaiters = true
      if isWaiting { return nil }
      // One check is enough: a later wait that closes a cycle does its own.
      if let cycle = wait.begin() { return .some(cycle) }
      isWaiting = true
      return nil
    }
  }
}
