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

  /// Calls `body` with each key under which the instance is found, and the index of its alias, or -1 for its own type.
  @inline(__always)
  func forEachKey(_ body: (Key, Int) -> Void) {
    if aliases.isEmpty { return body(Key(type), -1) }
    for index in aliases.indices { body(Key(aliases[index].type), index) }
  }

  /// Whether one of the keys under which the instance is found is like this.
  func hasKey(where predicate: (Key) -> Bool) -> Bool {
    aliases.isEmpty ? predicate(Key(type)) : aliases.contains { predicate(Key($0.type)) }
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
  // Unchecked: `convert` was sent here; its documentation asks that it has no mutable state.

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

  /// Traps if an expression is a function: its instance would be the function, not what it returns.
  ///
  /// A function that does not fit the factories, because it is not `Sendable` or has parameters that nothing provides,
  /// is an expression to the compiler. To register a function as a dependency, return it from a closure.
  @usableFromInline
  static func rejectFunction(_ type: Any.Type, _ file: StaticString, _ line: UInt) {
    // Sound: every type's metadata starts with its kind, which is part of Swift's stable ABI.
    let function: UInt = 0x302
    guard unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == function else { return }
    fatalError(
      """
      '\(type)' is a function, and its result would never be created.
        note       pass a closure: `{ resolve in … }`; it must be `@Sendable`, or isolated to an actor
        note       to register the function itself, return it from a closure
      """, file: file, line: line)
  }
}
