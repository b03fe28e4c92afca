/// Memory for an instance, which its factory initializes, or a table.
///
/// It has room for six words, and for the instance if that is larger: a table stores six words whatever the type is.
@safe
@usableFromInline
struct InstanceMemory {
  @usableFromInline
  let pointer: UnsafeMutableRawPointer

  /// - Parameter pointer: Memory for six words and for an instance, which is not initialized.
  @unsafe
  @inlinable
  @inline(__always)
  init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

  /// Initializes the memory with the result of a closure.
  @inlinable
  @inline(__always)
  func initialize<Value, Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) {
    // Sound: every caller of a factory provides memory for an instance of the registration's type.
    unsafe pointer.assumingMemoryBound(to: Value.self).initialize(to: try make())
  }

  /// Six words, aligned so that they can be stored in pairs.
  @usableFromInline
  typealias Words = (SIMD2<UInt>, SIMD2<UInt>, SIMD2<UInt>)

  /// Returns the value with which a closure initializes memory on the stack of the caller.
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
        // Sound: the closure has initialized the memory.
        return unsafe pointer.bindMemory(to: Value.self, capacity: 1).move()
      }
    }
    return try unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer throws(Failure) in
      let pointer = unsafe buffer.baseAddress.unsafelyUnwrapped
      try initialize(unsafe InstanceMemory(pointer))
      return unsafe pointer.move()
    }
  }

  /// Returns the value with which a closure initializes memory, or nil if it returns false and initializes nothing.
  @inlinable
  static func optionalValue<Value>(_ initialize: (InstanceMemory) -> Bool) -> Value? {
    unsafe withUnsafeTemporaryAllocation(
      byteCount: max(MemoryLayout<Words>.size, MemoryLayout<Value>.size),
      alignment: max(MemoryLayout<Words>.alignment, MemoryLayout<Value>.alignment)
    ) { buffer in
      let pointer = unsafe buffer.baseAddress.unsafelyUnwrapped
      guard initialize(unsafe InstanceMemory(pointer)) else { return nil }
      // Sound: the closure has initialized the memory.
      return unsafe pointer.bindMemory(to: Value.self, capacity: 1).move()
    }
  }
}
