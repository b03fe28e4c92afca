/// Something that is being created while threads and tasks may wait for it.
class Creation: @unchecked Sendable {
  // Unchecked: everything that changes is guarded by `lock`.

  /// The lock behind every wait, of threads and of tasks: taken once per creation and per wait, never by a resolve that
  /// finds its instance.
  static let lock = Monitor<Void>(())

  /// The registration that is created from; nil for something else, such as the registrations of `DependencyRegistering`.
  let definition: Definition?

  final var isFinished = false

  /// The number of its claim, counted by the container that has the registration; set before the creation begins.
  final var claimNumber = 0

  /// The waits of threads and tasks that work for this creation, other than its own thread.
  final fileprivate(set) var waits: [ObjectIdentifier: Wait] = [:]

  init(of definition: Definition?) { self.definition = definition }

  /// The thread that creates, if the creation ends on the thread that has begun it.
  var thread: ThreadState? { nil }

  /// A Boolean value that indicates whether the next request has to begin anew.
  var isAbandoned: Bool { Self.lock.withLock { _ in isFinished } }

  /// A Boolean value that indicates whether the calling thread or task works for this creation, and so cannot wait for it.
  final var isOwn: Bool {
    let current = ThreadState.current
    if thread === current { return true }
    return current.outerContext?.blockedCreations.contains { $0 === self } ?? false
  }
}

/// A thread or a task that waits for a creation, and so an edge of the graph in which cycles are found.
///
/// There is one graph for the whole process, guarded by the lock of all waits. The wait that would close a cycle finds it,
/// because looking for one and beginning to wait happen under the same lock.
@safe
final class Wait: @unchecked Sendable {
  // Unchecked: immutable, and a thread that waits stands still.

  /// What is waited for.
  private let awaited: Creation

  /// The thread that waits; nil for a task.
  private let thread: ThreadState?

  /// The context around everything on the thread, or that of the task.
  private let context: CreationContext?

  /// The wait of a thread, which must be the calling one.
  init(for awaited: Creation, on thread: ThreadState) {
    self.awaited = awaited
    self.thread = thread
    context = thread.outerContext
  }

  /// The wait of the current task.
  init(for awaited: Creation) {
    self.awaited = awaited
    thread = nil
    context = CreationContext.ofTask
  }

  // MARK: Under the lock

  /// Begins to wait, unless that would close a cycle.
  ///
  /// - Returns: The names of the types in the cycle, from what is waited for to what this thread or task creates; nil if
  ///   there is none.
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

  /// A Boolean value that indicates whether a creation is not finished before this thread or task goes on.
  private func blocks(_ creation: Creation) -> Bool {
    if let thread, creation.thread === thread { return true }
    return context?.blockedCreations.contains { $0 === creation } ?? false
  }

  /// What is being created where this waits, from what one of the creations around it creates on.
  private func path(from creation: Creation) -> ArraySlice<PathEntry> {
    let path = (context?.path ?? []) + (thread?.entries() ?? [])
    return path[(path.lastIndex { $0.definition === creation.definition } ?? 0)...]
  }
}

/// Something that is being created by one thread while others may wait for it.
@safe
final class ThreadCreation: Creation, @unchecked Sendable {
  /// The thread that creates, which does not end before the creation is finished.
  private let owner = ThreadState.current

  private var hasWaiters = false

  override var thread: ThreadState? { owner }

  /// Finishes the creation, and wakes whoever waits for it.
  func finish() {
    let wakes = Self.lock.withLock { _ in
      isFinished = true
      return hasWaiters
    }
    if wakes { Self.lock.wakeAll() }
  }

  /// Waits until the creation is finished.
  ///
  /// - Returns: nil when the creation is finished, or if waiting would never end, the names of the types in the cycle, from
  ///   this creation on through the other threads and tasks to the calling one.
  func wait() -> [String]? {
    let wait = Wait(for: self, on: ThreadState.current)
    var isWaiting = false
    return Self.lock.wait { _ -> [String]?? in
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
