internal import Synchronization

/// An instance while it is created, once for all threads and tasks that request it.
///
/// The creations around it are the path to it. A lazy property that is resolved is a creation without a registration, and
/// so is each call of an asynchronous factory.
@usableFromInline
final class Creation: @unchecked Sendable {
  // Unchecked: everything that changes is guarded by `lock`.

  /// The lock of all waits, by threads and by tasks.
  ///
  /// It is taken once by each creation and by each wait, never by a resolution that finds its instance. It is the
  /// innermost lock: a thread may hold that of a container when it takes this one.
  static let lock = Monitor()

  let definition: Definition?
  /// The requested type.
  private let type: Any.Type
  /// The container for which it is created, which is current meanwhile.
  let registry: Registry
  /// A Boolean value that indicates whether it is created by a task of its own.
  let isAsync: Bool
  /// The number of creations around this one.
  let depth: Int
  private let hasEnded = Atomic(false)

  /// The creation around this one, which this one lets go when it ends.
  private var outer: Creation?
  /// The instances that are created once for everything that the outermost resolution creates, until the creation ends;
  /// nil if the thread has them.
  private var ownGraph: Graph?
  /// The frame of the innermost factory around this creation, if it runs on the same thread; until the creation ends.
  private var frame: StablePointer<Frame>?
  /// The container that received the request, which it lets go as well.
  private var asker: Registry?
  private var waitingThreads = 0
  /// The number of requesters that have waited and not yet taken the instance.
  private var takers = 0
  private var waiters: [ObjectIdentifier: Waiter] = [:]
  private var task: Task<Void, Never>?
  /// A Boolean value that indicates whether the task that started the creation has begun to wait.
  private var hasBegun = false
  private var hasLostWaiters = false
  private var failure: (any Error)?
  private var instance: Instance?

  /// Creates the creation of an instance.
  ///
  /// - Parameters:
  ///   - definition: The registration; nil for something else.
  ///   - type: The requested type.
  ///   - registry: The container for which the instance is created.
  ///   - asker: The container that received the request.
  ///   - outer: The creation around this one.
  ///   - frame: The frame of the innermost factory around this creation on the calling thread.
  ///   - isAsync: A Boolean value that indicates whether a task of its own creates the instance.
  ///   - beginsGraph: A Boolean value that indicates whether the factory is asynchronous, so that no thread has the graph.
  init(
    _ definition: Definition?, as type: Any.Type, for registry: Registry, askedBy asker: Registry? = nil,
    in outer: Creation?, inside frame: StablePointer<Frame>? = nil, isAsync: Bool = false, beginsGraph: Bool = false
  ) {
    (self.definition, self.type, self.registry, self.outer, self.isAsync) = (definition, type, registry, outer, isAsync)
    (self.asker, self.frame) = (asker, frame)
    depth = outer.map { $0.depth + 1 } ?? 0
    ownGraph = outer?.graph ?? (beginsGraph ? Graph() : nil)
  }

  /// The creation, unless it has ended.
  ///
  /// A task that a factory has started belongs to the creation only as long as that runs.
  var current: Creation? { hasEnded.load(ordering: .acquiring) ? nil : self }

  /// A Boolean value that indicates whether the next request has to begin another creation: all requesters of this one
  /// have left, or its thread was abandoned.
  var isAbandoned: Bool { Self.lock.withLock { hasLostWaiters || hasEnded.load(ordering: .relaxed) } }

  /// The instances that are created once for everything that the outermost resolution creates; nil if the thread has
  /// them.
  var graph: Graph? { Self.lock.withLock { ownGraph } }

  /// Ends the creation, and wakes all requesters that wait for it.
  ///
  /// - Parameters:
  ///   - failure: The reason why there is no instance, for all requesters.
  ///   - instance: The instance for them, if no container keeps it.
  func end(_ failure: (any Error)? = nil, instance: Instance? = nil) {
    let (ended, woken, wakesThreads) = Self.lock.withLock { () -> ((Creation?, Registry?, Graph?), [Waiter], Bool) in
      let takers = waitingThreads + waiters.count + (isAsync && !hasBegun ? 1 : 0)
      // For requesters only: what keeps the creation must not keep the instance.
      (self.failure, self.instance, self.takers) = (failure, takers == 0 ? nil : instance, takers)
      hasEnded.store(true, ordering: .releasing)
      defer { (self.outer, self.asker, ownGraph, frame, self.waiters, task) = (nil, nil, nil, nil, [:], nil) }
      for waiter in self.waiters.values { waiter.wait?.end() }
      return ((self.outer, self.asker, ownGraph), Array(self.waiters.values), waitingThreads > 0)
    }
    if wakesThreads { Self.lock.wakeAll() }
    for waiter in woken { waiter.continuation?.resume() }
    withExtendedLifetime(ended) {}
  }

  /// Returns the result for a requester that has waited; under the lock.
  private func take() -> (failure: (any Error)?, instance: Instance?) {
    takers -= 1
    defer { if takers <= 0 { instance = nil } }
    return (failure, instance)
  }

  // MARK: The path

  /// The containers that have asked for the instances of this creation and of those around it, the innermost first, and
  /// the registrations.
  var askers: [(asker: Registry, definition: Definition)] {
    Self.lock.withLock {
      chain.compactMap { creation in
        guard let asker = creation.asker, let definition = creation.definition else { return nil }
        return asker === creation.registry ? nil : (asker, definition)
      }
    }
  }

  /// The name of the type in a path; nil if there is no registration.
  private var entry: PathEntry? { definition.map { PathEntry(definition: $0, type: type) } }

  /// The factories that run around this one and itself, outermost first.
  var path: [PathEntry] { Self.lock.withLock { unlockedPath } }

  /// The same, under the lock.
  fileprivate var unlockedPath: [PathEntry] {
    // As long as this creation runs, so do the factories around it on its thread.
    let around = frame?.pointee.unlockedPath ?? outer?.unlockedPath ?? []
    return around + [entry].compactMap(\.self)
  }

  /// This creation and those around it, innermost first; under the lock.
  private var chain: some Sequence<Creation> { sequence(first: self, next: \.outer) }

  /// Returns a Boolean value that indicates whether this creation is another one, or around it.
  func isAround(_ other: Creation?) -> Bool { Self.lock.withLock { other?.chain.contains { $0 === self } ?? false } }

  /// A Boolean value that indicates whether the factory has led back to itself in the same container, with no factory
  /// with arguments in between.
  var closesCycle: Bool {
    Self.lock.withLock {
      let others = chain.prefix { $0.definition?.takesArguments != true }.dropFirst()
      return definition?.takesArguments == false
        && others.contains { $0.definition === definition && $0.registry === registry }
    }
  }

  // MARK: - Waiting

  /// A wait inside of a creation for another one, which is an edge of the graph in which cycles are found.
  ///
  /// There is one graph for the whole process, guarded by the lock of all waits. The wait that would close a cycle finds
  /// it, because the search and the start of the wait happen under the same lock.
  private struct Wait {
    let waiter: Creation
    let target: Creation

    nonisolated(unsafe) static var all: [Wait] = []

    func end() {
      // Sound: the caller holds the lock.
      if let index = unsafe Self.all.firstIndex(where: { $0.waiter === waiter && $0.target === target }) {
        unsafe Self.all.remove(at: index)
      }
    }
  }

  /// The creations that cannot continue before this one ends; under the lock.
  ///
  /// Synchronous factories are on one stack, and the innermost asynchronous one around them waits for them. Factories
  /// around that one may not be waiting for it. If they are, a `Wait` says so.
  private var blocked: [Creation] {
    var blocked: [Creation] = []
    for creation in chain {
      blocked.append(creation)
      if creation.isAsync { break }
    }
    return blocked
  }

  /// Begins a wait inside of a creation, unless it would close a cycle; under the lock.
  ///
  /// - Returns: The wait, or the entries of the cycle, from this creation to the one of the caller.
  private func beginWait(in waiter: Creation) -> Result<Wait, Cycle> {
    let own = waiter.blocked
    var seen: [Creation] = []
    func search(_ target: Creation) -> [PathEntry?]? {
      if own.contains(where: { $0 === target }) { return [target.entry] }
      if seen.contains(where: { $0 === target }) { return nil }
      seen.append(target)
      // Sound: the caller holds the lock.
      for wait in unsafe Wait.all where wait.waiter.blocked.contains(where: { $0 === target }) {
        if let rest = search(wait.target) {
          let between = wait.waiter.chain.prefix { $0 !== target }.map(\.entry)
          return [target.entry] + between.reversed() + rest
        }
      }
      return nil
    }
    if let cycle = search(self) { return .failure(Cycle(entries: cycle.compactMap(\.self))) }
    let wait = Wait(waiter: waiter, target: self)
    unsafe Wait.all.append(wait)
    return .success(wait)
  }

  /// The reason why a wait would never end.
  struct Cycle: Error {
    /// The factories in the cycle, from the awaited creation to the one of the caller.
    let entries: [PathEntry]
  }

  /// Blocks the calling thread until the creation has ended.
  ///
  /// - Parameter waiter: The creation for which the thread works.
  /// - Returns: The instance, if no container keeps it.
  /// - Throws: The failure of the creation, or `Cycle`.
  func waitOnThread(in waiter: Creation?) throws -> Instance? {
    var (wait, isWaiting): (Wait?, Bool) = (nil, false)
    let result = Self.lock.wait { () -> Result<Instance?, any Error>? in
      if hasEnded.load(ordering: .relaxed) {
        if !isWaiting { return .success(nil) }
        wait?.end()
        let (failure, instance) = take()
        return failure.map { .failure($0) } ?? .success(instance)
      }
      if isWaiting { return nil }
      if let waiter {
        switch beginWait(in: waiter) {
        case .success(let begun): wait = begun
        case .failure(let cycle): return .failure(cycle)
        }
      }
      isWaiting = true
      waitingThreads += 1
      return nil
    }
    return try result.get()
  }

  // MARK: - Tasks

  /// A task that waits.
  private final class Waiter: @unchecked Sendable {
    // Unchecked: guarded by the lock of all waits.
    var wait: Wait?
    var continuation: CheckedContinuation<Void, Never>?
    var isCancelled = false
    /// The reason why the task does not wait any more.
    var failure: (any Error)?
  }

  /// Starts a task that ends the creation.
  func start(_ body: @escaping @Sendable () async -> Void) {
    let task = Task { await body() }
    let isOver = Self.lock.withLock {
      if !hasEnded.load(ordering: .relaxed) { self.task = task }
      return hasLostWaiters
    }
    if isOver { task.cancel() }
  }

  /// Suspends the current task until the creation has ended.
  ///
  /// A task that is canceled leaves at once. When the last one has left, the creation is canceled.
  ///
  /// - Parameters:
  ///   - creation: The creation for which the task works.
  ///   - isStarter: A Boolean value that indicates whether the current task has started the creation.
  /// - Returns: The instance, if no container keeps it.
  /// - Throws: The failure of the creation, `Cycle`, or a `CancellationError`.
  func wait(in creation: Creation?, isStarter: Bool) async throws -> Instance? {
    let waiter = Waiter()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (isOver, task) = Self.lock.withLock {
          if isStarter { hasBegun = true }
          let isWaiting = enter(waiter, in: creation, continuation)
          return (!isWaiting, isWaiting ? nil : abandonIfUnwanted())
        }
        task?.cancel()
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let (continuation, task) = Self.lock.withLock {
        waiter.isCancelled = true
        guard waiters.removeValue(forKey: ObjectIdentifier(waiter)) != nil else {
          return (nil as CheckedContinuation<Void, Never>?, nil as Task<Void, Never>?)
        }
        waiter.wait?.end()
        waiter.failure = CancellationError()
        return (waiter.continuation, abandonIfUnwanted())
      }
      continuation?.resume()
      task?.cancel()
    }
    let result = Self.lock.withLock { () -> (failure: (any Error)?, instance: Instance?) in
      if let failure = waiter.failure { return (failure, nil) }
      return waiter.continuation == nil && !isStarter ? (nil, nil) : take()
    }
    if let failure = result.failure { throw failure }
    return result.instance
  }

  /// Returns true if the task has to wait; under the lock.
  private func enter(
    _ waiter: Waiter, in creation: Creation?, _ continuation: CheckedContinuation<Void, Never>
  ) -> Bool {
    if hasEnded.load(ordering: .relaxed) || hasLostWaiters { return false }
    if waiter.isCancelled {
      waiter.failure = CancellationError()
      return false
    }
    if let creation {
      switch beginWait(in: creation) {
      case .success(let wait): waiter.wait = wait
      case .failure(let cycle):
        waiter.failure = cycle
        return false
      }
    }
    waiter.continuation = continuation
    waiters[ObjectIdentifier(waiter)] = waiter
    return true
  }

  /// Abandons the creation if no task waits for it; under the lock.
  ///
  /// - Returns: The task to cancel, if there is one already.
  private func abandonIfUnwanted() -> Task<Void, Never>? {
    guard hasBegun, waiters.isEmpty, !hasEnded.load(ordering: .relaxed), isAsync else { return nil }
    hasLostWaiters = true
    return task
  }
}

/// One factory on the path to the requested instance.
struct PathEntry {
  let definition: Definition
  /// The requested type.
  let type: Any.Type

  /// The name of the type in a path.
  var name: String { displayName(type, definition.label.name) }
}

/// One running factory: an entry of the path to the requested instance.
///
/// Frames are on the stack of the thread that runs the factories, and link to the next outer one.
@safe
struct Frame {
  /// The frame of the factory that requested this one.
  let parent: StablePointer<Frame>?
  /// The requested type.
  let type: Any.Type
  /// The identity of the container for which the factory runs.
  let registry: ObjectIdentifier
  // The function that owns the frame keeps both alive.
  private let unmanagedDefinition: Unmanaged<Definition>
  private let unmanagedCreation: Unmanaged<Creation>?
  /// A bit for each registration from here up to one with arguments.
  let mask: UInt64
  /// The number of frames on the thread.
  let depth: UInt

  @inline(__always)
  init(
    parent: StablePointer<Frame>?, _ definition: Definition, for type: Any.Type, in registry: ObjectIdentifier,
    around creation: Creation?
  ) {
    (self.parent, self.type, self.registry) = (parent, type, registry)
    unsafe unmanagedDefinition = Unmanaged.passUnretained(definition)
    unsafe unmanagedCreation = creation.map { unsafe Unmanaged.passUnretained($0) }
    depth = (parent?.pointee.depth ?? 0) &+ 1
    mask = definition.arguments == Void.self ? (parent?.pointee.mask ?? 0) | Self.bit(definition) : 0
  }

  @inline(__always)
  static func bit(_ definition: Definition) -> UInt64 {
    let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(definition).toOpaque())
    return 1 &<< UInt64(truncatingIfNeeded: Key.hash(address) &>> (UInt(UInt.bitWidth) &- 6))
  }

  /// The registration of the factory.
  var definition: Definition { unsafe unmanagedDefinition.takeUnretainedValue() }

  /// The creation of the factory's instance, or else that around the factory.
  private var creation: Creation? { unsafe unmanagedCreation?.takeUnretainedValue() }

  /// The factories that run around this one and itself, outermost first.
  var path: [PathEntry] { Creation.lock.withLock { unlockedPath } }

  /// The same, under the lock of all waits.
  fileprivate var unlockedPath: [PathEntry] {
    var (entries, outermost) = ([entry], self)
    while let parent = outermost.parent?.pointee {
      entries.append(parent.entry)
      outermost = parent
    }
    var around = outermost.creation?.unlockedPath ?? []
    // The frame of a creation is its last entry.
    if around.last?.definition === outermost.definition { around.removeLast() }
    return around + entries.reversed()
  }

  private var entry: PathEntry { PathEntry(definition: definition, type: type) }
}
