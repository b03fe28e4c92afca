extension Dependency {
  /// Resolves the dependency.
  ///
  /// It traps only if the instance has to be created on another actor, if the factory throws or is asynchronous, in a cycle,
  /// if too many factories are nested, or if the lifetime is `.weak` and the instance is not one of a class.
  ///
  /// - Parameters:
  ///   - argument: The arguments, if the factory takes any.
  ///   - container: The container to resolve from; nil for the current container.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instance.
  @inlinable
  @inline(always)
  public func callAsFunction(
    _ argument: repeat each Argument, from container: DIContainer? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Value {
    if (repeat each Argument).self != Void.self {
      return DIContainer.resolve(label, passing: (repeat each argument), file, line, from: container?.registry)
    }
    if let container { return container.resolve(label, file, line) }
    return DIContainer.resolve(label, file, line)
  }

  /// Resolves the dependency or throws.
  ///
  /// - Parameters:
  ///   - argument: The arguments, if the factory takes any.
  ///   - container: The container to resolve from; nil for the current container.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instance.
  /// - Throws: ``ResolutionError`` where ``callAsFunction(_:from:file:line:)-(_,DIContainer?,_,_)`` would trap. Its
  ///   ``ResolutionError/underlyingError`` is the error that the factory threw.
  @inlinable
  public func tryResolve(
    _ argument: repeat each Argument, from container: DIContainer? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws(ResolutionError) -> Value {
    try DIContainer.tryResolve(label, passing: (repeat each argument), file, line, from: container?.registry)
  }

  /// Resolves the dependency asynchronously; its creation may have to wait, or run on another actor.
  ///
  /// - Parameters:
  ///   - argument: The arguments, if the factory takes any.
  ///   - container: The container to resolve from; nil for the current container.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instance.
  /// - Throws: The errors of ``DIContainer/resolveAsync(_:named:file:line:arguments:)-method``.
  @inlinable
  public func resolveAsync(
    _ argument: repeat each Argument, from container: DIContainer? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) async throws -> Value {
    if (repeat each Argument).self == Void.self, let existing: Value = Resolver.existing(label, in: container?.registry)
    {
      return existing
    }
    return try await (container?.resolver ?? .current).resolveAsync(
      label, passing: (repeat each argument), file, line, isNamed: container != nil)
  }
}

// MARK: - From a resolver

extension Dependency {
  /// Resolves the dependency for a factory, on any thread.
  ///
  /// - Parameters:
  ///   - argument: The arguments, if the factory takes any.
  ///   - resolver: The resolver of the factory that needs it.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instance.
  @inlinable
  public func callAsFunction(
    _ argument: repeat each Argument, from resolver: Resolver, file: StaticString = #fileID, line: UInt = #line
  ) -> Value {
    if (repeat each Argument).self == Void.self { return resolver.resolve(label, file, line) }
    return DIContainer.resolve(
      label, passing: (repeat each argument), file, line, from: resolver.registry, resolver.creation)
  }

  /// Resolves the dependency for a factory or throws, on any thread.
  ///
  /// - Parameters:
  ///   - argument: The arguments, if the factory takes any.
  ///   - resolver: The resolver of the factory that needs it.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instance.
  /// - Throws: The errors of ``tryResolve(_:from:file:line:)-(_,DIContainer?,_,_)``.
  @inlinable
  public func tryResolve(
    _ argument: repeat each Argument, from resolver: Resolver, file: StaticString = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> Value {
    try DIContainer.tryResolve(
      label, passing: (repeat each argument), file, line, from: resolver.registry, resolver.creation)
  }

  /// Resolves the dependency for a factory asynchronously; its creation may have to wait, or run on another actor.
  ///
  /// - Parameters:
  ///   - argument: The arguments, if the factory takes any.
  ///   - resolver: The resolver of the factory that needs it.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instance.
  /// - Throws: The errors of ``DIContainer/resolveAsync(_:named:file:line:arguments:)-method``.
  @inlinable
  public func resolveAsync(
    _ argument: repeat each Argument, from resolver: Resolver, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> Value {
    if (repeat each Argument).self == Void.self, let existing: Value = Resolver.existing(label, in: resolver.registry) {
      return existing
    }
    return try await resolver.resolveAsync(label, passing: (repeat each argument), file, line)
  }
}
