#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

public import Synchronization

/// What a thread is creating and what it waits for.
///
/// A state is never freed: when its thread ends, the next new thread takes it over. So whoever finds one may look whose
/// it is, without a lock.
@safe
@usableFromInline
struct ThreadState: ~Copyable {
  /// The innermost factory that runs.
  ///
  /// Written by its own thread; others read it only while the thread waits for a creation, under the lock of all waits.
  @usableFromInline
  var top: UnsafeMutablePointer<Frame>?

  /// A factory whose frame is below this address may not be called without a look at the thread.
  ///
  /// That is `checkedStack`, and while dependencies are recorded the highest address there is: so one comparison covers
  /// everything that is out of the ordinary.
  @usableFromInline
  private(set) var threshold = UInt.max

  /// The address down to which nobody has to look whether the stack is nearly used, or a factory has led back to itself.
  private var checkedStack = UInt.max

  /// The context of the innermost factory on this thread whose instance several resolves get.
  private(set) var context: CreationContext?

  /// The context that the frames on this thread are for, if another thread or a task has begun it.
  private(set) var joined: CreationContext?

  /// The thread that the state belongs to, or 0.
  @usableFromInline
  let identity = Atomic<UInt>(0)

  /// Where the thread's stack is nearly used; nil until it is first asked for.
  private var stackLimit: SystemThread.StackLimit?

  /// What the thread waits for.
  ///
  /// Guarded by the lock of all waits.
  var wait: Wait?

  /// The container for which the thread runs `registerDependencies`, whose registrations yield to explicit ones.
  var registersDefaults: ObjectIdentifier?

  /// The outermost factory, if it is called where its end is noticed.
  var graphRoot: UnsafeMutablePointer<Frame>?

  /// The instances that belong to everything inside that factory.
  var graph: Graph?

  /// Whether what has been asked first may be tried again on another actor: then it is no failure yet that it has to be.
  var mayHop = false

  /// Why the resolve that the thread is about to trap in has failed.
  var failure: (error: any Error, definition: Definition)?
}

extension ThreadState {
  /// How much further down the stack the next look is.
  private static var stackStep: UInt { 16 << 10 }

  /// Returns why the innermost factory may not be called, if too many others run around it.
  mutating func checkStack() -> (any Error)? {
    guard let frame = unsafe top else { return nil }
    let address = UInt(bitPattern: frame)
    if address >= checkedStack { return nil }
    if checkedStack == .max {
      // The first factory of the thread. It takes long to ask for the stack, and nearly all are over before this.
      checkedStack = address &- Self.stackStep / 4
    } else {
      let limit = stackLimit ?? SystemThread.stackLimit()
      stackLimit = limit
      if SystemThread.isStackBelow(limit) { return Request.Overflow() }
      if unsafe frame.pointee.isCycle { return Request.Circle() }
      checkedStack = address < limit.address ? limit.address : max(limit.address, address &- Self.stackStep)
    }
    if context == nil { threshold = checkedStack }
    return nil
  }

  /// Releases what belonged to the graph whose outermost factory has returned.
  ///
  /// Not a method of the state, because releasing may run a `deinit` that resolves, and so begins the next graph.
  static func endGraph(on thread: UnsafeMutablePointer<ThreadState>) {
    unsafe thread.pointee.graphRoot = nil
    guard let ended = unsafe thread.pointee.graph else { return }
    unsafe thread.pointee.graph = nil
    _ = consume ended
  }

  /// Calls a factory on this thread in a context of its own.
  static func run<Result, Failure: Error>(
    in context: CreationContext, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = unsafe ThreadState.current
    let outer = unsafe thread.pointee.context
    unsafe thread.pointee.context = context
    unsafe thread.pointee.threshold = .max
    defer {
      unsafe thread.pointee.context = outer
      if outer == nil { unsafe thread.pointee.threshold = thread.pointee.checkedStack }
    }
    return try body()
  }

  /// Runs a closure on this thread for a factory that another thread or a task has called.
  static func join<Result, Failure: Error>(
    _ context: CreationContext, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let thread = unsafe ThreadState.current
    let (top, joined, root) = unsafe (thread.pointee.top, thread.pointee.joined, thread.pointee.graphRoot)
    let graph = unsafe thread.pointee.graph
    unsafe (thread.pointee.top, thread.pointee.joined, thread.pointee.graphRoot) = (nil, context, nil)
    unsafe thread.pointee.graph = nil
    defer {
      unsafe (thread.pointee.top, thread.pointee.joined, thread.pointee.graphRoot) = (top, joined, root)
      unsafe thread.pointee.graph = graph
    }
    return try run(in: context, body)
  }

  /// Gives up what the calling thread creates, because it never will go on.
  static func giveUp() {
    let thread = unsafe ThreadState.current
    let (innermost, joined) = unsafe (thread.pointee.context, thread.pointee.joined)
    for context in innermost.map({ Array($0.chain.prefix { $0 !== joined }) }) ?? [] {
      // Relaxed: as where it was counted.
      unsafe Gate.creations.pointee.wrappingSubtract(1, ordering: .relaxed)
      (context.creation as? ThreadCreation)?.finish()
    }
  }

  /// The context that the frames on the calling thread are for, if it has not been begun by one of them.
  var outerContext: CreationContext? { joined ?? CreationContext.ofTask }
}

// MARK: - The path

extension ThreadState {
  /// The factories that run on the thread, outermost first.
  ///
  /// Their frames must stand still: the thread is the calling one, or waits for a creation.
  ///
  /// - Parameter context: Stop at the factory of this context, if it has been begun on the thread.
  /// - Returns: An entry for each factory.
  func entries(below context: CreationContext? = nil) -> [PathEntry] {
    var entries: [PathEntry] = []
    var frame = unsafe top
    while let current = unsafe frame {
      if let context, unsafe current.pointee.isOf(context.definition) { break }
      unsafe entries.append(
        PathEntry(current.pointee.definition.takeUnretainedValue(), current.pointee.type))
      unsafe frame = current.pointee.parent
    }
    return entries.reversed()
  }
}

// MARK: - Finding that of the calling thread

extension ThreadState {
  /// Where threads look for their state first: slots with addresses of states, which may be those of other threads.
  ///
  /// The system's thread-local storage knows it for sure, but takes more instructions than everything else that happens
  /// between a resolve and the factory. A slot can be wrong, but never deceive: only the thread that has an identity
  /// ever writes it into a state, and it takes it out before it ends.
  @usableFromInline
  typealias Slots = UnsafeMutablePointer<Atomic<UInt>>

  /// The slots; every container carries the pointer, because a lazy global has to be tested whenever it is read.
  nonisolated(unsafe) static let slots: Slots = {
    let nobody = unsafe Self.allocate()
    let slots = unsafe UnsafeMutableRawPointer.allocate(
      byteCount: slotCount * MemoryLayout<Atomic<UInt>>.stride, alignment: 128
    ).bindMemory(to: Atomic<UInt>.self, capacity: slotCount)
    for index in 0..<slotCount { unsafe (slots + index).initialize(to: Atomic(UInt(bitPattern: nobody))) }
    return unsafe slots
  }()

  @usableFromInline
  static var slotCount: Int { 256 }

  /// The state of the calling thread.
  static var current: UnsafeMutablePointer<ThreadState> { unsafe current(identify(), in: slots) }

  /// What tells the calling thread from all others.
  @usableFromInline
  typealias Identify = @convention(c) () -> UInt

  /// The system's function for it; every container carries the pointer for code in other modules.
  static let identify: Identify = {
    #if canImport(Glibc)
      pthread_self
    #elseif canImport(Musl)
      // Sound: the result is a pointer, which is returned as a word is.
      unsafe unsafeBitCast(pthread_self as @convention(c) () -> pthread_t?, to: Identify.self)
    #else
      // Sound: as above.
      unsafe unsafeBitCast(pthread_self as @convention(c) () -> pthread_t, to: Identify.self)
    #endif
  }()

  /// The state of the calling thread, whose identity this is.
  @inlinable
  @inline(__always)
  static func current(_ identity: UInt, in slots: Slots) -> UnsafeMutablePointer<ThreadState> {
    // Stacks are whole pages, and the identity is an address next to one.
    let slot = unsafe slots + Int(bitPattern: identity >> 12 & UInt(slotCount - 1))
    // Sound: slots only ever hold addresses of states. Acquiring, because the state may be another thread's, which has
    // initialized it before it stored its address. The identity is relaxed: if it is this thread's, it has stored it.
    let state = unsafe UnsafeMutablePointer<ThreadState>(bitPattern: slot.pointee.load(ordering: .acquiring))
      .unsafelyUnwrapped
    if unsafe _fastPath(state.pointee.identity.load(ordering: .relaxed) == identity) { return unsafe state }
    return unsafe findCurrent(identity, slot)
  }

  @usableFromInline
  @inline(never)
  static func findCurrent(_ identity: UInt, _ slot: Slots) -> UnsafeMutablePointer<ThreadState> {
    let state: UnsafeMutablePointer<ThreadState>
    if let existing = unsafe pthread_getspecific(key) {
      unsafe state = existing.assumingMemoryBound(to: ThreadState.self)
    } else {
      unsafe state = ended.withLock { unsafe $0.popLast() } ?? allocate()
      // What it has from the thread before is the other stack's.
      unsafe (state.pointee.stackLimit, state.pointee.checkedStack) = (nil, .max)
      unsafe state.pointee.threshold = .max
      unsafe state.pointee.identity.store(identity, ordering: .relaxed)
      unsafe pthread_setspecific(key, state)
    }
    // Releasing, because other threads that find the state here look at its identity, which has to be initialized.
    unsafe slot.pointee.store(UInt(bitPattern: state), ordering: .releasing)
    return unsafe state
  }

  private static func allocate() -> UnsafeMutablePointer<ThreadState> {
    let state = UnsafeMutablePointer<ThreadState>.allocate(capacity: 1)
    unsafe state.initialize(to: ThreadState())
    return unsafe state
  }

  /// The states of threads that have ended.
  private static let ended = unsafe Locked<[UnsafeMutablePointer<ThreadState>]>([])

  /// Where the system keeps the state of each thread, so as to say when one ends.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let result = unsafe pthread_key_create(&key) { pointer in
      // Optional on some platforms.
      let pointer: UnsafeMutableRawPointer? = unsafe pointer
      let state = unsafe pointer!.assumingMemoryBound(to: ThreadState.self)
      unsafe state.pointee.identity.store(0, ordering: .relaxed)
      unsafe ended.withLock { unsafe $0.append(state) }
    }
    precondition(result == 0, "No thread-local storage is left in this process.")
    return key
  }()
}

extension UnsafeMutablePointer where Pointee == ThreadState {
  /// The registration whose factory runs on the thread, which must be the calling one, or around that.
  var asker: Definition? {
    unsafe pointee.top?.pointee.definition.takeUnretainedValue() ?? pointee.outerContext?.definition
  }

  /// The names of the types whose factories run on the thread, which must be the calling one, and around that.
  func fullPath() -> [String] {
    unsafe ((pointee.outerContext?.path ?? []) + pointee.entries()).map(\.name)
  }
}
