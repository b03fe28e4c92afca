/// The address of memory that several threads share, and that outlives all users of the address.
///
/// Unlike a variable, the memory never moves, so any thread may use atomics in it.
@safe
struct StablePointer<Pointee: ~Copyable>: @unchecked Sendable {
  // Unchecked: the memory holds atomics and constants, or a lock guards it.
  let pointer: UnsafeMutablePointer<Pointee>

  @inline(__always)
  init(_ pointer: UnsafeMutablePointer<Pointee>) { unsafe self.pointer = pointer }

  /// Creates a pointer to the memory at an address that ``address`` has returned.
  @inline(__always)
  init(address: UInt) { unsafe pointer = UnsafeMutablePointer(bitPattern: address).unsafelyUnwrapped }

  @inline(__always)
  var address: UInt { unsafe UInt(bitPattern: pointer) }

  // Sound: the memory is initialized, and it exists as long as any code has its address. Addressors, because a coroutine
  // costs more than what is read.
  var pointee: Pointee {
    @_transparent unsafeAddress { unsafe UnsafePointer(pointer) }
    @_transparent nonmutating unsafeMutableAddress { unsafe pointer }
  }
}
