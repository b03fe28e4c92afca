internal import Synchronization

/// The creations and the wait of a thread.
@safe
final class ThreadState: @unchecked Sendable {
  // Unchecked: only its own thread uses it, with one exception. While the thread waits, others read its creations and
  // its wait, under the lock of all waits.

  /// The frame of the innermost running factory.
  private var innermostFrame: StablePointer<Frame>?

  /// The address above which a frame needs no check for a stack overflow.
  private var checkedStack = UInt.max

  /// The limit of the thread's stack; nil until it is first needed.
  private var stackLimit: SystemThread.StackLimit?

  /// The innermost context: of a factory on this thread whose instance several resolutions return, or one that another
  /// thread or a task has begun.
  private(set) var context: CreationContext?

  /// The context to which the frames on this thread belong, if another thread or a task has begun it.
  private var joinedContext: CreationContext?

  /// The instances that everything inside of the outermost factory shares.
  private var outermostGraph: Graph?

  /// The wait of the thread, guarded by the lock of all waits.
  var wait: Wait?

  /// The container for which the thread runs `registerDependencies`, whose registrations yield to explicit ones.
  var registersDefaults: ObjectIdentifier?

  /// A Boolean value that indicates whether the outermost request may be tried again on another actor.
  ///
  /// If so, it is not a failure yet that an instance has to be created there.
  var mayHop = false

  /// The failure of a factory from the table, which the registry reports.
  var failure: (cause: any Error, definition: Definition)?

  // MARK: The state of the calling thread

  /// The state of the calling thread, which lives as long as the thread.
  static var current: ThreadState { withCurrent { $0 } }

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
    if let state = unsafe stored { return unsafe state }
    let state = unsafe Unmanaged.passRetained(ThreadState()).toOpaque()
    unsafe CLibrary.setThreadObject(state, key)
    return unsafe state
  }

  /// The number after `key`; 0 until `key` is created.
  ///
  /// Loading it costs less than loading a constant that is created when it is first used.
  private static let successorOfKey = Atomic<UInt>(0)

  /// The key under which the system keeps the state of each thread.
  private static let key = CLibrary.makeThreadKey()

  // MARK: Factories

  /// Calls a factory on this thread, which must be the calling one.
  @inline(__always)
  func run(
    _ definition: Definition, for type: Any.Type, in container: DIContainer, _ body: () throws -> Void
  ) throws {
    var frame = Frame(parent: innermostFrame, definition, for: type, in: ObjectIdentifier(container))
    try unsafe _withUnprotectedUnsafeMutablePointer(to: &frame) { pointer in
      // Sound: the frame stays on the stack until this function returns.
      let frame = unsafe StablePointer(pointer)
      innermostFrame = frame
      defer {
        innermostFrame = frame.pointee.parent
        if innermostFrame == nil { endGraph() }
      }
      if frame.address < checkedStack { try checkStack(at: frame.address) }
      if frame.pointee.mayCloseCycle, frame.pointee.closesCycle { throw NestingError.cycle }
      try body()
    }
  }

  /// The distance down the stack to the next check.
  private static var stackStep: UInt { 16 << 10 }

  /// Throws if the stack is nearly used.
  @inline(never)
  private func checkStack(at address: UInt) throws {
    if checkedStack == .max {
      // The first factory of the thread. Asking for the stack takes long, and nearly all factories return before this
      // is needed.
      checkedStack = address &- Self.stackStep / 4
      return
    }
    let limit = stackLimit ?? SystemThread.stackLimit()
    stackLimit = limit
    if SystemThread.isStackBelow(limit) { throw NestingError.stackOverflow }
    checkedStack = address < limit.address ? limit.address : max(limit.address, address &- Self.stackStep)
  }

  /// Releases the instances of the graph whose outermost factory has returned.
  private func endGraph() {
    // Released at the end, because this may run a `deinit` that resolves, and so begins the next graph.
    if let ended = outermostGraph.take() { withExtendedLifetime(ended) {} }
  }

  /// The graph of the outermost factory on this thread; nil if none runs.
  var graph: Graph? {
    if innermostFrame == nil { return nil }
    let graph = outermostGraph ?? Graph()
    outermostGraph = graph
    return graph
  }

  // MARK: Contexts

  /// Calls a factory on this thread in a context of its own.
  func run<Result, Failure: Error>(
    in context: CreationContext, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let outer = self.context
    self.context = context
    defer { self.context = outer }
    return try body()
  }

  /// Runs a closure on this thread for a factory that another thread or a task has called.
  func join<Result, Failure: Error>(
    _ context: CreationContext, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (innermost, joined, graph) = (innermostFrame, joinedContext, outermostGraph)
    (innermostFrame, joinedContext, outermostGraph) = (nil, context, nil)
    defer { (innermostFrame, joinedContext, outermostGraph) = (innermost, joined, graph) }
    return try run(in: context, body)
  }

  /// The context around the frames on this thread, which another thread or a task has begun.
  var outerContext: CreationContext? { joinedContext ?? CreationContext.ofTask }

  /// Abandons everything that the thread is creating, because the thread will never continue.
  func abandonCreations() {
    guard let context else { return }
    for context in context.chain.prefix(while: { $0 !== joinedContext }) {
      context.end()
      (context.creation as? ThreadCreation)?.finish()
    }
  }

  /// Abandons everything that the thread is creating, and forgets the factories, whose frames no longer exist.
  func forgetFactories() {
    abandonCreations()
    (innermostFrame, context, joinedContext) = (nil, nil, nil)
    (registersDefaults, mayHop, failure) = (nil, false, nil)
    endGraph()
  }

  // MARK: The path

  /// Returns the factories that run on the thread, outermost first.
  ///
  /// Their frames must not change: the thread is the calling one, or waits for a creation.
  ///
  /// - Parameter context: The context at whose factory to stop, if it was begun on the thread.
  /// - Returns: An entry for each factory.
  func entries(below context: CreationContext? = nil) -> [PathEntry] {
    var entries: [PathEntry] = []
    var next = innermostFrame
    while let frame = next?.pointee, frame.definition !== context?.definition {
      entries.append(PathEntry(definition: frame.definition, type: frame.type))
      next = frame.parent
    }
    return entries.reversed()
  }

  /// The factories on the thread, which must be the calling one, and around it, outermost first.
  var path: [PathEntry] {
    let entries = entries()
    let path = outerContext.map { $0.path + entries } ?? entries
    if path.count < 2 { return path }
    // A decorator stands for what it wraps.
    return path.indices.filter { $0 == 0 || path[$0 - 1].definition.inner !== path[$0].definition }.map { path[$0] }
  }

  /// The names of the types whose factories run on the thread, which must be the calling one, and around it.
  var fullPath: [String] { path.map(\.name) }
}

/// The reason why a factory must not be called.
enum NestingError: Error {
  /// The factory leads back to itself again and again.
  case cycle

  /// So many factories run that the stack is nearly used.
  case stackOverflow
}
