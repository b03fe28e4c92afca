internal import Synchronization

/// The creation of an instance, once for all threads and tasks that request it.
///
/// The creations around it are the path to it. Resolving a lazy property is a creation without a registration. Each
/// call of an asynchronous factory is a creation, even if nothing keeps the instance.
@usableFromInline
final class Creation: @unchecked Sendable {
  // Unchecked: `lock` guards everything that changes except `outerOnThread`, which only one thread uses.

  /// The lock of all waits of threads and tasks.
  ///
  /// A creation or a wait takes it a few times. Loading an instance from a table never takes it. It is the innermost
  /// lock: a thread may hold the lock of a container when it takes this one.
  static let lock = Lock()

  let definition: Definition?
  /// The requested type.
  private let type: Any.Type
  /// The container for which the instance is created, and which is current during the creation.
  let registry: Registry
  /// A Boolean value that indicates whether a task of its own creates the instance.
  let isAsync: Bool
  /// A Boolean value that indicates whether the factory is asynchronous, so that it can await the tasks that it starts.
  private let isFactoryAsync: Bool
  /// A Boolean value that indicates whether the creation has a graph until it ends, because its factory or one around
  /// it is asynchronous.
  let mayHaveGraph: Bool
  /// The number of creations with a registration around this one.
  let depth: Int
  private let hasEnded = Atomic(false)

  /// The next outer creation on the thread that runs this one; only that thread uses the property.
  @safe @exclusivity(unchecked)
  var outerOnThread: Unowned<Creation>?

  @safe @exclusivity(unchecked)
  private var links: Links = (nil, nil, nil, nil, nil, nil)
  /// The wait of the task that started the creation.
  @safe @exclusivity(unchecked)
  private var starter: Waiter?
  @safe @exclusivity(unchecked)
  private var hasLostWaiters = false
  @safe @exclusivity(unchecked)
  private var isStarterLost = false

  /// The references that a creation releases when it ends.
  ///
  /// - `outer` is the creation around it.
  /// - `graph` contains the instances that are created once for everything that the outermost resolution creates; nil
  ///   if the thread has them.
  /// - `frame` is the frame of the innermost factory around it, if that runs on the same thread.
  /// - `asker` is the container that received the request, if it is another one.
  /// - `waiters` are the waits for it.
  /// - `task` is the task that creates the instance.
  private typealias Links = (
    outer: Creation?, graph: Graph?, frame: StablePointer<Frame>?, asker: Registry?,
    waiters: [ObjectIdentifier: Waiter]?, task: Task<Void, Never>?
  )

  /// Creates the creation of an instance.
  ///
  /// - Parameters:
  ///   - definition: The registration; nil if the creation has none.
  ///   - type: The requested type.
  ///   - registry: The container for which the instance is created.
  ///   - asker: The container that received the request, if that is another one.
  ///   - outer: The creation around this one.
  ///   - frame: The frame of the innermost factory around this creation on the calling thread.
  ///   - isAsync: A Boolean value that indicates whether a task of its own creates the instance.
  ///   - isFactoryAsync: A Boolean value that indicates whether the factory is asynchronous, so that no thread has the graph.
  init(
    _ definition: Definition?, as type: Any.Type, for registry: Registry, askedBy asker: Registry? = nil,
    in outer: Creation?, inside frame: StablePointer<Frame>? = nil, isAsync: Bool = false, isFactoryAsync: Bool = false
  ) {
    (self.definition, self.type, self.registry) = (definition, type, registry)
    (self.isAsync, self.isFactoryAsync) = (isAsync, isFactoryAsync)
    mayHaveGraph = isFactoryAsync || outer?.mayHaveGraph == true
    (links.outer, links.frame, links.asker) = (outer, frame, asker)
    if let outer {
      depth = outer.depth + (definition == nil ? 0 : 1)
      links.graph = outer.graph
    } else {
      depth = 0
    }
    if isFactoryAsync, links.graph == nil { links.graph = Graph([:]) }
    if isAsync {
      // No other code knows the creation, so there is no cycle yet.
      let waiter = Waiter(in: outer, isStarter: true)
      (starter, links.waiters) = (waiter, [ObjectIdentifier(waiter): waiter])
    }
  }

  /// The creation, unless it has ended.
  var ifRunning: Creation? { hasEnded.load(ordering: .acquiring) ? nil : self }

  /// The creation, if the calling code in its context works for it; nil once it has ended.
  ///
  /// A task that a synchronous factory started does not work for it, because the factory cannot await the task.
  var ofCaller: Creation? {
    if isFactoryAsync { return ifRunning }
    return unsafe withUnsafeCurrentTask { unsafe $0 == nil } ? ifRunning : nil
  }

  /// The creation for which the calling code works, if any.
  static var current: Creation? { ThreadState.current.creation(in: .current) }

  /// Returns the inner one of two creations; the second if neither is around the other, and nil if neither is running.
  static func inner(_ own: Creation?, in outer: Creation?) -> Creation? {
    guard let own = own?.ifRunning else { return outer }
    return outer == nil || outer === own || outer?.isAround(own) == true ? own : outer
  }

  /// A Boolean value that indicates whether the next request has to begin another creation: all requesters of this one
  /// have left, or its thread was abandoned.
  var isAbandoned: Bool { Self.lock.withLock { hasLostWaiters || hasEnded.load(ordering: .relaxed) } }

  /// The instances that are created once for everything that the outermost resolution creates; nil if the thread has
  /// them.
  var graph: Graph? { mayHaveGraph ? Self.lock.withLock { links.graph } : nil }

  /// Returns a Boolean value that indicates whether the caller has to report the creation.
  ///
  /// It has to if the task that started the creation has left, and no other caller has asked.
  func takeOverReport() -> Bool { Self.lock.withLock { exchange(&isStarterLost, with: false) } }

  /// The result for waiting requesters: the instance, or nil if they have to search again.
  typealias Outcome = Result<Box?, any Error>

  /// Ends the creation, and wakes all requesters that wait for it.
  ///
  /// - Parameter outcome: Their result, which is evaluated under the lock, and only if a requester waits.
  func end(_ outcome: @autoclosure () -> Outcome = .success(nil)) {
    Self.lock.lock()
    hasEnded.store(true, ordering: .releasing)
    var former = links
    links = (nil, nil, nil, nil, nil, nil)
    former.waiters?.values.forEach { $0.outcome = outcome() }
    Self.lock.unlock()
    // Before the requesters continue, because they may check that the instances of the graph are released. So no
    // `deinit` of these may wait for the requesters.
    former.graph = nil
    if let waiters = former.waiters { Self.wake(waiters.values) }
    // Released without the lock.
    withExtendedLifetime(former) {}
  }

  /// Wakes the threads and the tasks whose waits are over.
  ///
  /// It is in a function of its own, because the first call asks the runtime for the type of a continuation, which
  /// takes a long time.
  @inline(never)
  private static func wake(_ waiters: some Collection<Waiter>) {
    lock.wakeAll()
    for waiter in waiters { waiter.continuation?.resume() }
  }

  /// Nests the creation in another one, before it begins.
  func begin(in outer: Creation?) { Self.lock.withLock { links.outer = outer } }

  // MARK: The path

  /// The containers that received the requests for this creation and those around it, innermost first, with the
  /// registrations.
  var askers: [(asker: Registry, definition: Definition)] {
    Self.lock.withLock {
      chain.compactMap { creation in
        guard let asker = creation.links.asker, let definition = creation.definition else { return nil }
        return (asker, definition)
      }
    }
  }

  /// The entry of this creation in a path; nil if it has no registration.
  private var entry: PathEntry? { definition.map { ($0, type) } }

  /// The factories around this creation, followed by its own, outermost first; under the lock.
  var path: [PathEntry] {
    // As long as this creation runs, so do the factories around it on its thread.
    let around = links.frame?.pointee.path ?? links.outer?.path ?? []
    return around + [entry].compactMap(\.self)
  }

  /// This creation and those around it, innermost first; under the lock.
  private var chain: some Sequence<Creation> { sequence(first: self, next: \.links.outer) }

  /// Returns a Boolean value that indicates whether this creation is the given one, or around it.
  func isAround(_ other: Creation?) -> Bool { Self.lock.withLock { other?.chain.contains { $0 === self } ?? false } }

  /// A Boolean value that indicates whether the factory led back to itself in the same container, without a factory
  /// that takes arguments in between.
  var closesCycle: Bool {
    Self.lock.withLock {
      let others = chain.prefix { $0.definition?.takesArguments != true }.dropFirst()
      return others.contains { $0.definition === definition && $0.registry === registry }
    }
  }

  // MARK: - Waiting

  /// The wait of a thread or a task.
  private final class Waiter: @unchecked Sendable {
    // Unchecked: guarded by the lock of all waits.

    /// The creation for which the thread or task works, and which cannot continue during the wait.
    let creation: Creation?
    /// The frame of the innermost factory on the thread, which is blocked during the wait.
    private let frame: StablePointer<Frame>?
    /// The continuation of the task, once the task is suspended.
    var continuation: CheckedContinuation<Void, Never>?
    /// A Boolean value that indicates whether the task started the creation for which it waits.
    let isStarter: Bool
    /// The result, once the wait is over.
    var outcome: Outcome?

    init(in creation: Creation?, inside frame: StablePointer<Frame>? = nil, isStarter: Bool = false) {
      (self.creation, self.frame, self.isStarter) = (creation, frame, isStarter)
    }

    /// The factories that run around the wait, outermost first; under the lock.
    var path: [PathEntry] { frame?.pointee.path ?? creation?.path ?? [] }
  }

  /// Returns a new wait for this creation, which is over already if there is nothing to wait for, or if it would close a
  /// cycle; under the lock.
  ///
  /// There is one graph of waits for the whole process. The wait that would close a cycle finds it, because the search and
  /// the start of the wait happen under the same lock.
  private func makeWaiter(in creation: Creation?, inside frame: StablePointer<Frame>? = nil) -> Waiter {
    let waiter = Waiter(in: creation, inside: frame)
    if hasEnded.load(ordering: .relaxed) || hasLostWaiters {
      waiter.outcome = .success(nil)
    } else if let blocked = creation?.blocked, let cycle = path(to: blocked) {
      waiter.outcome = .failure(CreationError.cycle(cycle))
    } else {
      links.waiters = links.waiters ?? [:]
      links.waiters?[ObjectIdentifier(waiter)] = waiter
    }
    return waiter
  }

  /// The creations that cannot continue before this one ends; under the lock.
  ///
  /// Synchronous factories are on one stack, and the innermost asynchronous factory around them waits for them. The
  /// factories around that one do not necessarily wait for it. If one does, there is a wait for it.
  private var blocked: [Creation] { Array(sequence(first: self) { $0.isAsync ? nil : $0.links.outer }) }

  /// Returns the path from this creation to one of several creations for which it waits, directly or indirectly; under
  /// the lock.
  ///
  /// - Parameter targets: The creations to look for.
  /// - Returns: The factories on the path; nil if there is none.
  private func path(to targets: [Creation]) -> [PathEntry]? {
    // Without recursion: any number of creations may wait for each other.
    var steps = targets.map { (creation: $0, waiter: nil as Waiter?, next: 0) }
    var (seen, index) = (Set(targets.map { ObjectIdentifier($0) }), 0)
    while index < steps.count {
      if steps[index].creation === self {
        var entries = [entry].compactMap(\.self)
        while let waiter = steps[index].waiter {
          let inside = waiter.path.dropFirst(steps[index].creation.path.count)
          index = steps[index].next
          entries += inside + [steps[index].creation.entry].compactMap(\.self)
        }
        return entries.withoutWrapped
      }
      for waiter in steps[index].creation.links.waiters.map({ Array($0.values) }) ?? [] {
        for blocked in waiter.creation?.blocked ?? [] where seen.insert(ObjectIdentifier(blocked)).inserted {
          steps.append((blocked, waiter, index))
        }
      }
      index += 1
    }
    return nil
  }

  /// Blocks the calling thread until the creation has ended.
  ///
  /// - Parameter creation: The creation for which the thread works.
  /// - Returns: The instance; nil if the caller has to search again.
  /// - Throws: The failure of the creation, or `CreationError.cycle`.
  func waitOnThread(in creation: Creation?) throws -> Box? {
    let frame = ThreadState.current.innermostFrame
    let waiter = Self.lock.withLock { makeWaiter(in: creation, inside: frame) }
    return try Self.lock.wait { waiter.outcome }.get()
  }

  /// Suspends the current task until the creation has ended.
  ///
  /// A task that is canceled leaves at once. When the last one has left, the creation is canceled.
  ///
  /// - Parameter creation: The creation for which the task works.
  /// - Returns: The instance; nil if the caller has to search again.
  /// - Throws: The failure of the creation, `CreationError.cycle`, or a `CancellationError`.
  func wait(in creation: Creation?) async throws -> Box? {
    try await wait(as: Self.lock.withLock { makeWaiter(in: creation) })
  }

  /// Suspends the task that started the creation until the creation has ended and released what it used.
  ///
  /// - Parameter task: The task that ends the creation; nil if a thread does.
  /// - Returns: The instance; nil if the caller has to search again.
  /// - Throws: The failure of the creation, or a `CancellationError`.
  func waitAsStarter(of task: Task<Void, Never>?) async throws -> Box? {
    let waiter = Self.lock.withLock {
      if !hasEnded.load(ordering: .relaxed) { links.task = task }
      return starter.take()
    }
    guard let waiter, let box = try await wait(as: waiter) else { return nil }
    await task?.value
    return box
  }

  private func wait(as waiter: Waiter) async throws -> Box? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = Self.lock.withLock {
          if waiter.outcome == nil { waiter.continuation = continuation }
          return waiter.outcome != nil
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let (continuation, task) = Self.lock.withLock { leave(waiter) }
      task?.cancel()
      continuation?.resume()
    }
    return try Self.lock.withLock { waiter.outcome }?.get() ?? nil
  }

  /// Ends the wait of a task that is canceled, and gives up the creation if nobody else waits for it; under the lock.
  ///
  /// - Returns: The continuation of that task, and the task that creates the instance if it has to be canceled.
  private func leave(_ waiter: Waiter) -> (CheckedContinuation<Void, Never>?, Task<Void, Never>?) {
    if waiter.outcome != nil { return (nil, nil) }
    waiter.outcome = .failure(CancellationError())
    if waiter.isStarter { isStarterLost = true }
    links.waiters?[ObjectIdentifier(waiter)] = nil
    if isAsync, links.waiters?.isEmpty == true { hasLostWaiters = true }
    return (waiter.continuation, hasLostWaiters ? links.task : nil)
  }
}

/// One factory on the path to the requested instance, and the type that was requested of it.
typealias PathEntry = (definition: Definition, type: Any.Type)

/// The reason why a creation fails, other than an error of the user's code.
enum CreationError: Error {
  /// The factory leads back to itself, or the wait would never end.
  ///
  /// For a wait, the entries are the factories in the cycle, from the awaited creation to the caller's.
  case cycle([PathEntry])
  /// More factories are nested than the limit allows, or than the stack of the thread can hold.
  case tooDeep(usesStack: Bool)
  /// An initializer has no parameter for an argument of this type.
  case leftoverArgument(Any.Type)
  /// The factory did not return in time.
  case timeout
}
