/// The declaration of one registration: its factory, its lifetime, and the types and the label under which it is found.
@usableFromInline
package final class Definition: @unchecked Sendable {
  // Unchecked: immutable. The closures are `Sendable` or isolated to the actor that `isolation` names.

  /// Everything but the lifetime.
  let draft: DefinitionDraft

  /// The lifetime of an instance.
  package let lifetime: Lifetime

  /// The registration whose instances this one wraps, if a decorator has made this one.
  let inner: Definition?

  @usableFromInline
  init(_ draft: consuming DefinitionDraft, lifetime: Lifetime) {
    self.draft = draft
    self.lifetime = lifetime
    inner = nil
    checkAliases()
  }

  /// Creates the registration that answers a key in the place of another one, whose instances it wraps.
  ///
  /// - Parameters:
  ///   - inner: The other registration.
  ///   - type: The type of the key.
  ///   - decorator: The decorator that wraps the instances.
  init(decorating inner: Definition, as type: Any.Type, with decorator: Decorator) {
    draft = DefinitionDraft(
      type: type, factory: decorator.factory(decorating: inner), isolation: decorator.isolation,
      arguments: inner.arguments, aliases: [], label: inner.label, location: decorator.location)
    lifetime = inner.lifetime
    self.inner = inner
  }

  /// The type of the factory's result.
  package var type: Any.Type { draft.type }

  var factory: Factory { draft.factory }

  /// The actor that the factory is isolated to, if any.
  var isolation: (any Actor)? { draft.isolation }

  /// The type of the tuple of arguments that a resolution has to pass.
  var arguments: Any.Type { draft.arguments }

  /// The types under which the instance is found; empty if it is found under its own type only.
  var aliases: [Alias] { draft.aliases }

  /// The name, or the `Dependency`, that distinguishes the registration from others of the same type.
  var label: Label { draft.label }

  /// The location of the registration.
  package var location: CodeLocation { draft.location }

  /// The registration without its decorators.
  var root: Definition { inner?.root ?? self }

  /// Returns a Boolean value that indicates whether the registration is another one, or decorates it.
  func contains(_ other: Definition) -> Bool { self === other || inner?.contains(other) ?? false }

  /// The kind of the lifetime.
  var kind: Lifetime.Kind { lifetime.kind }

  /// A Boolean value that indicates whether a resolution has to pass arguments.
  var takesArguments: Bool { arguments != Void.self && !ignoresArguments }

  /// A Boolean value that indicates whether a resolution may pass any arguments, which are ignored.
  package var ignoresArguments: Bool { arguments == AnyArguments.self }

  /// A Boolean value that indicates whether the factory is asynchronous.
  var isAsync: Bool { factory.createAsync != nil }

  /// A Boolean value that indicates whether the registration belongs to a `Dependency`: its declaration or an override
  /// of it.
  package var isOfDependency: Bool { label.declaration != nil }

  /// A Boolean value that indicates whether the registration is the declaration of a `Dependency`, and not an override
  /// of it.
  var isDeclared: Bool { label.declaration?.definition === self }

  // MARK: Keys

  /// Calls `body` with each key under which the instance may be found, and the index of its alias, or -1 for its own
  /// type.
  @inline(__always)
  func forEachKey(_ body: (Key, Int) -> Void) {
    for index in aliases.indices { body(Key(aliases[index].type, label), index) }
    if aliases.isEmpty || implicitKey != nil { body(Key(type, label), -1) }
  }

  /// Returns a Boolean value that indicates whether a key under which the instance may be found satisfies a predicate.
  func hasKey(where predicate: (Key) -> Bool) -> Bool {
    if aliases.isEmpty { return predicate(Key(type, label)) }
    return aliases.contains { predicate(Key($0.type, label)) } || implicitKey.map(predicate) ?? false
  }

  /// The key of the instance's own type if the instance is registered under other types.
  ///
  /// It yields to any explicit registration of that key.
  var implicitKey: Key? {
    if aliases.isEmpty || aliases.contains(where: { $0.type == type }) { return nil }
    return Key(type, label)
  }

  /// The keys that the registration names, with their types.
  package var keys: [(key: Key, type: Any.Type)] { types.map { (Key($0, label), $0) } }

  /// The types that the registration names: its aliases, or else its own.
  package var types: [Any.Type] { aliases.isEmpty ? [type] : aliases.map(\.type) }

  /// Traps if an alias is a class to which no instance can belong.
  ///
  /// Every other mismatch shows when the alias is resolved.
  private func checkAliases() {
    for alias in aliases where alias.convert == nil {
      guard type is AnyObject.Type, alias.type is AnyObject.Type else { continue }
      if MetadataKind(of: type) == .foreignClass || MetadataKind(of: alias.type) == .foreignClass { continue }
      if !isClass(type, alias.type) && !isClass(alias.type, type) {
        fatalError(
          "'\(displayName(type))' is registered as '\(displayName(alias.type))', but is neither that class nor a subclass.",
          file: location.file, line: location.line)
      }
    }
  }
}

/// Returns a Boolean value that indicates whether a class is another one or inherits from it.
private func isClass(_ type: Any.Type, _ base: Any.Type) -> Bool {
  func inherits<Base>(from _: Base.Type) -> Bool { type is Base.Type }
  return _openExistential(base, do: inherits)
}
