#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// What the system's threads can do, and what it knows of the stack of the calling one.
enum SystemThread {
  /// Runs a closure on a new thread.
  static func start(_ body: @escaping @Sendable () -> Void) {
    final class Start {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // As much as a main thread has; only what is used is ever there.
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      // A pointer there.
      var thread: pthread_t?
    #endif
    let start = unsafe Unmanaged.passRetained(Start(body)).toOpaque()
    let result = unsafe pthread_create(
      &thread, &attributes,
      { start in
        let start: UnsafeMutableRawPointer? = unsafe start
        unsafe Unmanaged<Start>.fromOpaque(start!).takeRetainedValue().body()
        return nil
      }, start)
    unsafe pthread_attr_destroy(&attributes)
    precondition(result == 0, "No thread can be started.")
  }

  /// Puts the calling thread to sleep for good.
  static func sleep() -> Never {
    while true { pause() }
  }

  /// Less than this is too little to go on: a quarter of the smallest stacks in use, 512 KiB.
  private static var reserve: UInt { 128 << 10 }

  /// The address below which only the reserve is left of the calling thread's stack, or 0 if the system does not tell.
  ///
  /// Takes microseconds, so keep the answer.
  static func stackLimit() -> UInt {
    lowestAddress().map { $0 + reserve } ?? 0
  }

  /// Whether the calling function's stack frame is in the reserve below a limit.
  static func isStackBelow(_ limit: UInt) -> Bool {
    // Memory whose size the compiler does not know is on the stack; a variable is not, with the address sanitizer.
    let size = Int(truncatingIfNeeded: limit & 1) + 1
    let address = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
      UInt(bitPattern: memory.baseAddress!)
    }
    return address < limit && address >= limit &- reserve
  }

  #if canImport(Darwin)
    /// Where the stack of the calling thread ends; it grows downwards.
    private static func lowestAddress() -> UInt? {
      // Sound: these functions only read what the system knows of the calling thread, which exists.
      let thread = unsafe pthread_self()
      return unsafe UInt(bitPattern: pthread_get_stackaddr_np(thread)) - UInt(pthread_get_stacksize_np(thread))
    }
  #else
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// The C library's extension that fills in the attributes of a running thread; its header hides it from Swift.
    private static let getAttributes: GetAttributes? = {
      // Sound: this is the function's type in glibc and in musl.
      unsafe CLibrary.function("pthread_getattr_np", as: GetAttributes.self)
    }()

    /// Where the stack of the calling thread ends; it grows downwards.
    private static func lowestAddress() -> UInt? {
      var attributes = pthread_attr_t()
      guard let getAttributes = unsafe getAttributes, unsafe getAttributes(pthread_self(), &attributes) == 0 else {
        return nil
      }
      defer { unsafe pthread_attr_destroy(&attributes) }
      var address: UnsafeMutableRawPointer?
      var size = 0
      guard unsafe pthread_attr_getstack(&attributes, &address, &size) == 0 else { return nil }
      return UInt(bitPattern: address)
    }
  #endif
}
