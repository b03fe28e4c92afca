/// The arguments of a resolution: a value of any type, borrowed from the caller for the duration of the resolution.
@safe
@usableFromInline
struct Arguments {
  /// The type of the argument, or of the tuple of arguments.
  @usableFromInline
  let type: Any.Type

  @usableFromInline
  let pointer: UnsafeRawPointer

  /// Borrows a value.
  ///
  /// The pointer must stay valid as long as the arguments are used.
  @unsafe
  @inlinable
  init(_ type: Any.Type, at pointer: UnsafeRawPointer) {
    self.type = type
    unsafe self.pointer = pointer
  }

  /// The empty arguments.
  // Sound: reading a value without a size reads no memory.
  @inlinable
  static var none: Arguments { unsafe Arguments(Void.self, at: UnsafeRawPointer(bitPattern: 16).unsafelyUnwrapped) }

  /// Borrows the value in a box, which must be kept as long as the arguments are used.
  init(_ box: Box) { unsafe self.init(box.type, at: box.memory.pointer) }

  /// Returns the value, which must have been borrowed as a `Value`.
  @inlinable
  func value<Value>(as _: Value.Type = Value.self) -> Value {
    // Sound: every caller has compared the type, or opened it.
    unsafe pointer.assumingMemoryBound(to: Value.self).pointee
  }

  /// A copy of the arguments; nil if there are none.
  var boxed: Box? { type == Void.self ? nil : box }

  /// Returns the arguments as values of other types, or nil if they are not of these types.
  func converted(to expected: Any.Type) -> Box? { box.cast(to: expected) }

  private var box: Box {
    func open<Passed>(_: Passed.Type) -> Box { Box(value(as: Passed.self)) }
    return _openExistential(type, do: open)
  }
}

/// The arguments of a registration that accepts any arguments.
enum AnyArguments {}

/// Returns the types of a tuple of arguments, or the type of one argument, as a list in parentheses.
func parameterList(_ type: Any.Type, beside other: Any.Type? = nil) -> String {
  let text = String(describing: type)
  if text.hasPrefix("(") { return text }
  guard let other, other != type, String(describing: other) == text else { return "(\(text))" }
  return "(\(displayName(type, beside: [other])))"
}
