/// What a resolve asks for.
struct Request: @unchecked Sendable {
  // Unchecked: arguments are in a box where a task may outlive the caller's wait, and there they never change.

  /// The type that was asked for.
  private let asked: Any.Type

  /// What tells the key from others of the same type.
  let label: Label

  /// Where it was asked.
  let location: SourceLocation

  /// The arguments, which the caller keeps alive, or else `box`.
  private(set) var arguments: Arguments?

  private var box: Box?

  /// When it was asked, if anybody wants to know.
  let start = ResolutionObservation.isOn ? ContinuousClock.now : nil

  init(_ type: Any.Type, _ label: Label, _ location: SourceLocation, _ arguments: Arguments? = nil) {
    asked = type
    self.label = label
    self.location = location
    self.arguments = arguments
  }

  /// The optional that was asked for, if it is one that is nil where nothing is registered.
  var optional: (any AnyOptional.Type)? { label.declaration == nil ? asOptional(asked) : nil }

  /// The type of the key.
  var type: Any.Type { optional?.wrappedType ?? asked }

  /// The optional that the key is the type of: it leads to what is registered as an optional, which answers no resolve but
  /// that of an optional of it.
  var registeredOptional: (any AnyOptional.Type)? { label.declaration == nil ? asOptional(type) : nil }

  /// What it says in a path.
  var name: String { displayName(type, label.name) }

  /// The same with other arguments, which it keeps.
  func passing(_ box: Box) -> Request {
    var request = self
    request.box = box
    request.arguments = Arguments(box)
    return request
  }

  /// The same with arguments of the types that a factory takes.
  func converted(for definition: Definition) throws(ResolutionError) -> Request {
    if definition.arguments == arguments?.type { return self }
    guard let expected = definition.arguments, let box = arguments?.converted(to: expected) else {
      throw wrongArguments(definition)
    }
    return passing(box)
  }
}
