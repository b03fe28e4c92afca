/// The parameter with which a factory resolves what it needs: `Shared { resolve in RouterImpl(config: resolve()) }`.
///
/// A resolver resolves from the container that the instance is created for, so an override in that container applies to
/// everything that the container creates. If a container keeps the instance, the resolver also links other threads and
/// tasks to its creation. While the factory runs, everything that is resolved with the resolver, on any thread and in
/// any task, is a dependency of the instance. Resolving the instance itself then is a cycle.
///
/// A resolver may be kept and used later. If a container keeps the instance, the resolver then resolves from that
/// container and does not keep it alive. Any other resolver keeps the container that created its instance.
@frozen
public struct Resolver: Sendable {
  /// The container that creates the instance; a placeholder if there is an owner.
  @usableFromInline
  let creator: DIContainer

  /// The owner of the instance, if a container is going to keep the instance.
  @usableFromInline
  let owner: OwningContainer?

  /// Creates the resolver for an instance that no container keeps.
  @inlinable
  init(_ creator: DIContainer) {
    self.creator = creator
    owner = nil
  }

  /// Creates the resolver for an instance that a container may keep.
  init(_ creator: DIContainer, for owner: OwningContainer?) {
    if let owner, owner.isCreated(by: creator) {
      // A placeholder: the creator must not be kept alive.
      self.creator = .shared
      self.owner = owner
    } else {
      self.creator = creator
      self.owner = nil
    }
  }

  /// Resolves from the container that the instance belongs to, as a part of the instance's creation while that is in
  /// progress.
  @usableFromInline
  func resolve<Value, Failure: Error>(
    _ body: (DIContainer) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let owner else { return try body(creator) }
    let container = owner.container
    guard let context = owner.contextToJoin else { return try body(container) }
    return try ThreadState.current.join(context) { () throws(Failure) in try body(container) }
  }

  /// Resolves asynchronously from the container that the instance belongs to, as a part of the creation while that is
  /// in progress.
  func resolveAsync<Value>(_ body: (DIContainer) async throws -> Value) async throws -> Value {
    guard let owner else { return try await body(creator) }
    let container = owner.container
    guard let context = owner.contextToJoin else { return try await body(container) }
    return try await TaskContext(for: context).run { try await body(container) }
  }

  /// Resolves a dependency, as ``resolve(_:named:file:line:arguments:)`` does.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
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
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  @inlinable
  @inline(always)
  public func resolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) -> Value {
    if owner == nil { return creator.resolve(type, named: name, file: file, line: line, arguments: arguments) }
    return resolve { $0.resolve(type, named: name, file: file, line: line, arguments: arguments) }
  }

  /// Resolves a dependency or throws, for factories that can fail: `Shared { try Router(config: $0.tryResolve()) }`.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: ``ResolutionError`` where ``resolve(_:named:file:line:arguments:)`` would trap.
  @inlinable
  public func tryResolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) throws(ResolutionError) -> Value {
    if owner == nil { return try creator.tryResolve(type, named: name, file: file, line: line, arguments: arguments) }
    return try resolve { (container) throws(ResolutionError) in
      try container.tryResolve(type, named: name, file: file, line: line, arguments: arguments)
    }
  }
}
