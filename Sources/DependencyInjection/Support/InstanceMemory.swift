/// Memory for an instance, which its factory initializes.
@safe
@usableFromInline
struct InstanceMemory {
  @usableFromInline
  let pointer: UnsafeMutableRawPointer

  /// - Parameter pointer: Memory for an instance of the type that the registration names, which is not initialized.
  @unsafe
  @inlinable
  @inline(__always)
  init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

  /// Returns the value that a closure initializes memory for it with, which has six words at least.
  @inlinable
  @inline(__always)
  static func value<Value, Failure: Error>(
    _ initialize: (InstanceMemory) throws(Failure) -> Void
  ) throws(Failure) -> Value {
    if MemoryLayout<Value>.size <= MemoryLayout<Words>.size,
      MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment
    {
      var words: Words = (.zero, .zero, .zero)
      return try unsafe _withUnprotectedUnsafeMutablePointer(to: &words) { words throws(Failure) in
        let pointer = UnsafeMutableRawPointer(words)
        try initialize(unsafe InstanceMemory(pointer))
        // Sound: the closure has initialized it.
        return unsafe pointer.assumingMemoryBound(to: Value.self).move()
      }
    }
    // Two, because one of a large alignment may have less than six words.
    return try unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 2) { buffer throws(Failure) in
      let pointer = unsafe buffer.baseAddress.unsafelyUnwrapped
      try initialize(unsafe InstanceMemory(pointer))
      return unsafe pointer.move()
    }
  }

  /// Six words on the stack.
  @usableFromInline
  typealias Words = (SIMD2<UInt>, SIMD2<UInt>, SIMD2<UInt>)

  /// Initializes the memory with what a closure returns.
  @inlinable
  @inline(__always)
  func initialize<Value, Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) {
    // Sound: whoever calls a factory provides memory for an instance of the registration's type.
    unsafe pointer.assumingMemoryBound(to: Value.self).initialize(to: try make())
  }
}
