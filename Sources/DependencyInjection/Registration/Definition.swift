/// What one registration declares: what it creates, how, for how long, and under which types it is found.
@usableFromInline
package final class Definition: @unchecked Sendable {
  // Unchecked: immutable. The factory is `Sendable` or tied to the actor it names.

  /// The type of what the factory returns.
  package let type: Any.Type

  /// How long an instance lives.
  package let lifetime: Lifetime

  /// Where the registration is written.
  package let location: SourceLocation

  @usableFromInline
  let factory: Factory

  /// The types the instance is found under; empty if it is its own type.
  let aliases: [Alias]

  init(type: Any.Type, lifetime: Lifetime, factory: Factory, aliases: [Alias], location: SourceLocation) {
    self.type = type
    self.lifetime = lifetime
    self.factory = factory
    self.aliases = aliases
    self.location = location
  }

  /// The types under which the instance is found.
  package var types: [Any.Type] {
    aliases.isEmpty ? [type] : aliases.map(\.type)
  }

  /// Traps if an alias is a class that no instance can be an instance of; the rest shows when one is resolved.
  func checkAliases() {
    for alias in aliases where alias.convert == nil {
      guard type is AnyObject.Type, alias.type is AnyObject.Type else { continue }
      if !isClass(type, alias.type) && !isClass(alias.type, type) {
        fatalError(
          "'\(displayName(type))' is registered as '\(displayName(alias.type))', but is neither that class nor a subclass.",
          file: location.file, line: location.line)
      }
    }
  }
}

/// Whether a class is another one or inherits from it.
private func isClass(_ type: Any.Type, _ base: Any.Type) -> Bool {
  func inherits<Base>(from _: Base.Type) -> Bool { type is Base.Type }
  return _openExistential(base, do: inherits)
}

/// Another type under which an instance is found, and how the instance becomes one.
@usableFromInline
struct Alias: @unchecked Sendable {
  // Unchecked: `convert` is Sendable wherever it comes from outside.

  /// The type that is asked for.
  let type: Any.Type

  /// Turns a box of the instance into a box of the alias, or nil for a dynamic cast.
  let convert: ((Box) -> Box)?
}

/// Everything about a registration but its lifetime, which the registration type adds.
public struct DefinitionDraft: Sendable {
  let type: Any.Type
  let factory: Factory
  let aliases: [Alias]
  let location: SourceLocation

  @usableFromInline
  init(type: Any.Type, factory: Factory, aliases: [Alias], location: SourceLocation) {
    self.type = type
    self.factory = factory
    self.aliases = aliases
    self.location = location
  }

  func definition(lifetime: Lifetime) -> Definition {
    Definition(type: type, lifetime: lifetime, factory: factory, aliases: aliases, location: location)
  }
}
