/// How an instance is created: a closure of one shape, whatever the type of the instance.
///
/// All forms that a registration can be written in end here. The closure writes the instance into memory that the caller
/// provides, so neither it nor what calls it is generic: generic code that the optimiser cannot specialise is slow, and
/// a generic class would cost its metadata for every registered type.
@safe
struct Factory: @unchecked Sendable {
  // Unchecked: the closure is `Sendable`, or isolated to the actor that `isolation` names.

  /// The actor the closure has to run on, if any.
  let isolation: (any Actor)?

  /// The tuple of the arguments that a resolve has to pass, or nil if it takes none.
  let arguments: Any.Type?

  /// Creates an instance in uninitialized memory for one, or throws and leaves it uninitialized.
  let create: (Resolver, Arguments?, UnsafeMutableRawPointer) throws -> Void

  /// Whether it can be called as it is: on any thread, and without arguments.
  let isPlain: Bool

  /// Keeps a closure that is `Sendable` or isolated to `isolation`.
  @inline(__always)
  init<Value>(
    isolation: (any Actor)?, arguments: Any.Type? = nil, _ make: @escaping (Resolver, Arguments?) throws -> Value
  ) {
    self.isolation = isolation
    self.arguments = arguments
    isPlain = isolation == nil && arguments == nil
    // Inlined into its callers, so that their closures and this one become one.
    unsafe create = { resolver, arguments, memory in
      unsafe memory.assumingMemoryBound(to: Value.self).initialize(to: try make(resolver, arguments))
    }
  }
}
