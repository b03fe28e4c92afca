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

  /// Allocates memory on cache lines of its own: two, because the hardware fetches lines in pairs.
  init(allocating value: consuming Pointee) {
    precondition(MemoryLayout<Pointee>.size <= 128)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
    unsafe pointer = memory.bindMemory(to: Pointee.self, capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  /// Deinitializes and frees the memory, which must not be used any more.
  func deallocate() {
    unsafe pointer.deinitialize(count: 1)
    unsafe UnsafeMutableRawPointer(pointer).deallocate()
  }

  @inline(__always)
  var address: UInt { unsafe UInt(bitPattern: pointer) }

  var pointee: Pointee {
    // Sound: the memory is initialized, and it exists as long as any code has its address.
    @inline(__always)
    _read { yield unsafe pointer.pointee }
  }
}
