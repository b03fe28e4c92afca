extension DIContainer {
  /// Resolves a dependency, creating it on the actor that its registration is isolated to.
  ///
  /// The way to resolve a main actor type from anywhere. What its factory resolves must be registered for the same
  /// actor, or for none.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
  /// - Throws: ``ResolutionError``, as ``tryResolve(_:file:line:)-method`` does.
  public func resolveAsync<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> Value {
    do throws(ResolutionError) {
      return try tryResolve(type, file: file, line: line)
    } catch {
      guard error.code == .wrongActor, let actor = error.isolation else { throw error }
      return try await unsafe resolve(type, on: actor, file, line).value
    }
  }

  /// Resolves a dependency from the current container, creating it on the actor that its registration is isolated to.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
  /// - Throws: ``ResolutionError``, as ``tryResolve(_:file:line:)-method`` does.
  public static func resolveAsync<Value>(
    _ type: Value.Type = Value.self, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> Value {
    try await current.resolveAsync(type, file: file, line: line)
  }

  private func resolve<Value>(
    _ type: Value.Type, on actor: isolated any Actor, _ file: StaticString, _ line: UInt
  ) throws -> Unchecked<Value> {
    Unchecked(value: try tryResolve(type, file: file, line: line))
  }
}

/// A value on its way from the actor that created it.
private struct Unchecked<Value>: @unchecked Sendable {
  // Unchecked: a container hands out what it keeps on any thread, as the documentation of `Shared` says.
  nonisolated(unsafe) let value: Value
}
