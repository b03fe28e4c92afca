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

  /// Initializes the memory with the result of a closure.
  @inlinable
  @inline(__always)
  func initialize<Value, Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) {
    // Sound: every caller of a factory provides memory for an instance of the registration's type.
    unsafe pointer.assumingMemoryBound(to: Value.self).initialize(to: try make())
  }
}

/// The memory for the result of a resolution, on the stack of the caller.
///
/// It has room for six words, unless the value is larger or needs a larger alignment. A table keeps such a value in a
/// box.
@safe
@usableFromInline
struct ResultMemory {
  /// The memory, for a factory that initializes it.
  @usableFromInline
  let instance: InstanceMemory

  @unsafe
  @inlinable
  @inline(__always)
  init(_ pointer: UnsafeMutableRawPointer) { instance = unsafe InstanceMemory(pointer) }

  /// Six words, aligned so that they can be stored in pairs.
  @usableFromInline
  typealias Words = (SIMD2<UInt>, SIMD2<UInt>, SIMD2<UInt>)

  /// Returns the value with which a closure initializes the memory.
  @inlinable
  @inline(__always)
  static func value<Value, Failure: Error>(
    _ initialize: (ResultMemory) throws(Failure) -> Void
  ) throws(Failure) -> Value {
    if MemoryLayout<Value>.size <= MemoryLayout<Words>.size,
      MemoryLayout<Value>.alignment <= MemoryLayout<Words>.alignment
    {
      var words: Words = (.zero, .zero, .zero)
      return try unsafe _withUnprotectedUnsafeMutablePointer(to: &words) { words throws(Failure) in
        let pointer = UnsafeMutableRawPointer(words)
        try initialize(unsafe ResultMemory(pointer))
        // Sound: the closure has initialized the memory.
        return unsafe pointer.bindMemory(to: Value.self, capacity: 1).move()
      }
    }
    return try unsafe withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer throws(Failure) in
      let pointer = unsafe buffer.baseAddress.unsafelyUnwrapped
      try initialize(unsafe ResultMemory(pointer))
      return unsafe pointer.move()
    }
  }

  /// Returns the value with which a closure initializes the memory, or nil if it returns false and initializes nothing.
  @inlinable
  @inline(__always)
  static func optionalValue<Value>(_ initialize: (ResultMemory) -> Bool) -> Value? {
    unsafe withUnsafeTemporaryAllocation(
      byteCount: max(MemoryLayout<Words>.size, MemoryLayout<Value>.size),
      alignment: max(MemoryLayout<Words>.alignment, MemoryLayout<Value>.alignment)
    ) { buffer in
      let pointer = unsafe buffer.baseAddress.unsafelyUnwrapped
      guard initialize(unsafe ResultMemory(pointer)) else { return nil }
      // Sound: the closure has initialized the memory.
      return unsafe pointer.bindMemory(to: Value.self, capacity: 1).move()
    }
  }
}
