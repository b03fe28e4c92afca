/// The arguments of a resolve: a value of any type, borrowed from the caller for the duration of the resolve.
@usableFromInline
struct Arguments {
  /// The type of the argument, or of the tuple of them.
  @usableFromInline
  let type: Any.Type

  /// Where it is.
  @usableFromInline
  let place: Place

  /// Borrows a value; the pointer must stay valid as long as this is used.
  @unsafe
  @inlinable
  init<Value>(_ pointer: UnsafePointer<Value>) {
    type = Value.self
    place = unsafe Place(pointer: UnsafeRawPointer(pointer))
  }

  /// Borrows what is in a box, which must be kept as long as this is used.
  init(_ box: Box) {
    type = box.type
    place = unsafe Place(pointer: UnsafeRawPointer(box.storage))
  }

  /// The same as values of other types, or nil if they are none.
  func converted(to expected: Any.Type) -> Box? {
    func open<Passed>(_: Passed.Type) -> Box? { Box(place.value(as: Passed.self)).cast(to: expected) }
    return _openExistential(type, do: open)
  }

  /// The memory of an argument, for a factory whose arguments are known to be of its type.
  @safe
  @usableFromInline
  struct Place {
    @usableFromInline
    let pointer: UnsafeRawPointer

    @unsafe
    @inlinable
    init(pointer: UnsafeRawPointer) { unsafe self.pointer = pointer }

    /// The value, which must have been borrowed as a `Value`.
    @inlinable
    func value<Value>(as _: Value.Type = Value.self) -> Value {
      // Sound: whoever has the type has compared or opened it.
      unsafe pointer.assumingMemoryBound(to: Value.self).pointee
    }
  }
}
