/// The parameter with which a factory resolves what it needs: `Shared { resolve in RouterImpl(config: resolve()) }`.
///
/// A resolver resolves from the container for which the instance is created: the container that registers the instance,
/// or, for ``New``, ``PerGraph`` and the scope ``Scope/container``, the container that was asked. It also links other threads
/// and tasks to the creation of an instance that a container keeps. While the factory runs, everything that is resolved with
/// the resolver, on any thread and in any task, belongs to that creation. Resolving that same instance is then a cycle.
///
/// You can keep a resolver and use it later. It does not keep the container alive. After the container has ended, the
/// resolver still resolves, but nothing that it creates is kept.
@frozen
public struct Resolver: Sendable {
  /// The registry that answers.
  @usableFromInline
  let registry: Registry

  /// The creation to which the factory belongs, which may have ended.
  @usableFromInline
  let creation: Creation?

  @_transparent
  init(_ registry: Registry, in creation: Creation?) {
    (self.registry, self.creation) = (registry, creation)
  }

  /// Resolves a dependency, as ``resolve(_:named:file:line:arguments:)`` does.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  @inlinable
  @inline(always)
  public func callAsFunction<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) -> Value {
    resolve(type, named: name, file: file, line: line, arguments: arguments)
  }

  /// Resolves a dependency, or traps with the text of the ``ResolutionError``.
  ///
  /// See ``DIContainer/resolve(_:named:file:line:arguments:)-swift.type.method``.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  @inlinable
  @inline(always)
  public func resolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) -> Value {
    if Arguments.self == Void.self { return resolve(Label(name), file, line) }
    return DIContainer.resolve(Label(name), passing: arguments(), file, line, from: registry, creation)
  }

  /// Resolves a dependency or throws, for factories that can fail: `Shared { try Router(config: $0.tryResolve()) }`.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: ``ResolutionError`` where ``resolve(_:named:file:line:arguments:)`` would trap.
  @inlinable
  public func tryResolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) throws(ResolutionError) -> Value {
    try DIContainer.tryResolve(Label(name), passing: arguments(), file, line, from: registry, creation)
  }
}

extension Resolver {
  /// Resolves a dependency asynchronously; its creation may have to wait, or run on another actor.
  ///
  /// See ``DIContainer/resolveAsync(_:named:file:line:arguments:)-type.method``.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call.
  ///   - line: The line of the call.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: The errors of ``DIContainer/resolveAsync(_:named:file:line:arguments:)-type.method``.
  @inlinable
  public func resolveAsync<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) async throws -> Value {
    if Arguments.self == Void.self, let existing: Value = Resolver.existing(Label(name), in: registry) {
      return existing
    }
    return try await resolveAsync(Label(name), passing: arguments(), file, line)
  }

  @usableFromInline
  func resolveAsync<Value, Argument>(
    _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt, isNamed: Bool = false
  ) async throws -> Value {
    let location = CodeLocation(file: file, line: line)
    let request = Request(Value.self, label, location, from: self, isNamed: isNamed, isOfTask: true)
    if Argument.self == Void.self { return try await request.resolveAsync().value() }
    return try await request.passing(Box(argument)).resolveAsync().value()
  }
}
