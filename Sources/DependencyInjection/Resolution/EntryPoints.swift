extension DIContainer {
  /// Resolves a dependency asynchronously; its creation may have to wait, or run on another actor.
  ///
  /// See ``resolveAsync(_:named:file:line:arguments:)-type.method``.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: The errors of ``resolveAsync(_:named:file:line:arguments:)-type.method``.
  @inlinable
  public func resolveAsync<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) async throws -> Value {
    if Arguments.self == Void.self, let existing: Value = Resolver.existing(Label(name), in: registry) {
      return existing
    }
    return try await resolver.resolveAsync(Label(name), passing: arguments(), file, line, isNamed: true)
  }

  /// Resolves a dependency asynchronously from the current container; its creation may have to wait, or run on another
  /// actor.
  ///
  /// ```swift
  /// let database = try await DIContainer.resolveAsync(Database.self)
  /// ```
  ///
  /// Use it to resolve the result of an asynchronous factory, or a main actor type from anywhere. It resolves everything
  /// else as ``tryResolve(_:named:file:line:arguments:)-type.method`` does. An instance that a synchronous factory itself
  /// resolves must exist already, or be registered for the same actor, or for no actor.
  ///
  /// A kept instance is created once, by a task of its own that inherits the task-local values and the priority of the
  /// first requester. No thread waits for it. All requesters get the instance, or the error of the factory, which is
  /// not kept. A requester that is canceled leaves with a `CancellationError` at once. If all requesters are canceled,
  /// the creation is canceled, too. The closure with the arguments is called where the caller is isolated.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: ``ResolutionError``, also for a cycle across tasks; `CancellationError` if the current task is canceled
  ///   while it waits.
  @inlinable
  public static func resolveAsync<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) async throws -> Value {
    if Arguments.self == Void.self, let existing: Value = Resolver.existing(Label(name), in: nil) { return existing }
    return try await Resolver.current.resolveAsync(Label(name), passing: arguments(), file, line)
  }
}

extension DIContainer {
  /// Resolves every registration of a type, with names and without, or traps with the text of the ``ResolutionError``.
  ///
  /// For each name, the newest registration counts, at the position of the first one or of an earlier decorator, even if that
  /// was removed. Registrations of ancestors come first, unless they are shadowed. A ``Dependency`` is not included. An instance
  /// that has to be created asynchronously must exist already.
  ///
  /// The cost is O(n) in the number of registrations. Each registration is resolved separately. Outside of a factory,
  /// each is therefore a graph of its own for ``PerGraph`` registrations.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  public func resolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) -> [Value] {
    Self.resolveAll(file, line, from: registry)
  }

  /// Resolves every registration of a type, with names and without, or throws.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  /// - Throws: ``ResolutionError`` where ``resolveAll(_:file:line:)-method`` would trap: of the first registration that
  ///   fails.
  public func tryResolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> [Value] {
    try Self.tryResolveAll(file, line, from: registry)
  }

  /// Resolves every registration of a type from the current container, with names and without, or traps with the text
  /// of the ``ResolutionError``.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  public static func resolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) -> [Value] {
    resolveAll(file, line, from: nil)
  }

  /// Resolves every registration of a type from the current container, with names and without, or throws.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  /// - Throws: The errors of ``tryResolveAll(_:file:line:)-method``.
  public static func tryResolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> [Value] {
    try tryResolveAll(file, line, from: nil)
  }

  /// Resolves every registration of a type from a container, or from the current one if it is nil, or traps.
  fileprivate static func resolveAll<Value>(
    _ file: StaticString, _ line: UInt, from registry: Registry?, _ creation: Creation? = nil
  ) -> [Value] {
    do throws(ResolutionError) { return try tryResolveAll(file, line, from: registry, creation) } catch {
      (registry.map { Resolver($0, in: creation) } ?? .current).trap(error, file, line)
    }
  }

  /// Resolves every registration of a type from a container, or from the current one if it is nil.
  fileprivate static func tryResolveAll<Value>(
    _ file: StaticString, _ line: UInt, from registry: Registry?, _ creation: Creation? = nil
  ) throws(ResolutionError) -> [Value] {
    let resolver = registry.map { Resolver($0, in: creation) } ?? .current
    let labels = resolver.registry.visibleDefinitions(of: wrappedType(of: Value.self)).map(\.definition.label)
    if labels.isEmpty {
      let (location, isNamed) = (CodeLocation(file: file, line: line), registry != nil && creation == nil)
      let request = Request(Value.self, .none, location, from: resolver, isNamed: isNamed)
      request.report(nil, isCreated: nil, ofAll: Value.self)
    }
    var all: [Value] = []
    for label in labels {
      // As optionals, because the type may have been unregistered meanwhile.
      let next: Value? = try tryResolve(label, passing: (), file, line, from: registry, creation)
      if let next { all.append(next) }
    }
    return all
  }
}

extension Resolver {
  /// Resolves every registration of a type, with names and without, or traps with the text of the ``ResolutionError``.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  public func resolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) -> [Value] {
    DIContainer.resolveAll(file, line, from: registry, creation)
  }

  /// Resolves every registration of a type, with names and without, or throws.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  /// - Returns: The instances, in the order of their registrations; none if nothing is registered.
  /// - Throws: The errors of ``DIContainer/tryResolveAll(_:file:line:)-method``.
  public func tryResolveAll<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) throws(ResolutionError) -> [Value] {
    try DIContainer.tryResolveAll(file, line, from: registry, creation)
  }
}

// The overloads that the compiler selects for a call without an inferable type.
//
// Without them, the compiler fails without a diagnostic, because each of these methods exists twice, as a static and as an
// instance method. A `callAsFunction` never gets one.

@available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
extension DIContainer {
  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public func resolve(named name: DependencyName? = nil) {}

  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public func tryResolve(named name: DependencyName? = nil) throws(ResolutionError) {}

  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public func resolveAsync(named name: DependencyName? = nil) async throws {}

  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public static func resolve(named name: DependencyName? = nil) {}

  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public static func tryResolve(named name: DependencyName? = nil) throws(ResolutionError) {}

  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public static func resolveAsync(named name: DependencyName? = nil) async throws {}
}

@available(*, unavailable, message: "its type cannot be inferred; write 'let router: Router = ', or pass the type")
extension Resolver {
  /// Reports a call whose type cannot be inferred.
  @_disfavoredOverload
  public func callAsFunction(named name: DependencyName? = nil) {}
}

// MARK: - What other libraries spell in another way

@available(*, unavailable, message: "say how long an instance lives: register(Shared { … as Router })")
extension DIContainer {
  /// Reports a registration without a lifetime.
  @_disfavoredOverload
  public func register<Value>(_ type: Value.Type, named name: DependencyName? = nil, _ make: () -> Value) {}

  /// Reports a registration without a lifetime.
  @_disfavoredOverload
  public func register<Value>(_ type: Value.Type, named name: DependencyName? = nil, _ make: (Resolver) -> Value) {}

  /// Reports a registration without a lifetime.
  @_disfavoredOverload
  public static func register<Value>(_ type: Value.Type, named name: DependencyName? = nil, _ make: () -> Value) {}

  /// Reports a registration without a lifetime.
  @_disfavoredOverload
  public static func register<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, _ make: (Resolver) -> Value
  ) {}
}

@available(*, unavailable, message: "write the type in the closure: Shared { … as Router }")
extension InstanceRegistration {
  /// Reports a type that comes before the factory.
  @_disfavoredOverload
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, _ make: () async throws -> Value
  ) { fatalError() }

  /// Reports a type that comes before the factory.
  @_disfavoredOverload
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, _ make: (Resolver) async throws -> Value
  ) { fatalError() }
}

@available(*, unavailable, message: "pass the arguments in a closure: resolve(Page.self) { 3 }")
extension DIContainer {
  /// Reports arguments that are not in a closure.
  @_disfavoredOverload
  public func resolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, arguments: Arguments
  ) -> Value { fatalError() }

  /// Reports arguments that are not in a closure.
  @_disfavoredOverload
  public static func resolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, arguments: Arguments
  ) -> Value { fatalError() }
}
