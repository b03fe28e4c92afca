/// What one registration declares: what it creates, how, for how long, and under which types it is found.
@safe
@usableFromInline
package final class Definition: Maker<ResolvingClosure<Void>>, @unchecked Sendable {
  // Unchecked: immutable. The closures are `Sendable` or tied to the actor that `isolation` names.

  /// How long an instance lives.
  package var lifetime: Lifetime { Lifetime(kind: kind, scope: details?.scope) }

  /// What is done with an instance.
  var kind: Lifetime.Kind { unsafe finalKind }

  // Unchecked: it is set before anybody else sees the definition. The short properties come first, because there they
  // fill the word that the superclass has begun.
  @exclusivity(unchecked)
  fileprivate var finalKind: Lifetime.Kind

  private let line: UInt32

  /// The type of what the factory returns.
  package let type: Any.Type

  private let file: StaticString

  /// Where the registration is written.
  package var location: SourceLocation { SourceLocation(file: file, line: UInt(line)) }

  /// What is special about it.
  private let details: Factory.Details?

  /// The types the instance is found under; empty if it is its own type.
  let aliases: [Alias]

  init(
    type: Any.Type, lifetime: Lifetime, closure: consuming ResolvingClosure<Void>, form: ClosureForm,
    details: consuming Factory.Details?, aliases: consuming [Alias], label: Label, location: SourceLocation
  ) {
    self.type = type
    unsafe finalKind = lifetime.kind
    if case .none = label, lifetime.scope == nil {
      self.details = details
    } else {
      self.details = Factory.Details(details, label: label, scope: lifetime.scope)
    }
    self.aliases = aliases
    file = location.file
    line = UInt32(truncatingIfNeeded: location.line)
    super.init(consume closure, form: form)
  }

  /// Creates the same with another lifetime, and maybe another label.
  ///
  /// Never inlined, see `UnfinishedMaker`.
  @inline(never)
  convenience init(_ other: Definition, lifetime: Lifetime, label: Label? = nil) {
    self.init(
      type: other.type, lifetime: lifetime, closure: other.closure, form: other.form,
      details: other.details, aliases: other.aliases, label: label ?? other.label, location: other.location)
  }

  /// The actor its closure has to run on, if any.
  var isolation: (any Actor)? { details?.isolation }

  /// The tuple of the arguments that a resolve has to pass, or nil if it takes none.
  var arguments: Any.Type? { details?.arguments }

  /// What to do when one of its types is asked for, if it is a tripwire: then something else creates the instance.
  package var tripwire: Tripwire? { details?.tripwire }

  /// Whether its closure can be called as it is: on any thread, and without arguments.
  var isPlain: Bool {
    guard let details else { return true }
    return details.isolation == nil && details.arguments == nil && details.createAsync == nil
  }

  /// Its closure, if it is asynchronous.
  var createAsync: Factory.Details.CreateAsync? { details?.createAsync }

  /// Whether its closure is asynchronous.
  var isAsync: Bool { details?.createAsync != nil }

  /// What tells it from others of the same type.
  var label: Label { details?.label ?? .none }

  /// Whether it is that of a `Dependency`, declared or overriding.
  package var isOfDependency: Bool { label.declaration != nil }

  /// Whether it is what a `Dependency` declares, and no override of that.
  var isDeclared: Bool { label.declaration?.definition === self }

  /// Creates an instance in uninitialized memory for one, or leaves it uninitialized and returns why.
  func create(
    _ resolver: Resolver, _ arguments: Arguments.Place?, into memory: UnsafeMutableRawPointer
  ) -> (any Error)? {
    if let create = unsafe details?.create { return unsafe create(resolver, arguments.unsafelyUnwrapped, memory) }
    func make<Value>(_: Value.Type) -> (any Error)? {
      do {
        // Sound: the closure was kept as one that returns this type, and the memory is for an instance of it.
        let memory = unsafe memory.assumingMemoryBound(to: Value.self)
        if form.isResolving {
          let closure = unsafe unsafeBitCast(closure, to: ResolvingClosure<Value>.self)
          unsafe memory.initialize(to: try closure.call(resolver))
        } else if form.isObject {
          let closure = unsafe unsafeBitCast(closure, to: ObjectClosure.self)
          unsafe memory.initialize(to: unsafeBitCast(closure.call(), to: Value.self))
        } else {
          let closure = unsafe unsafeBitCast(closure, to: PlainClosure<Value>.self)
          unsafe memory.initialize(to: try closure.call())
        }
        return nil
      } catch {
        return error
      }
    }
    return _openExistential(type, do: make)
  }

  /// Calls `body` with each key under which the instance is found, and the index of its alias, or -1 for its own type.
  @inline(__always)
  func forEachKey(_ body: (Key, Int) -> Void) {
    if aliases.isEmpty { return body(Key(type, label), -1) }
    for index in aliases.indices { body(Key(aliases[index].type, label), index) }
  }

  /// Whether one of the keys under which the instance is found is like this.
  func hasKey(where predicate: (Key) -> Bool) -> Bool {
    aliases.isEmpty ? predicate(Key(type, label)) : aliases.contains { predicate(Key($0.type, label)) }
  }

  /// The keys under which the instance is found, with their types.
  package var keys: [(key: Key, type: Any.Type)] { types.map { (Key($0, label), $0) } }

  /// The types under which the instance is found.
  package var types: [Any.Type] {
    aliases.isEmpty ? [type] : aliases.map(\.type)
  }

  /// Calls `body` with each optional type that the instance is registered as, where no resolve finds it.
  ///
  /// There are none if it is that of a `Dependency`: its declaration is asked for, and not a type.
  @inline(__always)
  func forEachOptional(_ body: (any AnyOptional.Type) -> Void) {
    if aliases.isEmpty {
      if let optional = asOptional(type), !isOfDependency { body(optional) }
    } else {
      for alias in aliases { if let optional = asOptional(alias.type), !isOfDependency { body(optional) } }
    }
  }

  /// Traps if an alias is a class that no instance can be an instance of; the rest shows when one is resolved.
  fileprivate func checkAliases() {
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

  @usableFromInline
  init(type: Any.Type, convert: ((Box) -> Box)?) {
    self.type = type
    self.convert = convert
  }
}

/// Everything about a registration but its lifetime, which the registration type adds.
public struct DefinitionDraft: Sendable {
  /// The definition of a ``New``, until another lifetime is added.
  @usableFromInline
  private(set) var definition: Definition

  @inlinable
  @inline(__always)
  init(type: Any.Type, factory: Factory, aliases: [Alias], named name: DependencyName?, location: SourceLocation) {
    self.init(
      type: type, closure: factory.closure.closure, form: factory.closure.form, details: factory.details,
      aliases: aliases, named: name, location: location)
  }

  /// With the parts of the factory one by one, so that they can be moved: each copy of a reference counts in 10,000.
  @usableFromInline
  init(
    type: Any.Type, closure: consuming ResolvingClosure<Void>, form: ClosureForm, details: consuming Factory.Details?,
    aliases: consuming [Alias], named name: DependencyName?, location: SourceLocation
  ) {
    definition = Definition(
      type: type, lifetime: .new, closure: consume closure, form: form, details: consume details,
      aliases: consume aliases, label: Label(name), location: location)
    if !definition.aliases.isEmpty { definition.checkAliases() }
  }

  /// A draft of what an expression creates.
  @inlinable
  @inline(__always)
  init<Value>(
    of make: @escaping () -> Value, aliases: consuming [Alias], named name: DependencyName?, location: SourceLocation
  ) {
    // Constants where this is inlined. In generic code the closure around the other would stay one.
    if _isConcrete(Value.self), MemoryLayout<Value>.size == MemoryLayout<AnyObject>.size, Value.self is AnyObject.Type {
      // Sound: it is an instance of a class.
      let closure = ObjectClosure { unsafe unsafeBitCast(make(), to: AnyObject.self) }
      self.init(
        type: Value.self, factory: Factory(closure: closure.erased, details: nil), aliases: aliases, named: name,
        location: location)
    } else {
      self.init(type: Value.self, aliases: aliases, named: name, location: location)
      // Sound: nobody else has it yet, and see `UnfinishedMaker`. Stored as what it is, the closure can be moved here; to
      // cast it would retain it, and 10,000 types would notice.
      withExtendedLifetime(definition) {
        let definition = unsafe Unmanaged.passUnretained(definition).toOpaque()
        unsafe Unmanaged<UnfinishedMaker<PlainClosure<Value>>>.fromOpaque(definition)._withUnsafeGuaranteedRef {
          unsafe $0.closure = PlainClosure(call: make)
        }
      }
    }
  }

  /// A draft whose closure is still to be set.
  ///
  /// Never inlined, see `UnfinishedMaker`.
  @usableFromInline
  @inline(never)
  init(type: Any.Type, aliases: consuming [Alias], named name: DependencyName?, location: SourceLocation) {
    self.init(
      type: type, closure: ResolvingClosure { _ in }, form: .plain, details: nil, aliases: aliases, named: name,
      location: location)
  }

  /// A draft of what has been registered in another way.
  init(_ definition: Definition) { self.definition = definition }

  /// The definition with a lifetime and a label.
  func definition(lifetime: Lifetime, label: Label) -> Definition {
    if lifetime.kind == .perGraph { Gate.watchFactories() }
    return Definition(definition, lifetime: lifetime, label: label)
  }

  /// The definition with a lifetime; the same object unless somebody else has the draft too.
  @usableFromInline
  consuming func definition(lifetime: Lifetime) -> Definition {
    if lifetime.kind == .perGraph { Gate.watchFactories() }
    guard lifetime.scope == nil, isKnownUniquelyReferenced(&definition) else {
      return Definition(definition, lifetime: lifetime)
    }
    unsafe definition.finalKind = lifetime.kind
    return definition
  }
}
