extension Dependency {
  /// Overrides the dependency in the current container with a factory that resolves what it needs.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance; nil for the declared lifetime.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  public func register(
    _ lifetime: Lifetime? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value
  ) {
    DIContainer.current.register(overridden(lifetime, file: file, line: line, make))
  }

  /// Overrides the dependency in the current container with a factory that resolves nothing.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  @_disfavoredOverload
  public func register(
    _ lifetime: Lifetime, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value
  ) {
    DIContainer.current.register(overridden(lifetime, file: file, line: line, make))
  }

  /// Overrides the dependency in the current container with a factory or an initializer that resolves nothing:
  /// `DIContainer.router.register(MockRouter.init)`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @_disfavoredOverload
  public func register(
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    DIContainer.current.register(overridden(make, file: file, line: line))
  }

  /// Overrides the dependency in the current container with an asynchronous factory.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance; nil for the declared lifetime.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  public func register(
    _ lifetime: Lifetime? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value
  ) {
    DIContainer.current.register(overridden(lifetime, file: file, line: line, make))
  }

  /// Overrides the dependency in the current container with an asynchronous factory that resolves nothing.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance; nil for the declared lifetime.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  @_disfavoredOverload
  public func register(
    _ lifetime: Lifetime? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) async throws -> Value
  ) {
    DIContainer.current.register(overridden(lifetime, file: file, line: line, make))
  }

  /// Returns a registration that overrides the dependency with a factory that resolves what it needs, for modules,
  /// builders and tests.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance; nil for the declared lifetime.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  /// - Returns: The registration.
  public func overridden(
    _ lifetime: Lifetime? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value
  ) -> Module {
    overridden(by: New(make, file: file, line: line).definition, lifetime)
  }

  /// Returns a registration that overrides the dependency with a factory that resolves nothing.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  /// - Returns: The registration.
  @_disfavoredOverload
  public func overridden(
    _ lifetime: Lifetime, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value
  ) -> Module {
    overridden(by: Definition(.new, passing: make, file, line), lifetime)
  }

  /// Returns a registration that overrides the dependency with a factory or an initializer that resolves nothing.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  /// - Returns: The registration.
  @_disfavoredOverload
  public func overridden(
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Module {
    overridden(by: Definition(.new, passing: make, file, line), nil)
  }

  /// Returns a registration that overrides the dependency with an asynchronous factory.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance; nil for the declared lifetime.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  /// - Returns: The registration.
  public func overridden(
    _ lifetime: Lifetime? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value
  ) -> Module {
    overridden(by: New(make, file: file, line: line).definition, lifetime)
  }

  /// Returns a registration that overrides the dependency with an asynchronous factory that resolves nothing.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance; nil for the declared lifetime.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  /// - Returns: The registration.
  @_disfavoredOverload
  public func overridden(
    _ lifetime: Lifetime? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (repeat each Argument) async throws -> Value
  ) -> Module {
    let call = withoutIsolation(make)
    return overridden(lifetime, file: file, line: line) { @concurrent (_: Resolver, argument: repeat each Argument) in
      try await call(repeat each argument)
    }
  }

  /// Wraps the instances of the dependency in the current container, once for each instance.
  ///
  /// Several decorators compose: the first one wraps the instance, and each further one wraps the wrapper. It is the short
  /// form of ``Decorated``.
  ///
  /// - Parameters:
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public func decorate(
    file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    DIContainer.current.register(Decorated(self, file: file, line: line, wrap))
  }

  /// Wraps the instances of the dependency in the current container with an asynchronous closure.
  ///
  /// - Parameters:
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public func decorate(
    file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value
  ) {
    DIContainer.current.register(Decorated(self, file: file, line: line, wrap))
  }

  /// Removes the override and the decorators of the dependency from the current container.
  public func unregister() { DIContainer.current.unregister(key) }

  /// Releases the instances that the current container keeps for the dependency or for an override of it.
  ///
  /// The next resolution creates a new one.
  public func reset() { DIContainer.current.reset(key, declaredAs: definition) }

  /// Returns a registration that overrides the dependency with another one of its type.
  ///
  /// - Parameters:
  ///   - definition: The other registration.
  ///   - lifetime: The lifetime of an instance; nil for the declared lifetime.
  /// - Returns: The registration.
  package func overridden(by definition: Definition, _ lifetime: Lifetime?) -> Module {
    // An override of a dependency with one instance for each argument answers all arguments.
    let declared = self.definition.argumentList == nil ? self.definition.lifetime : .new
    return Module([definition.with(lifetime: lifetime ?? declared, label: label)])
  }
}

extension Decorated {
  /// Wraps the instances of a declared dependency: `Decorated(DIContainer.router) { router, resolve in … }`.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public init<Value, each Argument>(
    _ dependency: Dependency<Value, repeat each Argument>, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) throws -> Value
  ) {
    self.init(dependency.label, CodeLocation(file: file, line: line), wrap)
  }

  /// Wraps the instances of a declared dependency with an asynchronous closure.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the declaration.
  ///   - line: The line of the declaration.
  ///   - wrap: The closure that wraps an instance, with a resolver. If it is isolated to an actor, it is called only
  ///     there.
  public init<Value, each Argument>(
    _ dependency: Dependency<Value, repeat each Argument>, file: StaticString = #fileID, line: UInt = #line,
    _ wrap: @escaping @isolated(any) @Sendable (Value, Resolver) async throws -> Value
  ) {
    self.init(dependency.label, CodeLocation(file: file, line: line), wrap)
  }
}
