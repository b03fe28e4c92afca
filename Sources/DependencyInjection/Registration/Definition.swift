/// What one registration declares: what it creates, how, for how long, and under which types it is found.
@usableFromInline
package final class Definition: @unchecked Sendable {
  // Unchecked: immutable. The closures are `Sendable` or isolated to the actor that `isolation` names.

  /// The type of what the factory returns.
  package let type: Any.Type

  /// How long an instance lives.
  package let lifetime: Lifetime

  @usableFromInline
  let factory: Factory

  /// The actor that the factory is isolated to, if any.
  let isolation: (any Actor)?

  /// The tuple of the arguments that a resolve has to pass.
  let arguments: Any.Type

  /// The types that the instance is found under; empty if it is its own type.
  let aliases: [Alias]

  /// The name, or the `Dependency`, that tells it from others of the same type.
  let label: Label

  /// Where the registration is written.
  package let location: SourceLocation

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
    checkAliases()
  }

  /// Everything but the lifetime.
  var draft: DefinitionDraft {
    DefinitionDraft(
      type: type, factory: factory, isolation: isolation, arguments: arguments, aliases: aliases, label: label,
      location: location)
  }

  /// What is done with an instance.
  var kind: Lifetime.Kind { lifetime.kind }

  /// A Boolean value that indicates whether a resolve has to pass arguments.
  var takesArguments: Bool { arguments != Void.self && !ignoresArguments }

  /// A Boolean value that indicates whether a resolve may pass any arguments, which nobody looks at.
  package var ignoresArguments: Bool { arguments == AnyArguments.self }

  /// A Boolean value that indicates whether the factory is asynchronous.
  var isAsync: Bool { factory.createAsync != nil }

  /// A Boolean value that indicates whether it is that of a `Dependency`, declared or overriding.
  package var isOfDependency: Bool { label.declaration != nil }

  /// A Boolean value that indicates whether it is what a `Dependency` declares, and no override of that.
  var isDeclared: Bool { label.declaration?.definition === self }

  // MARK: Keys

  /// Calls `body` with each key under which the instance may be found, and the index of its alias, or -1 for its own type.
  @inline(__always)
  func forEachKey(_ body: (Key, Int) -> Void) {
    for index in aliases.indices { body(Key(aliases[index].type, label), index) }
    if aliases.isEmpty || implicitKey != nil { body(Key(type, label), -1) }
  }

  /// Returns whether one of the keys under which the instance may be found is like this.
  func hasKey(where predicate: (Key) -> Bool) -> Bool {
    if aliases.isEmpty { return predicate(Key(type, label)) }
    return aliases.contains { predicate(Key($0.type, label)) } || implicitKey.map(predicate) ?? false
  }

  /// The key of the instance's own type if it is registered under others: it yields to whatever is registered under it.
  var implicitKey: Key? {
    if aliases.isEmpty || aliases.contains(where: { $0.type == type }) { return nil }
    return Key(type, label)
  }

  /// The keys that the registration names, with their types.
  package var keys: [(key: Key, type: Any.Type)] { types.map { (Key($0, label), $0) } }

  /// The types that the registration names: its aliases, or else its own.
  package var types: [Any.Type] { aliases.isEmpty ? [type] : aliases.map(\.type) }

  /// Calls `body` with each optional type that the instance is registered as, where no resolve finds it.
  ///
  /// There are none if it is that of a `Dependency`: its declaration is asked for, and not a type.
  func forEachOptional(_ body: (any AnyOptional.Type) -> Void) {
    if isOfDependency { return }
    if aliases.isEmpty, let optional = asOptional(type) { body(optional) }
    for alias in aliases {
      if let optional = asOptional(alias.type) { body(optional) }
    }
  }

  /// Traps if an alias is a class that no instance can be an instance of; the rest shows when one is resolved.
  private func checkAliases() {
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

/// Returns whether a class is another one or inherits from it.
private func isClass(_ type: Any.Type, _ base: Any.Type) -> Bool {
  func inherits<Base>(from _: Base.Type) -> Bool { type is Base.Type }
  return _openExistential(base, do: inherits)
}
