/// The declaration of one registration: its factory, its lifetime, and the types and the label under which it is found.
@usableFromInline
package final class Definition: @unchecked Sendable {
  // Unchecked: immutable. The closures are `Sendable` or isolated to the actor that `isolation` names.

  /// The type of the factory's result.
  package let type: Any.Type

  /// The lifetime of an instance.
  package let lifetime: Lifetime

  @usableFromInline
  let factory: Factory

  /// The actor that the factory is isolated to, if any.
  let isolation: (any Actor)?

  /// The type of the tuple of arguments that a resolution has to pass.
  let arguments: Any.Type

  /// The types under which the instance is found; empty if it is found under its own type only.
  let aliases: [Alias]

  /// The name, or the `Dependency`, that distinguishes the registration from others of the same type.
  let label: Label

  /// The location of the registration.
  package let location: CodeLocation

  /// The registration whose instances this one wraps, if a decorator has made this one.
  let inner: Definition?

  @usableFromInline
  init(_ draft: consuming DefinitionDraft, lifetime: Lifetime) {
    type = draft.type
    self.lifetime = lifetime
    factory = draft.factory
    isolation = draft.isolation
    arguments = draft.arguments
    aliases = draft.aliases
    label = draft.label
    location = draft.location
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
    self.type = type
    lifetime = inner.lifetime
    factory = decorator.factory(decorating: inner)
    isolation = decorator.isolation
    arguments = inner.arguments
    aliases = []
    label = inner.label
    location = decorator.location
    self.inner = inner
  }

  /// The registration without its decorators.
  var root: Definition {
    var root = self
    while let inner = root.inner { root = inner }
    return root
  }

  /// Returns a Boolean value that indicates whether the registration is another one, or decorates it.
  func contains(_ other: Definition) -> Bool { self === other || inner?.contains(other) ?? false }

  /// The draft of the registration: everything but the lifetime.
  var draft: DefinitionDraft {
    DefinitionDraft(
      type: type, factory: factory, isolation: isolation, arguments: arguments, aliases: aliases, label: label,
      location: location)
  }

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

  /// Calls `body` with each optional type under which the instance is registered.
  ///
  /// No resolution finds it there. The registration of a `Dependency` has none, because its declaration is requested,
  /// and not a type.
  func forEachOptional(_ body: (any AnyOptional.Type) -> Void) {
    if isOfDependency { return }
    if aliases.isEmpty, let optional = asOptional(type) { body(optional) }
    for alias in aliases {
      if let optional = asOptional(alias.type) { body(optional) }
    }
  }

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
