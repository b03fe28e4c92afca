/// One request to a container for a dependency.
struct Request: @unchecked Sendable {
  // Unchecked: where a task may outlive the caller's wait, the arguments are in a box, and they never change there.

  /// The requested type.
  let requestedType: Any.Type
  /// The name, or the `Dependency`, that distinguishes the key from others of the same type.
  let label: Label
  /// The location of the request.
  let location: CodeLocation
  /// The container that is asked.
  private(set) var registry: Registry
  /// The creation for which the caller works.
  private(set) var creation: Creation?
  /// A Boolean value that indicates whether a decorator makes the request, which is on the path with the same name.
  private(set) var isOfDecorator = false
  /// The arguments, which the caller or `box` keeps alive.
  private(set) var arguments: Arguments
  private var box: Box?
  /// The time of the request, if it is observed.
  let start: Duration?

  init(
    _ type: Any.Type, _ label: Label, _ location: CodeLocation, _ arguments: Arguments = .none, from resolver: Resolver
  ) {
    (requestedType, self.label, self.location, self.arguments) = (type, label, location, arguments)
    (registry, creation) = (resolver.registry, resolver.currentCreation)
    start = resolver.registry.isObserved ? Self.now : nil
  }

  /// The time since the first observed request.
  ///
  /// It is in a function of its own, because the size of an instant is not known to the compiler.
  static var now: Duration {
    @inline(never) get { epoch.duration(to: .now) }
  }

  private static let epoch = ContinuousClock.now

  /// The requested optional type, if the result is nil where nothing is registered.
  var optional: (any AnyOptional.Type)? { label.declaration == nil ? asOptional(requestedType) : nil }

  /// The type of the key.
  var type: Any.Type { optional?.wrappedType ?? requestedType }

  /// The key of the registration that answers.
  var key: Key { Key(type, label) }

  /// The type of the key, if it is itself an optional: a registration of an `A?` answers only a request for an `A??`.
  var registeredOptional: (any AnyOptional.Type)? { label.declaration == nil ? asOptional(type) : nil }

  /// The name of the type in a path.
  var name: String { displayName(type, label.name) }

  /// Returns the request with other arguments, which it keeps alive.
  func passing(_ box: Box) -> Request {
    var request = self
    request.box = box
    request.arguments = Arguments(box)
    return request
  }

  /// Returns the request of a decorator for what it wraps.
  func asked(byDecoratorWith resolver: Resolver) -> Request {
    var request = self
    request.isOfDecorator = true
    (request.registry, request.creation) = (resolver.registry, resolver.creation)
    return request
  }

  /// Returns the request with arguments of the types that a factory takes.
  ///
  /// - Parameter definition: The registration of the factory.
  /// - Returns: The request.
  /// - Throws: The error for arguments of other types.
  func converted(for definition: Definition) throws(ResolutionError) -> Request {
    if definition.arguments == arguments.type || definition.ignoresArguments { return self }
    guard definition.takesArguments, let box = arguments.converted(to: definition.arguments) else {
      throw wrongArguments(definition)
    }
    return passing(box)
  }

  /// Returns the registration that answers, if there is one.
  var answer: Answer? {
    if registry.root === Registry.shared { AppRegistration.ensure() }
    return registry.answer(to: key, label)
  }
}
