#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// The system's threads, and the stack of the calling one.
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
    // As much as a main thread has; memory is allocated only for the used part.
    unsafe pthread_attr_setstacksize(&attributes, 8 << 20)
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      // A thread is a pointer there.
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

  /// The number of the calling thread, which no other existing thread has.
  static var number: UInt {
    #if canImport(Glibc)
      pthread_self()
    #else
      unsafe UInt(bitPattern: pthread_self())
    #endif
  }

  /// Suspends the calling thread forever.
  static func sleep() -> Never {
    while true { pause() }
  }

  /// The limit below which a stack is nearly used.
  struct StackLimit {
    /// The address below which too little of the stack is left to continue.
    let address: UInt

    /// The number of bytes below that address.
    ///
    /// It is a quarter of a stack of 512 KiB, which is the smallest that most systems give to a thread. Reporting the
    /// failure takes 30 KiB, so for a smaller stack the reserve is a larger part.
    let reserve: UInt
  }

  /// Returns the limit of the calling thread's stack.
  ///
  /// It takes microseconds, so keep the result.
  static func stackLimit() -> StackLimit {
    let (lowest, size) = stack()
    let reserve = min(128 << 10, max(size / 2, min(48 << 10, size / 4 * 3)))
    return StackLimit(address: lowest + reserve, reserve: reserve)
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
    /// If the system does not provide them, the result is a guess: half of 512 KiB is left.
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
