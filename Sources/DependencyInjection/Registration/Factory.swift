/// How an instance is created: a closure of one shape, whatever the type of the instance.
///
/// All forms that a registration can be written in end here. The closure writes the instance into memory that the caller
/// provides, so neither it nor what calls it is generic: generic code that the optimiser cannot specialise is slow, and
/// a generic class would cost its metadata for every registered type.
@safe
@usableFromInline
struct Factory: @unchecked Sendable {
  // Unchecked: the closure is `Sendable`, or isolated to the actor that `isolation` names.

  /// The actor the closure has to run on, if any.
  let isolation: (any Actor)?

  /// The tuple of the arguments that a resolve has to pass, or nil if it takes none.
  let arguments: Any.Type?

  /// Creates an instance in uninitialized memory for one, or throws and leaves it uninitialized.
  @usableFromInline
  let create: (Resolver, Arguments?, UnsafeMutableRawPointer) throws -> Void

  /// Whether it can be called as it is: on any thread, and without arguments.
  @usableFromInline
  let isPlain: Bool

  /// Keeps a closure that is `Sendable` or isolated to `isolation`.
  @usableFromInline
  init(
    isolation: (any Actor)?, arguments: Any.Type?,
    create: @escaping (Resolver, Arguments?, UnsafeMutableRawPointer) throws -> Void
  ) {
    self.isolation = isolation
    self.arguments = arguments
    isPlain = isolation == nil && arguments == nil
    unsafe self.create = create
  }

  /// Keeps a closure that returns the instance.
  ///
  /// Inlined, so that the optimiser makes one closure of this and what it was given, for the type at hand.
  @inlinable
  @inline(__always)
  init<Value>(
    isolation: (any Actor)?, arguments: Any.Type? = nil, _ make: @escaping (Resolver, Arguments?) throws -> Value
  ) {
    unsafe self.init(isolation: isolation, arguments: arguments) { resolver, arguments, memory in
      unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: try make(resolver, arguments))
    }
  }
}
