/// How an instance is created: a closure of any type, without a generic type to hold it.
///
/// All forms that a registration can be written in end as one shape, `(Resolver, arguments) throws -> Value`. It is
/// kept as the two words of a closure, because a generic class would cost its metadata for every registered type.
struct Factory: @unchecked Sendable {
  /// The one shape.
  ///
  /// Wrapped in a struct so that the closure has the same representation wherever it is cast.
  struct Body<Value> {
    let call: (Resolver, Arguments?) throws -> Value
  }

  /// The closure's code.
  private let code: UInt

  /// What the closure captured.
  private let context: AnyObject?

  /// The actor the closure has to run on, if any.
  let isolation: (any Actor)?

  /// The tuple of the arguments that a resolve has to pass, or nil if it takes none.
  let arguments: Any.Type?

  /// Keeps a closure that is `Sendable` or isolated to `isolation`.
  init<Value>(
    isolation: (any Actor)?, arguments: Any.Type? = nil, _ call: @escaping (Resolver, Arguments?) throws -> Value
  ) {
    // Sound: a struct with one closure is the closure's two words, code and a native reference that may be null.
    let words = unsafe unsafeBitCast(Body(call: call), to: (UInt, AnyObject?).self)
    code = words.0
    context = words.1
    self.isolation = isolation
    self.arguments = arguments
  }

  /// Creates an instance of `Value`, which must be the type that the factory was created with.
  @inline(__always)
  func callAsFunction<Value>(_ resolver: Resolver, _ arguments: Arguments?) throws -> Value {
    let words = (code, context.map { unsafe UInt(bitPattern: Unmanaged.passUnretained($0).toOpaque()) } ?? 0)
    return unsafe try withUnsafePointer(to: words) {
      // Sound: these are the words of a `Body<Value>`, borrowed from `self`.
      unsafe try UnsafeRawPointer($0).assumingMemoryBound(to: Body<Value>.self).pointee.call(resolver, arguments)
    }
  }
}

/// The arguments of a resolve: a value of any type, borrowed from the caller for the duration of the resolve.
@safe
struct Arguments {
  /// The type of the argument, or of the tuple of them.
  let type: Any.Type

  private let pointer: UnsafeRawPointer

  /// Borrows a value; the pointer must stay valid as long as this is used.
  @unsafe
  init<Value>(_ pointer: UnsafePointer<Value>) {
    type = Value.self
    unsafe self.pointer = UnsafeRawPointer(pointer)
  }

  /// The value, which must have been borrowed as a `Value`.
  func value<Value>(as _: Value.Type) -> Value {
    // Sound: callers compare or open `type`.
    unsafe pointer.assumingMemoryBound(to: Value.self).pointee
  }
}
