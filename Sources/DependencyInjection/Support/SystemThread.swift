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

  /// What tells the calling thread from all others that exist.
  static var number: UInt {
    #if canImport(Glibc)
      pthread_self()
    #else
      unsafe UInt(bitPattern: pthread_self())
    #endif
  }

  /// Puts the calling thread to sleep for good.
  static func sleep() -> Never {
    while true { pause() }
  }

  /// Where a stack is nearly used.
  struct StackLimit {
    /// The address below which there is too little left to go on.
    let address: UInt

    /// How many bytes that is.
    ///
    /// A quarter of a stack of 512 KiB, which is the smallest that most systems give to a thread. To say what is wrong takes 30 KiB, so of a smaller stack it is a larger part.
    let reserve: UInt
  }

  /// Returns where the stack of the calling thread is nearly used.
  ///
  /// Takes microseconds, so keep the answer.
  static func stackLimit() -> StackLimit {
    let (lowest, size) = stack()
    let reserve = min(128 << 10, max(size / 2, min(48 << 10, size / 4 * 3)))
    return StackLimit(address: lowest + reserve, reserve: reserve)
  }

  /// Returns whether the calling function's stack frame is in the reserve below a limit.
  static func isStackBelow(_ limit: StackLimit) -> Bool {
    // Memory whose size the compiler does not know is on the stack; a variable is not, with the address sanitizer.
    let size = Int(truncatingIfNeeded: limit.address & 1) + 1
    let address = unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 1) { memory in
      UInt(bitPattern: memory.baseAddress!)
    }
    return address < limit.address && address >= limit.address - limit.reserve
  }

  #if canImport(Darwin)
    /// Returns the lowest address of the calling thread's stack, which grows downwards, and its size.
    private static func stack() -> (lowest: UInt, size: UInt) {
      // Sound: these functions only read what the system knows of the calling thread, which exists.
      let thread = unsafe pthread_self()
      let size = unsafe UInt(pthread_get_stacksize_np(thread))
      return unsafe (UInt(bitPattern: pthread_get_stackaddr_np(thread)) - size, size)
    }
  #else
    private typealias GetAttributes = @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

    /// The C library's extension that fills in the attributes of a running thread; its header hides it from Swift.
    private static let getAttributes: GetAttributes? = {
      // Sound: this is the function's type in glibc and in musl.
      unsafe CLibrary.function("pthread_getattr_np", as: GetAttributes.self)
    }()

    /// Returns the lowest address of the calling thread's stack, which grows downwards, and its size.
    ///
    /// If the system does not tell, that is a guess: the half of 512 KiB is left.
    private static func stack() -> (lowest: UInt, size: UInt) {
      var (attributes, size) = (pthread_attr_t(), 0)
      var address: UnsafeMutableRawPointer?
      if let getAttributes = unsafe getAttributes, unsafe getAttributes(pthread_self(), &attributes) == 0 {
        defer { unsafe pthread_attr_destroy(&attributes) }
        if unsafe pthread_attr_getstack(&attributes, &address, &size) == 0, let address = unsafe address {
          return (UInt(bitPattern: address), UInt(size))
        }
      }
      let here = unsafe withUnsafePointer(to: &attributes) { UInt(bitPattern: $0) }
      return (here - (256 << 10), 512 << 10)
    }
  #endif
}
