/// What one registration declares: what it creates, how, for how long, and under which types it is found.
@safe
@usableFromInline
package final class Definition: Maker<ResolvingClosure<Void>>, @unchecked Sendable {
  // Unchecked: immutable. The closures are `Sendable` or tied to the actor that `isolation` names.

  /// The type of what the factory returns.
  package let type: Any.Type

  /// How long an instance lives.
  package var lifetime: Lifetime { unsafe finalLifetime }

  // Unchecked: it is set before anybody else sees the definition.
  @exclusivity(unchecked)
  fileprivate var finalLifetime: Lifetime

  /// Where the registration is written.
  package let location: SourceLocation

  /// What is special about the factory.
  private let details: Factory.Details?

  /// The types the instance is found under; empty if it is its own type.
  let aliases: [Alias]

  init(type: Any.Type, lifetime: Lifetime, factory: Factory, aliases: [Alias], location: SourceLocation) {
    self.type = type
    unsafe finalLifetime = lifetime
    details = factory.details
    self.aliases = aliases
    self.location = location
    super.init(factory.closure.closure, isResolving: factory.closure.isResolving)
  }

  /// Creates the same with another lifetime.
  fileprivate convenience init(_ other: Definition, lifetime: Lifetime) {
    self.init(
      type: other.type, lifetime: lifetime,
      factory: Factory(
        closure: AnyClosure(closure: other.closure, isResolving: other.isResolving), details: other.details),
      aliases: other.aliases, location: other.location)
  }

  /// The actor its closure has to run on, if any.
  var isolation: (any Actor)? { details?.isolation }

  /// The tuple of the arguments that a resolve has to pass, or nil if it takes none.
  var arguments: Any.Type? { details?.arguments }

  /// Whether its closure can be called as it is: on any thread, and without arguments.
  var isPlain: Bool { details == nil }

  /// Creates an instance in uninitialized memory for one, or leaves it uninitialized and returns why.
  func create(
    _ resolver: Resolver, _ arguments: Arguments.Place?, into memory: UnsafeMutableRawPointer
  ) -> (any Error)? {
    if let create = unsafe details?.create { return unsafe create(resolver, arguments.unsafelyUnwrapped, memory) }
    func make<Value>(_: Value.Type) -> (any Error)? {
      do {
        // Sound: the closure was kept as one that returns this type, and the memory is for an instance of it.
        let memory = unsafe memory.assumingMemoryBound(to: Value.self)
        if isResolving {
          let closure = unsafe unsafeBitCast(closure, to: ResolvingClosure<Value>.self)
          unsafe memory.initialize(to: try closure.call(resolver))
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
  private var definition: Definition

  @usableFromInline
  init(type: Any.Type, factory: Factory, aliases: [Alias], location: SourceLocation) {
    definition = Definition(type: type, lifetime: .new, factory: factory, aliases: aliases, location: location)
  }

  /// The definition with a lifetime; the same object unless somebody else has the draft too.
  mutating func definition(lifetime: Lifetime) -> Definition {
    if isKnownUniquelyReferenced(&definition) {
      unsafe definition.finalLifetime = lifetime
    } else {
      definition = Definition(definition, lifetime: lifetime)
    }
    return definition
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
