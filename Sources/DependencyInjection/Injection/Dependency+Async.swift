extension DIContainer {
  /// Resolves a declared dependency whose creation may have to wait, or happen on another actor.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  /// - Throws: As ``resolveAsync(_:named:file:line:arguments:)-method``.
  public func resolveAsync<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> Value {
    try await resolveAsync(Request(Value.self, dependency.label, SourceLocation(file: file, line: line)))
  }

  /// Resolves a declared dependency from the current container whose creation may have to wait, or happen on another
  /// actor.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  /// - Throws: As ``resolveAsync(_:named:file:line:arguments:)-method``.
  public static func resolveAsync<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> Value {
    try await current.resolveAsync(dependency, file: file, line: line)
  }
}

extension Resolver {
  /// Resolves a declared dependency whose creation may have to wait, or happen on another actor.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  /// - Throws: As ``DIContainer/resolveAsync(_:named:file:line:arguments:)-method``.
  public func resolveAsync<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> Value {
    try await resolveAsync { try await $0.resolveAsync(dependency, file: file, line: line) }
  }
}
