/// What a factory gets to resolve what it needs: `Shared { resolve in RouterImpl(config: resolve()) }`.
///
/// It resolves from the container that the instance is created for, so a container that overrides a dependency
/// overrides it for everything it creates. A resolver may be kept and used later, on any thread. That of an instance
/// that a container keeps then resolves from that container, and does not keep it alive; any other keeps the container
/// that created its instance.
public struct Resolver: Sendable {
  /// The container that creates; of no use if there is a home.
  @usableFromInline
  let creator: DIContainer

  /// Where the instance belongs, if another container than the shared one is going to keep it.
  @usableFromInline
  let home: Home?

  /// The resolver for an instance that no container keeps.
  @inlinable
  init(_ creator: DIContainer) {
    self.creator = creator
    home = nil
  }

  /// The resolver for an instance that may be kept.
  init(_ creator: DIContainer, for home: Home?) {
    // What the shared container keeps needs no detour: it never goes, and is nobody's child.
    if let home, !creator.isShared, home.isCreated(by: creator) {
      // In the place of the creator, which must not be kept alive.
      self.creator = .shared
      self.home = home
    } else {
      self.creator = creator
      self.home = nil
    }
  }

  /// The container to resolve from, in the end.
  @usableFromInline
  var settled: DIContainer { home?.container ?? creator }

  /// Resolves a dependency; the same as ``resolve(_:named:file:line:arguments:)``.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: Returns the argument, or a tuple of them, if the registration takes any.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
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
  ///   - name: The name it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: Returns the argument, or a tuple of them, if the registration takes any.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
  @inlinable
  @inline(always)
  public func resolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) -> Value {
    if home == nil { return creator.resolve(type, named: name, file: file, line: line, arguments: arguments) }
    // Not inlined a second time.
    if Arguments.self == Void.self { return settled.lookCloser(type, Label(name), file, line) }
    return settled.resolve(type, named: name, file: file, line: line, arguments: arguments)
  }

  /// Resolves a dependency or throws, for factories that can fail: `Shared { try Router(config: $0.tryResolve()) }`.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: Returns the argument, or a tuple of them, if the registration takes any.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
  /// - Throws: ``ResolutionError`` where ``resolve(_:named:file:line:arguments:)`` would trap.
  @inlinable
  public func tryResolve<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) throws(ResolutionError) -> Value {
    if home == nil { return try creator.tryResolve(type, named: name, file: file, line: line, arguments: arguments) }
    return try settled.tryResolve(type, named: name, file: file, line: line, arguments: arguments)
  }
}
