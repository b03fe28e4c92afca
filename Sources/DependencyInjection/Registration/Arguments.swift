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
  init(_ type: Any.Type, at pointer: UnsafeRawPointer) {
    self.type = type
    unsafe self.pointer = pointer
  }

  /// No arguments.
  // Sound: nothing is read to get a value of no size.
  @inlinable
  static var none: Arguments { unsafe Arguments(Void.self, at: UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped) }

  /// Borrows what is in a box, which must be kept as long as this is used.
  init(_ box: Box) { unsafe self.init(box.type, at: box.storage) }

  /// The value, which must have been borrowed as a `Value`.
  @inlinable
  func value<Value>(as _: Value.Type = Value.self) -> Value {
    // Sound: whoever has the type has compared or opened it.
    unsafe pointer.assumingMemoryBound(to: Value.self).pointee
  }

  /// A copy of the arguments; nil if there are none.
  var boxed: Box? {
    func open<Passed>(_: Passed.Type) -> Box? { Box(value(as: Passed.self)) }
    return type == Void.self ? nil : _openExistential(type, do: open)
  }

  /// The arguments as values of other types, or nil if they are none.
  func converted(to expected: Any.Type) -> Box? {
    func open<Passed>(_: Passed.Type) -> Box? { Box(value(as: Passed.self)).cast(to: expected) }
    return _openExistential(type, do: open)
  }
}

/// The arguments that a registration takes which answers whatever a resolve passes.
enum AnyArguments {}
