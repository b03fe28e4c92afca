#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

internal import Synchronization

/// One factory that is running: an entry of the path that leads to what is being resolved.
///
/// Frames live on the stack of the thread that runs the factories and link to the one outside them.
@safe
struct Frame {
  /// The frame of the factory that asked for this one.
  let parent: UnsafeMutablePointer<Frame>?

  /// The type that was asked for.
  let type: Any.Type

  /// The registration whose factory runs.
  ///
  /// The function that owns the frame keeps it alive.
  let definition: Unmanaged<Definition>

  /// How many frames there are, this one included.
  let depth: Int

  /// The arguments' presence: a factory with arguments may lead back to itself with other ones.
  let hasArguments: Bool

  /// Collects what the innermost cached instance that is being created depends on.
  let dependencies: UnsafeMutablePointer<Dependencies>?

  init(
    parent: UnsafeMutablePointer<Frame>?, type: Any.Type, definition: Definition, hasArguments: Bool,
    dependencies: UnsafeMutablePointer<Dependencies>?
  ) {
    unsafe self.parent = parent
    self.type = type
    unsafe self.definition = Unmanaged.passUnretained(definition)
    depth = unsafe parent.map { unsafe $0.pointee.depth + 1 } ?? 1
    self.hasArguments = hasArguments
    unsafe self.dependencies = dependencies
  }
}

extension Frame {
  /// Whether this is a factory of that registration.
  func isOf(_ definition: Definition) -> Bool {
    unsafe self.definition.toOpaque() == Unmanaged.passUnretained(definition).toOpaque()
  }
}

/// What a thread is creating and what it waits for.
@safe
struct ThreadState {
  /// The innermost factory that runs.
  ///
  /// Written by its own thread; others read it only while the thread is blocked in `WaitGraph`, under its lock.
  var top: UnsafeMutablePointer<Frame>?

  /// Below this address the thread's stack is nearly used; nil until it is first asked for, and 0 if nobody knows.
  var stackLimit: UInt?

  /// The creation on another thread that this one waits for.
  ///
  /// Guarded by the lock of `WaitGraph`.
  var waitingFor: Creation?

  /// The container for which the thread runs `registerDependencies`, whose registrations yield to explicit ones.
  var registersDefaults: ObjectIdentifier?

  /// The state of the calling thread; made at its first use and freed when the thread ends.
  static var current: UnsafeMutablePointer<ThreadState> {
    let known = key.load(ordering: .relaxed)
    if known != noKey, let existing = unsafe pthread_getspecific(pthread_key_t(known)) {
      return unsafe existing.assumingMemoryBound(to: ThreadState.self)
    }
    return unsafe makeCurrent()
  }

  @inline(never)
  private static func makeCurrent() -> UnsafeMutablePointer<ThreadState> {
    let state = UnsafeMutablePointer<ThreadState>.allocate(capacity: 1)
    unsafe state.initialize(to: ThreadState())
    key.store(Int(createdKey), ordering: .relaxed)
    unsafe pthread_setspecific(createdKey, state)
    return unsafe state
  }

  private static let noKey = -1

  /// The key once it has been created: a constant that the compiler lays out costs less than a lazy global.
  private static let key = Atomic<Int>(-1)

  private static let createdKey: pthread_key_t = {
    var key = pthread_key_t()
    let result = unsafe pthread_key_create(&key) { pointer in
      #if canImport(Darwin)
        let state = unsafe pointer.assumingMemoryBound(to: ThreadState.self)
      #else
        let state = unsafe pointer!.assumingMemoryBound(to: ThreadState.self)
      #endif
      unsafe state.deinitialize(count: 1)
      unsafe state.deallocate()
    }
    precondition(result == 0, "No thread-local storage is left in this process.")
    return key
  }()
}

extension UnsafeMutablePointer where Pointee == ThreadState {
  /// The names of the types whose factories run, outermost first, or from the one of `definition` on.
  func path(from definition: Definition? = nil) -> [String] {
    var names: [String] = []
    var frame = unsafe pointee.top
    while let current = unsafe frame {
      unsafe names.append(displayName(current.pointee.type))
      if let definition, unsafe current.pointee.isOf(definition) { break }
      unsafe frame = current.pointee.parent
    }
    return names.reversed()
  }
}
