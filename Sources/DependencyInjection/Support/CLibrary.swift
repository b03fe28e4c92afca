// Everything that the core uses from the C library and the system, including what differs between systems. No other
// file of the core imports either.

internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
  internal import ObjectiveC
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#else
  #error(
    "DependencyInjection needs POSIX threads: it supports Apple's systems, Linux and Android, not Windows and WASI.")
#endif

/// The functions of the C library that are used in addition to locks.
package enum CLibrary {
  /// Returns a function of this process by its name, if there is one; the caller knows its type.
  @unsafe
  package static func function<Function>(_ name: String, as _: Function.Type) -> Function? {
    unsafe dlsym(dlopen(nil, RTLD_NOW), name).map { unsafe unsafeBitCast($0, to: Function.self) }
  }

  /// Writes a line to standard error, in one piece, so that lines of several threads do not mix.
  static func writeError(_ line: String) {
    var line = line + "\n"
    // Sound: the bytes stay in place until the call returns.
    line.withUTF8 { _ = unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Returns the value of an environment variable.
  static func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
}

// MARK: - Images

// The headers of some C libraries hide these functions, so each is looked up with a type that is the same in all C
// libraries that have it.

extension CLibrary {
  /// Returns the path of the executable or library that has an address.
  static func image(at address: UInt) -> String? {
    typealias Find = @convention(c) (UInt, UnsafeMutableRawPointer) -> CInt
    // Sound: the function takes any address and a `Dl_info`, which is four words in every C library. The first word is the
    // path of the image, which stays in place as long as the image is loaded.
    guard let find = unsafe function("dladdr", as: Find.self) else { return nil }
    var information: (path: UInt, UInt, UInt, UInt) = (0, 0, 0, 0)
    guard unsafe find(address, &information) != 0 else { return nil }
    return unsafe UnsafePointer<CChar>(bitPattern: information.path).map { unsafe String(cString: $0) }
  }
}

// MARK: - Locks

/// A nonreentrant lock, which is stored in its owner, and on which threads can wait.
@safe
struct Lock: ~Copyable, @unchecked Sendable {
  // Unchecked: a mutex is made for any number of threads. Sound: it is raw storage, which does not move once it is used.
  private let mutex: _Cell<pthread_mutex_t>

  init() {
    #if canImport(Darwin)
      mutex = _Cell(pthread_mutex_t())
      unsafe pthread_mutex_init(mutex._address, nil)
    #else
      // On Linux and Android, `PTHREAD_MUTEX_INITIALIZER` is all zeros.
      unsafe mutex = _Cell(pthread_mutex_t())
    #endif
  }

  /// The condition of all waiting threads: they all wait on one lock.
  nonisolated(unsafe) private static let condition = {
    let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    unsafe pthread_cond_init(condition, nil)
    return unsafe condition
  }()

  deinit { unsafe pthread_mutex_destroy(mutex._address) }

  @_transparent
  func lock() { if unsafe pthread_mutex_trylock(mutex._address) != 0 { lockAfterBackoff() } }

  /// Tries again after longer and longer pauses, and then sleeps until the lock is free.
  ///
  /// The lock is held briefly, so a pause is shorter than a sleep. During a pause, the thread does not touch the lock,
  /// so its cache line stays with the core that uses it. On Apple's platforms, the thread sleeps at once: there, a
  /// pause lowers its own priority, and a sleep raises the priority of the thread that holds the lock.
  @inline(never)
  private func lockAfterBackoff() {
    #if !canImport(Darwin)
      var pause = 4
      while pause <= 16 {
        for _ in 0..<pause { CLibrary.yieldThread() }
        if unsafe pthread_mutex_trylock(mutex._address) == 0 { return }
        pause *= 2
      }
    #endif
    unsafe pthread_mutex_lock(mutex._address)
  }

  @_transparent
  func unlock() { unsafe pthread_mutex_unlock(mutex._address) }

  /// Runs `body` while no other thread can; `body` must not call other code.
  func withLock<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }

  /// Wakes all waiting threads, so that they check again.
  func wakeAll() { unsafe pthread_cond_broadcast(Self.condition) }

  /// Waits until `body` returns a value; calls it again whenever the thread is woken.
  func wait<Result>(for body: () -> Result?) -> Result {
    withLock {
      while true {
        if let result = body() { return result }
        unsafe pthread_cond_wait(Self.condition, mutex._address)
      }
    }
  }
}

// MARK: - Values of a thread

extension CLibrary {
  /// Returns the number of a new key under which the system keeps an object for each thread; each object is released
  /// when its thread ends.
  static func makeThreadKey() -> UInt {
    var key = pthread_key_t()
    let result = unsafe pthread_key_create(&key) { object in
      // The parameter is optional on some systems.
      let object: UnsafeMutableRawPointer? = unsafe object
      unsafe Unmanaged<AnyObject>.fromOpaque(object!).release()
    }
    precondition(result == 0, "No thread-local storage is left in this process.")
    return UInt(truncatingIfNeeded: key)
  }

  /// Returns the object of the calling thread.
  @inline(__always)
  static func threadObject(_ key: UInt) -> UnsafeMutableRawPointer? {
    unsafe pthread_getspecific(pthread_key_t(truncatingIfNeeded: key))
  }

  /// Sets the object of the calling thread, which the thread owns from then on.
  static func setThreadObject(_ object: UnsafeMutableRawPointer, _ key: UInt) {
    unsafe pthread_setspecific(pthread_key_t(truncatingIfNeeded: key), object)
  }
}

// MARK: - Threads

extension CLibrary {
  /// Runs a closure on a new thread, with the quality of service of the calling one.
  static func startThread(_ body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // As much as a main thread has; memory is allocated only for the used part.
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
    #if canImport(Darwin)
      unsafe pthread_attr_set_qos_class_np(&attributes, qos_class_self(), 0)
    #endif
    #if canImport(Darwin) || canImport(Musl)
      // A thread is a pointer there.
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let start = unsafe Unmanaged.passRetained(Box(body)).toOpaque()
    let result = unsafe pthread_create(
      &thread, &attributes,
      { start in
        let start: UnsafeMutableRawPointer? = unsafe start
        let body: @Sendable () -> Void = unsafe Unmanaged<Box>.fromOpaque(start!).takeRetainedValue().value()
        #if canImport(Darwin)
          // Releases the objects that Objective-C code in the closure autoreleases.
          autoreleasepool(invoking: body)
        #else
          body()
        #endif
        return nil
      }, start)
    unsafe pthread_attr_destroy(&attributes)
    precondition(result == 0, "No thread can be started.")
  }

  /// Lets other threads run.
  package static func yieldThread() { sched_yield() }

  /// Suspends the calling thread forever.
  static func suspendThread() -> Never {
    while true { pause() }
  }

  #if canImport(Darwin)
    /// A Boolean value that indicates whether the calling thread is the main one.
    static var isMainThread: Bool { pthread_main_np() != 0 }

    /// Returns the lowest address of the calling thread's stack, which grows downward, and its size.
    static func stack() -> (lowest: UInt, size: UInt) {
      // Sound: these functions only read what the system knows of the calling thread, which exists.
      let thread = unsafe pthread_self()
      let size = unsafe UInt(pthread_get_stacksize_np(thread))
      return unsafe (UInt(bitPattern: pthread_get_stackaddr_np(thread)) - size, size)
    }
  #else
    /// The C library's extension that fills in the attributes of a running thread; its header hides it from Swift.
    ///
    /// It is linked, because a static executable has no names to look it up by.
    @_silgen_name("pthread_getattr_np")
    private static func getAttributes(_: pthread_t, _: UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// Returns the lowest address of the calling thread's stack, which grows downward, and its size.
    ///
    /// If the system does not provide them, the result is a guess: half of 512 KiB is left.
    static func stack() -> (lowest: UInt, size: UInt) {
      var (attributes, size) = (pthread_attr_t(), 0)
      var address: UnsafeMutableRawPointer?
      if unsafe getAttributes(pthread_self(), &attributes) == 0 {
        defer { unsafe pthread_attr_destroy(&attributes) }
        if unsafe pthread_attr_getstack(&attributes, &address, &size) == 0, let address = unsafe address {
          return (UInt(bitPattern: address), UInt(size))
        }
      }
      let here = unsafe withUnsafePointer(to: &attributes) { UInt(bitPattern: $0) }
      return (here - (256 << 10), 512 << 10)
    }
  #endif

  /// The limit below which a stack is nearly used up: the address, and the number of bytes below it.
  ///
  /// The reserve is a quarter of a stack of 512 KiB, which is the smallest that most systems give to a thread. Reporting the
  /// failure takes 30 KiB, so for a smaller stack the reserve is a larger part.
  typealias StackLimit = (address: UInt, reserve: UInt)

  /// Returns the limit of the calling thread's stack.
  ///
  /// It takes microseconds, so keep the result.
  static func stackLimit() -> StackLimit {
    let (lowest, size) = stack()
    let reserve = min(128 << 10, max(size / 2, min(48 << 10, size / 4 * 3)))
    return (lowest + reserve, reserve)
  }

  /// Returns a Boolean value that indicates whether the calling function's stack frame is in the reserve below a limit.
  static func isStackBelow(_ limit: StackLimit) -> Bool {
    // Memory whose size the compiler does not know is on the stack. With the address sanitizer, a variable is not.
    let size = Int(truncatingIfNeeded: limit.address & 1) + 1
    let address = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
      UInt(bitPattern: memory.baseAddress!)
    }
    return address < limit.address && address >= limit.address - limit.reserve
  }
}
