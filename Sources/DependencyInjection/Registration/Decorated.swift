/// A registration that wraps the instances of a type, whether the type is registered already or will be:
/// `Decorated(Router.self) { router, resolve in LoggingRouter(router) }`.
///
/// It wraps each instance once, with the lifetime of the registration: the wrapper of a ``Shared`` instance is shared,
/// too. It wraps what its container registers or inherits for the type, and nothing that a child registers. Other
/// aliases of the registration stay as they are. Several decorators compose: the first one wraps the instance, and each
/// further one wraps the wrapper. If a parent keeps the instance, a container that decorates it has a wrapper of its
/// own.
///
/// ``DIContainer/unregister(_:named:)-method`` removes the registration together with its decorators.
public struct Decorated: Registration {
  private let definition: Definition

  init<Value>(
    _ label: Label, _ location: CodeLocation,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    let call = withoutIsolation(wrap)
    self.init(
      label, location, wrap,
      { resolver, inner, memory in try memory.initialize { try call(inner.value(), resolver) } }, isOnly: false)
  }

  init<Value>(
    _ label: Label, _ location: CodeLocation,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value,
    _ create: @escaping Definition.Create = Definition.trapSynchronously, isOnly: Bool = true
  ) {
    let call = withoutIsolation(wrap)
    let createAsync: Definition.CreateAsync = { resolver, inner in Box(try await call(inner.value(), resolver)) }
    definition = Definition(
      Value.self, create, lifetime: .new, label: label, location: location,
      .init(
        isolation: wrap.isolation, asyncForm: (createAsync, isOnly: isOnly, []),
        decoration: (nil, nil, isInherited: true)))
  }

  /// Wraps the instances of a type.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there. Asking the resolver for the type itself is a cycle.
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    self.init(Label(name), CodeLocation(file: file, line: line), wrap)
  }

  /// Wraps the instances of a type with an asynchronous closure, so that `resolveAsync` has to create them.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value
  ) {
    self.init(Label(name), CodeLocation(file: file, line: line), wrap)
  }

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  public func add(to list: inout RegistrationList) { list.add(definition) }
}

/// The decoration of a registration whose factory takes the wrapped instance as its argument.
///
/// A decorated key has a registration of its own, with the lifetime, the arguments and the label of what it wraps.
///
/// - `decorator` is the registration of ``Decorated``; nil in that registration itself.
/// - `inner` is the registration whose instances are wrapped, if it is known; it may be decorated itself.
/// - `isInherited` indicates whether `inner` is the answer of an ancestor, even if it is not known yet.
package typealias Decoration = (decorator: Definition?, inner: Definition?, isInherited: Bool)

extension Definition {
  /// The registration of ``Decorated`` that made this one.
  @_transparent
  var decorator: Definition? { if let decoration { decoration.decorator ?? self } else { nil } }

  /// Returns the registration with which this decorator wraps the instances of another one.
  func around(_ inner: Definition?, isInherited: Bool) -> Definition {
    Definition(
      type, create, lifetime: inner?.lifetime ?? .new, arguments: inner?.arguments ?? Void.self, label: label,
      location: location,
      Details(
        isolation: isolation, asyncForm: asyncForm, argumentList: inner?.argumentList,
        decoration: (self, inner, isInherited)))
  }

  /// Wraps another registration in the decorators of this one.
  ///
  /// - Parameters:
  ///   - other: The registration.
  ///   - isInherited: A Boolean value that indicates whether the other registration is the answer of an ancestor.
  /// - Returns: The outermost decorator, or the other registration if there is none.
  func decorating(_ other: Definition, isInherited: Bool) -> Definition {
    ownLayers.reversed().reduce(other) { inner, layer in
      let isInnermost = layer.decoration?.isInherited == true
      return layer.decorator?.around(inner, isInherited: isInnermost && isInherited) ?? inner
    }
  }

  /// The decoration around the answer of an ancestor, if this is or contains one.
  package var inheriting: Decoration? { layers.lazy.compactMap(\.decoration).first(where: \.isInherited) }

  /// The registration and those that it decorates, from the outside in.
  // Not a recursion, because there may be any number of them.
  var layers: some Sequence<Definition> { sequence(first: self, next: \.decoration?.inner) }

  /// The registration and those that it decorates in the same container, from the outside in.
  var ownLayers: some Sequence<Definition> {
    sequence(first: self) { layer in layer.decoration.flatMap { $0.isInherited ? nil : $0.inner } }
  }

  /// A Boolean value that indicates whether a decorator made the registration.
  package var isDecoration: Bool { isPlain ? false : decoration != nil }

  /// The registration without its decorators; the innermost decoration if it is not known what that wraps.
  package var root: Definition { isDecoration ? layers.reduce(self) { $1 } : self }

  /// A Boolean value that indicates whether it is not known yet what this decorates.
  var isOpen: Bool { root.isDecoration }

  /// Returns a Boolean value that indicates whether the registration is the given one, or decorates it in the same
  /// container.
  func contains(_ other: Definition) -> Bool {
    if self === other { return true }
    return isDecoration ? ownLayers.contains { $0 === other } : false
  }
}

// MARK: - Decorating

extension DIContainer {
  /// Wraps the instances of a type, whether the type is registered already or will be: the short form of ``Decorated``,
  /// `container.decorate(Router.self) { router, _ in LoggingRouter(router) }`.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there. Asking the resolver for the type itself is a cycle.
  public func decorate<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    register(Decorated(type, named: name, file: file, line: line, wrap))
  }

  /// Wraps the instances of a type with an asynchronous closure, so that `resolveAsync` has to create them.
  ///
  /// See ``Decorated``.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public func decorate<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value
  ) {
    register(Decorated(type, named: name, file: file, line: line, wrap))
  }

  /// Wraps the instances of a type in the current container, whether the type is registered already or will be.
  ///
  /// ```swift
  /// DIContainer.decorate(Router.self) { router, _ in LoggingRouter(router) }
  /// ```
  ///
  /// It is the short form of ``Decorated``, which describes the rules.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public static func decorate<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    current.decorate(type, named: name, file: file, line: line, wrap)
  }

  /// Wraps the instances of a type in the current container with an asynchronous closure, so that `resolveAsync` has to
  /// create them.
  ///
  /// See ``Decorated``.
  ///
  /// - Parameters:
  ///   - type: The type to decorate: a registered type, or an alias.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public static func decorate<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value
  ) {
    current.decorate(type, named: name, file: file, line: line, wrap)
  }
}
