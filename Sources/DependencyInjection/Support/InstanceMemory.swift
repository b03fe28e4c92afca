/// Uninitialized memory for one instance.
@safe
@usableFromInline
struct InstanceMemory {
  @usableFromInline
  let pointer: UnsafeMutableRawPointer

  /// - Parameter pointer: The memory, which must be there as long as this is used.
  @unsafe
  @inlinable
  @inline(__always)
  init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

  /// Stores what a closure returns, unless that throws.
  @inlinable
  @inline(__always)
  func initialize<Value, Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) {
    // Sound: whoever calls a factory provides memory for an instance of the registration's type.
    unsafe pointer.assumingMemoryBound(to: Value.self).initialize(to: try make())
  }
}
