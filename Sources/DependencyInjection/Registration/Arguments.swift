/// The arguments of a resolve: a value of any type, borrowed from the caller for the duration of the resolve.
@safe
@usableFromInline
struct Arguments {
  /// The type of the argument, or of the tuple of them.
  @usableFromInline
  let type: Any.Type

  @usableFromInline
  let pointer: UnsafeRawPointer

  /// Borrows a value; the pointer must stay valid as long as this is used.
  @unsafe
  @inlinable
  init<Value>(_ pointer: UnsafePointer<Value>) {
    type = Value.self
    unsafe self.pointer = UnsafeRawPointer(pointer)
  }

  /// The value, which must have been borrowed as a `Value`.
  @inlinable
  func value<Value>(as _: Value.Type) -> Value {
    // Sound: callers compare or open `type`.
    unsafe pointer.assumingMemoryBound(to: Value.self).pointee
  }
}
