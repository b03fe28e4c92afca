/// One request to a container for a dependency.
struct Request: @unchecked Sendable {
  // Unchecked: where a task may outlive the caller's wait, the arguments are in a box, and they never change there.

  /// The requested type.
  private let requestedType: Any.Type

  /// The name, or the `Dependency`, that distinguishes the key from others of the same type.
  let label: Label

  /// The location of the request.
  let location: CodeLocation

  /// The arguments, which the caller or `box` keeps alive.
  private(set) var arguments: Arguments

  private var box: Box?

  /// The decorator that requests the instance to wrap; nil for every other request.
  ///
  /// The answer is what the decorator wraps: neither the decorator's own answer nor that of a later one.
  let decorator: Decorator?

  /// The time of the request, if resolutions are observed.
  let start = ResolutionObservation.isOn ? now : nil

  /// The time since the first observed request.
  ///
  /// It is in a function of its own, because the size of an instant is not known to the compiler.
  static var now: Duration {
    @inline(never) get { epoch.duration(to: .now) }
  }

  private static let epoch = ContinuousClock.now

  init(
    _ type: Any.Type, _ label: Label, _ location: CodeLocation, _ arguments: Arguments = .none,
    for decorator: Decorator? = nil
  ) {
    requestedType = type
    self.label = label
    self.location = location
    self.arguments = arguments
    self.decorator = decorator
  }

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

  /// Returns the request with arguments of the types that a factory takes.
  ///
  /// - Parameters:
  ///   - definition: The registration of the factory.
  ///   - container: The container that resolves the request.
  /// - Returns: The request.
  /// - Throws: The error for arguments of other types.
  func converted(for definition: Definition, in container: DIContainer) throws(ResolutionError) -> Request {
    if definition.arguments == arguments.type || definition.ignoresArguments { return self }
    guard definition.takesArguments, let box = arguments.converted(to: definition.arguments) else {
      let replaced = container.replaced(by: definition.root, at: key)
      throw wrongArguments(
        definition, notes: replaced.map { ["it has replaced the registration at \($0)"] } ?? [])
    }
    return passing(box)
  }
}
