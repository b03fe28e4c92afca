/// Everything about a registration but its lifetime, which the registration type adds.
///
/// It is public only because a public protocol requires it.
@_documentation(visibility: internal)
public struct DefinitionDraft: Sendable {
  let type: Any.Type
  let factory: Factory
  let isolation: (any Actor)?
  let arguments: Any.Type
  let aliases: [Alias]
  var label: Label
  let location: CodeLocation

  @usableFromInline
  init(
    type: Any.Type, factory: Factory, isolation: (any Actor)? = nil, arguments: Any.Type = Void.self, aliases: [Alias],
    label: Label, location: CodeLocation
  ) {
    self.type = type
    self.factory = factory
    self.isolation = isolation
    self.arguments = arguments
    self.aliases = aliases
    self.label = label
    self.location = location
  }

  /// Creates the draft of a registration that is found under several types.
  @inlinable
  init<each Other>(
    _ type: Any.Type, _ factory: Factory, _ isolation: (any Actor)? = nil, arguments: Any.Type = Void.self,
    as aliases: repeat (each Other).Type, named name: DependencyName? = nil, _ file: StaticString, _ line: UInt
  ) {
    var list: [Alias] = []
    for alias in repeat each aliases { list.append(Alias(alias)) }
    self.init(
      type: type, factory: factory, isolation: isolation, arguments: arguments, aliases: list, label: Label(name),
      location: CodeLocation(file: file, line: line))
  }

  /// Returns the same draft with another label.
  func labeled(_ label: Label) -> DefinitionDraft {
    var draft = self
    draft.label = label
    return draft
  }
}

/// Another type under which an instance is found, with the conversion to that type.
@usableFromInline
struct Alias: @unchecked Sendable {
  // Unchecked: `convert` was sent here, and its documentation requires that it has no shared mutable state.

  /// The type of the alias.
  let type: Any.Type

  /// Converts a box of the instance to a box of the alias; nil for a dynamic cast.
  let convert: ((Box) -> Box)?

  /// Creates an alias to which instances are cast.
  @usableFromInline
  init(_ type: Any.Type) {
    self.type = type
    convert = nil
  }

  /// Creates an alias to which a closure converts.
  init<Value, Other>(_ convert: @escaping (Value) -> Other) {
    type = Other.self
    self.convert = { Box(convert($0.value())) }
  }

  /// Returns a box of the instance as the alias, or nil if the instance does not conform to it.
  func view(of box: Box) -> Box? { convert?(box) ?? box.cast(to: type) }
}
