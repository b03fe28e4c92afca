/// The closure that creates the instances of a registration, in a form that is the same for all registrations.
@usableFromInline
struct Factory: @unchecked Sendable {
  // Unchecked: the closures are `Sendable`, or isolated to the actor that the definition names.

  /// Initializes memory with an instance.
  ///
  /// The arguments have the types that the definition names.
  @usableFromInline
  typealias Create = (Resolver, Arguments, InstanceMemory) throws -> Void

  /// Creates an instance asynchronously.
  typealias CreateAsync = @concurrent @Sendable (Resolver, Arguments) async throws -> Box

  let create: Create

  /// The closure, if it is asynchronous.
  let createAsync: CreateAsync?

  @usableFromInline
  init(_ create: @escaping Create) {
    self.create = create
    createAsync = nil
  }

  /// Creates a factory from an asynchronous closure.
  init(async create: @escaping CreateAsync) {
    self.create = { _, _, _ in preconditionFailure("The factory is asynchronous.") }
    createAsync = create
  }
}
