/// A registration that wraps the instances of a type, whether it is registered already or will be:
/// `Decorated(Router.self) { router, resolve in LoggingRouter(router) }`.
///
/// It wraps each instance once, with the lifetime of the registration: the wrapper of a ``Shared`` instance is shared,
/// too. It wraps what its container registers or inherits for the type, and nothing that a child registers. Other aliases
/// of the registration stay as they are. Several decorators compose: the first one wraps the instance, and each further
/// one wraps the wrapper. Around what a parent keeps, a container has a wrapper of its own.
///
/// ``DIContainer/unregister(_:named:)-method`` removes the registration together with its decorators.
public struct Decorated: Registration {
  private let definition: Definition

  init(_ decorator: Decorator) { definition = Definition(decorator, around: .inherited(nil)) }

  /// Wraps the instances of a type.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there. To ask the resolver for the type itself is a cycle.
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    self.init(Decorator(Label(name), CodeLocation(file: file, line: line), wrap))
  }

  /// Wraps the instances of a type with an asynchronous closure, so that `resolveAsync` has to create them.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value
  ) {
    self.init(Decorator(Label(name), CodeLocation(file: file, line: line), wrap))
  }

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  public func add(to list: inout RegistrationList) { list.add(definition) }
}

/// The closure that wraps instances, in a form that is the same for all types: a factory that takes the instance to wrap
/// as its argument.
final class Decorator: Sendable {
  /// The factory; it is asynchronous if the closure is.
  let factory: Factory
  /// The same factory, for an instance that has to be created asynchronously.
  let asyncFactory: Factory
  /// The type of the instances.
  let type: Any.Type
  /// The actor that the closure is isolated to, if any.
  let isolation: (any Actor)?
  /// The name, or the `Dependency`, of the decorated key.
  let label: Label
  /// The location of the declaration.
  let location: CodeLocation

  init<Value>(
    _ label: Label, _ location: CodeLocation,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    let call = withoutIsolation(wrap)
    factory = Factory { resolver, inner, memory in try memory.initialize { try call(inner.value(), resolver) } }
    let asyncWrap: @isolated(any) @Sendable (Value, Resolver) async throws -> Value = wrap
    let asyncCall = withoutIsolation(asyncWrap)
    asyncFactory = Factory(async: { resolver, inner in Box(try await asyncCall(inner.value(), resolver)) })
    (type, isolation, self.label, self.location) = (Value.self, wrap.isolation, label, location)
  }

  init<Value>(
    _ label: Label, _ location: CodeLocation,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value
  ) {
    let call = withoutIsolation(wrap)
    factory = Factory(async: { resolver, inner in Box(try await call(inner.value(), resolver)) })
    asyncFactory = factory
    (type, isolation, self.label, self.location) = (Value.self, wrap.isolation, label, location)
  }
}

/// The decorator of a registration, and the instance that it wraps.
///
/// A decorated key has a registration of its own, with the lifetime, the arguments and the label of what it wraps.
struct Decoration {
  let decorator: Decorator
  let wrapped: Wrapped

  /// The registration whose instances are wrapped.
  enum Wrapped {
    /// One of the same container, which may be decorated itself.
    case own(Definition)
    /// The answer of an ancestor; nil as long as nobody has asked for it.
    case inherited(Definition?)
  }

  /// The registration whose instances are wrapped, if it is known.
  var inner: Definition? {
    switch wrapped {
    case .own(let definition): definition
    case .inherited(let definition): definition
    }
  }
}

extension Definition {
  /// Creates the registration that wraps the instances of another one.
  convenience init(_ decorator: Decorator, around wrapped: Decoration.Wrapped) {
    let decoration = Decoration(decorator: decorator, wrapped: wrapped)
    let inner = decoration.inner
    // A synchronous factory cannot wait for another actor.
    var isElsewhere = false
    if let here = decorator.isolation, let there = inner?.isolation { isElsewhere = here !== there }
    self.init(
      decorator.type, inner?.isAsync == true || isElsewhere ? decorator.asyncFactory : decorator.factory,
      lifetime: inner?.lifetime ?? .new, isolation: decorator.isolation ?? inner?.isolation,
      arguments: inner?.arguments ?? Void.self,
      aliases: [], label: decorator.label, location: decorator.location, argumentList: inner?.argumentList,
      decoration: decoration)
  }

  /// Returns the decorators of this registration around another registration of the same container.
  func decorating(_ other: Definition) -> Definition {
    guard let decoration else { return other }
    switch decoration.wrapped {
    case .own(let inner): return Definition(decoration.decorator, around: .own(inner.decorating(other)))
    case .inherited: return Definition(decoration.decorator, around: .own(other))
    }
  }

  /// Returns the decorators of this registration around the answer of an ancestor.
  func decorating(inherited other: Definition) -> Definition {
    guard let decoration else { return self }
    switch decoration.wrapped {
    case .own(let inner): return Definition(decoration.decorator, around: .own(inner.decorating(inherited: other)))
    case .inherited: return Definition(decoration.decorator, around: .inherited(other))
    }
  }

  /// The answer of an ancestor that this decorates; nil if it decorates none, or `.some(nil)` if that is not known.
  var inherited: Definition?? {
    switch decoration?.wrapped {
    case .own(let inner): inner.inherited
    case .inherited(let definition): .some(definition)
    case nil: nil
    }
  }

  /// Returns a Boolean value that indicates whether a decorator of this container is among those of this registration.
  func hasDecorator(_ decorator: Decorator) -> Bool {
    guard let decoration else { return false }
    if decoration.decorator === decorator { return true }
    if case .own(let inner) = decoration.wrapped { return inner.hasDecorator(decorator) }
    return false
  }

  /// A Boolean value that indicates whether a decorator has made the registration.
  package var isDecoration: Bool { decoration != nil }

  /// The registration without its decorators; the innermost decoration if what that wraps is not known.
  package var root: Definition { decoration?.inner?.root ?? self }

  /// A Boolean value that indicates whether it is not known yet what this decorates.
  var isOpen: Bool { root.decoration != nil }

  /// Returns a Boolean value that indicates whether the registration is another one, or decorates it.
  func contains(_ other: Definition) -> Bool { self === other || decoration?.inner?.contains(other) ?? false }

  /// The locations of the decorators, the innermost first.
  var decorators: [CodeLocation] { decoration.map { ($0.inner?.decorators ?? []) + [location] } ?? [] }
}
