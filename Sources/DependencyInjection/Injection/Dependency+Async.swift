extension DIContainer {
  /// Resolves a declared dependency whose creation may have to wait, or happen on another actor.
  ///
  /// - Parameters:
  ///   - dependency: The dependency.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  /// - Returns: The instance.
  /// - Throws: As ``resolveAsync(_:named:file:line:arguments:)-method``.
  @inlinable
  public func resolveAsync<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> Value {
    if let existing: Value = DIContainer.existing(dependency.label, from: self) { return existing }
    return try await resolveAsync(dependency.label, passing: (), file, line)
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
  @inlinable
  public static func resolveAsync<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #fileID, line: UInt = #line
  ) async throws -> Value {
    if let existing: Value = existing(dependency.label, from: nil) { return existing }
    return try await current.resolveAsync(dependency.label, passing: (), file, line)
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
