internal import Synchronization

/// One running factory: an entry of the path to the requested instance.
///
/// Frames are on the stack of the thread that runs the factories, and link to the next outer one.
struct Frame {
  /// The frame of the factory that requested this one.
  let parent: StablePointer<Frame>?
  /// The requested type.
  let type: Any.Type
  /// The identity of the container for which the factory runs.
  let registry: ObjectIdentifier
  // The function that owns the frame keeps both alive.
  private let unownedDefinition: Unowned<Definition>
  fileprivate let unownedCreation: Unowned<Creation>?
  /// A bit for the type of each registration from this frame outward, up to one with arguments.
  let mask: UInt64
  /// The number of frames on the thread.
  let depth: Int

  /// The maximum number of nested factories on one thread, and of nested creations across threads.
  @_transparent
  static var maximumDepth: Int { 256 }

  // Transparent, because a debug build pays for each call and each parameter.
  @_transparent
  fileprivate init(
    parent: StablePointer<Frame>?, _ definition: Definition, for type: Any.Type, in registry: ObjectIdentifier,
    around creation: Creation?
  ) {
    self.parent = parent
    self.type = type
    self.registry = registry
    unownedDefinition = Unowned(definition)
    if let creation { unownedCreation = Unowned(creation) } else { unownedCreation = nil }
    if let parent {
      depth = parent.pointee.depth &+ 1
      mask = definition.frameMask == 0 ? 0 : parent.pointee.mask | definition.frameMask
    } else {
      depth = 1
      mask = definition.frameMask
    }
  }

  /// The registration of the factory.
  var definition: Definition { unownedDefinition.object }

  /// The creation for which the factory works.
  var creation: Creation? { unownedCreation?.object }

  /// The factories around this one, followed by this one, outermost first; under the lock of all waits.
  var path: [PathEntry] {
    let frames = sequence(first: self) { $0.parent?.pointee }.reversed()
    var around = frames[0].creation?.path ?? []
    // The last entry of a creation's path is the creation's own factory.
    if around.last?.definition === frames[0].definition { around.removeLast() }
    return around + frames.map { ($0.definition, $0.type) }
  }
}

/// The factories and the creations on a thread.
@safe
final class ThreadState: @unchecked Sendable {
  // Unchecked: only its own thread uses it.

  /// The frame of the innermost running factory.
  @safe @exclusivity(unchecked)
  private(set) var innermostFrame: StablePointer<Frame>?
  /// The address above which a frame needs no check of the stack.
  @safe @exclusivity(unchecked)
  private var checkedStack = UInt.max
  /// The limit of the thread's stack; nil until it is first needed.
  private var stackLimit: CLibrary.StackLimit?
  /// The innermost creation on this thread, for which its code works, and which ends if the thread is abandoned.
  ///
  /// Not counted: the code that creates the instance holds a reference from `begin` to `end`, or forever if its frames
  /// are skipped.
  @safe @exclusivity(unchecked)
  private var innermostCreation: Unowned<Creation>?
  /// The graph of the innermost factory: that of its creation, which may end before the factory returns, or the one that
  /// everything inside of the outermost factory shares.
  @safe @exclusivity(unchecked)
  private var innermostGraph: Graph?
  /// A context for the next factory, in which no code runs.
  @safe @exclusivity(unchecked)
  var spareContext: Context?

  /// The state of the calling thread, which lives as long as the thread.
  static var current: ThreadState {
    // Sound: the thread-local storage has a reference to the state until the thread ends.
    unsafe Unmanaged<ThreadState>.fromOpaque(stored ?? create()).takeUnretainedValue()
  }

  /// Calls `body` with the state of the calling thread.
  @inline(__always)
  static func withCurrent<Result>(_ body: (ThreadState) throws -> Result) rethrows -> Result {
    // Sound: the thread-local storage has a reference to the state until the thread ends.
    try unsafe Unmanaged<ThreadState>.fromOpaque(stored ?? create())._withUnsafeGuaranteedRef(body)
  }

  @inline(__always)
  private static var stored: UnsafeMutableRawPointer? {
    let successor = successorOfKey.load(ordering: .relaxed)
    return unsafe successor == 0 ? nil : CLibrary.threadObject(successor &- 1)
  }

  @inline(never)
  private static func create() -> UnsafeMutableRawPointer {
    successorOfKey.store(key &+ 1, ordering: .relaxed)
    let state = unsafe Unmanaged.passRetained(ThreadState()).toOpaque()
    unsafe CLibrary.setThreadObject(state, key)
    return unsafe state
  }

  /// The number after `key`; 0 until `key` is created.
  ///
  /// Loading it costs less than loading a constant that is initialized on first use.
  private static let successorOfKey = Atomic<UInt>(0)

  /// The key under which the system keeps the state of each thread.
  private static let key = CLibrary.makeThreadKey()

  // MARK: Factories

  /// Calls a factory on this thread, which must be the calling one.
  @inline(__always)
  func run(
    _ definition: Definition, for type: Any.Type, in registry: ObjectIdentifier, around creation: Creation?,
    _ body: () throws -> Void
  ) throws {
    let memory = _Cell(Frame(parent: innermostFrame, definition, for: type, in: registry, around: creation))
    // Sound: the frame stays on the stack until this function returns.
    let frame = unsafe StablePointer(memory._address)
    innermostFrame = frame
    var outerGraph: Graph?
    var hasOwnGraph = false
    if let creation, creation.mayHaveGraph, let graph = creation.graph {
      outerGraph = innermostGraph
      hasOwnGraph = true
      innermostGraph = graph
    }
    defer {
      innermostFrame = frame.pointee.parent
      extendLifetime(memory)
      // Without `||`, whose closure a debug build pays for.
      if hasOwnGraph {
        endGraph(inside: outerGraph)
      } else if innermostFrame == nil, innermostGraph != nil {
        endGraph(inside: nil)
      }
    }
    if frame.address < checkedStack { try checkStack(at: frame.address) }
    if let parent = frame.pointee.parent {
      if frame.pointee.depth > Frame.maximumDepth { throw CreationError.tooDeep(usesStack: false) }
      if parent.pointee.mask & definition.frameMask != 0, closesCycle(frame) { throw CreationError.cycle([]) }
    }
    try body()
  }

  /// The distance down the stack to the next check.
  private static var stackStep: UInt { 16 << 10 }

  /// Throws if the stack is nearly used up, as a small stack is before the maximum number of factories is reached.
  @inline(never)
  private func checkStack(at address: UInt) throws {
    if checkedStack == .max {
      // The first factory of the thread. Asking for the stack takes a long time, and nearly all factories return before
      // the answer is needed.
      checkedStack = address &- Self.stackStep / 4
      return
    }
    let limit = stackLimit ?? CLibrary.stackLimit()
    stackLimit = limit
    if CLibrary.isStackBelow(limit) { throw CreationError.tooDeep(usesStack: true) }
    checkedStack = max(limit.address, address &- Self.stackStep)
  }

  /// Returns a Boolean value that indicates whether a factory led back to itself in the same container, without a
  /// factory that takes arguments in between.
  ///
  /// A factory with arguments may do so any number of times, because its arguments may end the recursion.
  @inline(never)
  private func closesCycle(_ frame: StablePointer<Frame>) -> Bool {
    let (definition, registry) = (frame.pointee.definition, frame.pointee.registry)
    var next = frame.pointee.parent
    while let other = next, other.pointee.mask != 0 {
      if other.pointee.definition === definition, other.pointee.registry == registry { return true }
      next = other.pointee.parent
    }
    return false
  }

  /// Ends the use of a graph by a factory that has returned.
  ///
  /// - Parameter outer: The graph of the factories around it.
  @inline(never)
  private func endGraph(inside outer: Graph?) {
    let ended = innermostGraph
    innermostGraph = outer
    // Released at the end, because this may run a `deinit` that resolves, and so begins the next graph.
    withExtendedLifetime(ended) {}
  }

  /// Returns the graph of a request by the code on this thread.
  ///
  /// - Parameter creation: The creation for which that code works.
  /// - Returns: The graph of the creation, or else of the factories on this thread; nil if there is neither.
  func graph(of creation: Creation?) -> Graph? {
    if let graph = creation?.graph { return graph }
    if innermostFrame == nil { return nil }
    let graph = innermostGraph ?? Graph([:])
    innermostGraph = graph
    return graph
  }

  // MARK: Creations

  /// Returns the creation for which the calling code works.
  ///
  /// It is the innermost of these: the creation of the context, the innermost running creation on this thread, the one
  /// for which the innermost factory works, and the creation of a resolver.
  ///
  /// - Parameters:
  ///   - context: The context of the code.
  ///   - own: The creation of the resolver that the code uses, if any.
  /// - Returns: The creation; nil if none is running.
  func creation(in context: Context?, or own: Creation? = nil) -> Creation? {
    if own == nil, innermostFrame == nil, innermostCreation == nil { return context?.creation }
    var found = context?.creation
    var next = innermostCreation
    while let creation = next?.object, creation.ifRunning == nil { next = creation.outerOnThread }
    found = Creation.inner(next?.object, in: found)
    found = Creation.inner(innermostFrame?.pointee.creation, in: found)
    return Creation.inner(own, in: found)
  }

  /// Returns a Boolean value that indicates whether there may be a creation on this thread or in a context.
  @inline(__always)
  func mayHaveCreation(in context: Context?) -> Bool {
    // Without operators, whose closures are slow in a debug build.
    if innermostCreation != nil { return true }
    if let innermostFrame, innermostFrame.pointee.unownedCreation != nil { return true }
    if let context { return context.innermostCreation != nil }
    return false
  }

  /// Notes that this thread is creating an instance, until the caller passes the same creation to `end`.
  func begin(_ creation: Creation) {
    creation.outerOnThread = innermostCreation
    innermostCreation = Unowned(creation)
  }

  /// Forgets the innermost creation, unless the thread has forgotten all of them.
  func end(_ creation: Creation) { if innermostCreation != nil { innermostCreation = creation.outerOnThread } }

  /// The creations on this thread, the innermost first.
  private var creations: some Sequence<Creation> {
    sequence(state: innermostCreation) { next in
      let creation = next?.object
      next = creation?.outerOnThread
      return creation
    }
  }

  /// Returns a Boolean value that indicates whether the thread is in the middle of a creation.
  func isCreating(_ creation: Creation) -> Bool { creations.contains { $0 === creation } }

  /// Ends everything that the thread is creating, because the thread will never continue.
  func abandonCreations() {
    // The requesters that wait look again, and find a creation that has ended.
    for creation in creations { creation.end() }
  }

  /// Ends everything that the thread is creating, and forgets the factories, whose frames no longer exist.
  func forgetFactories() {
    abandonCreations()
    innermostFrame = nil
    innermostCreation = nil
    endGraph(inside: nil)
  }

  // MARK: The path

  /// Returns the factories that run around a request, outermost first, including those of instances that decorators
  /// wrap.
  ///
  /// - Parameter creation: The creation for which the calling thread works, if no factory runs on it.
  /// - Returns: An entry for each factory.
  func path(_ creation: Creation?) -> [PathEntry] {
    if innermostFrame == nil, creation == nil { return [] }
    return Creation.lock.withLock { innermostFrame?.pointee.path ?? creation?.path ?? [] }
  }
}

extension [PathEntry] {
  /// The entries without those that decorators wrap: a decorator stands for what it wraps.
  var withoutWrapped: [PathEntry] {
    // A request of a decorator for another type is not for what it wraps.
    indices.filter {
      $0 == 0 || self[$0 - 1].definition.decoration?.inner !== self[$0].definition || self[$0 - 1].type != self[$0].type
    }.map { self[$0] }
  }
}

extension DIContainer {
  /// A Boolean value that indicates whether the calling code was called by a factory.
  package static var isCreating: Bool { !ThreadState.current.path(Creation.current).isEmpty }

  /// Abandons everything that the calling thread is creating, after something has skipped the frames of its factories.
  ///
  /// An Objective-C exception skips frames, and XCTest may interrupt a test with one.
  package static func forgetFactories() { ThreadState.current.forgetFactories() }
}
