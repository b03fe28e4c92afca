/// A description of one registration, as ``DIContainer/registrations`` lists it.
public struct RegistrationInfo: Sendable {
  /// The type of the factory's result.
  public let type: Any.Type

  /// The aliases under which the container finds the instance.
  public let aliases: [Any.Type]

  /// The name that the instance is registered with, if any.
  public let name: DependencyName?

  /// The type of the argument, or of the tuple of arguments, that a resolution has to pass; nil if it takes none.
  public let arguments: Any.Type?

  /// The lifetime of an instance.
  public let lifetime: Lifetime

  /// The location of the registration.
  public let location: CodeLocation

  /// The locations of the decorators that wrap an instance, the innermost first for each type.
  public let decorators: [CodeLocation]

  init(_ definition: Definition, as types: [Any.Type] = [], decoratedAt decorators: [CodeLocation] = []) {
    type = definition.type
    aliases = definition.aliases.map(\.type).filter { alias in types.contains { $0 == alias } }
    name = definition.label.name
    arguments = definition.takesArguments ? definition.arguments : nil
    lifetime = definition.lifetime
    location = definition.location
    self.decorators = decorators
  }
}

extension RegistrationInfo: CustomStringConvertible {
  /// One line: `Shared RouterImpl as Router, DeeplinkHandler (name) at App/Dependencies.swift:31`, with arguments
  /// `New Page(String, Int) at …`, and then the decorators.
  ///
  /// The name of a type includes the types around it.
  public var description: String {
    var text = "\(summary) at \(location)"
    if !decorators.isEmpty { text += ", decorated at " + decorators.map(\.description).joined(separator: ", ") }
    return text
  }

  /// The description without locations.
  var summary: String {
    var text = "\(lifetime) \(sourceName(type))"
    if let arguments { text += parameterList(arguments) }
    if let aliasList { text += " \(aliasList)" }
    if let name { text += " (\(name))" }
    return text
  }

  /// The aliases, `as Router, DeeplinkHandler`; nil if there are none.
  var aliasList: String? { aliases.isEmpty ? nil : "as " + aliases.map { sourceName($0) }.joined(separator: ", ") }
}

extension DIContainer {
  /// The registrations that this container can resolve, in the order of registration, those of its ancestors first.
  ///
  /// A registration that replaces another one takes its position, even in a child. A registration that has been replaced
  /// for all of its types is not listed. A ``Dependency`` is listed once it has been resolved or overridden. The cost
  /// is O(*n*), where *n* is the number of registrations.
  public var registrations: [RegistrationInfo] { registry.visibleDefinitions.map(\.info) }

  /// A Boolean value that indicates whether registering a type twice with the same name, or twice without one, traps.
  ///
  /// The message contains both locations. The value is false at first, even in a copy of a container where it is true.
  /// Set it to true before an app registers what its modules contribute, so that no module silently replaces a
  /// registration of another module. An override is not a duplicate, whether it is in a child, in a test, or of a
  /// ``Dependency``. A registration after an override in the same container is a duplicate.
  public var rejectsDuplicates: Bool {
    get { registry.withLock { $0.rejectsDuplicates } }
    set { registry.withLock { $0.rejectsDuplicates = newValue } }
  }
}
