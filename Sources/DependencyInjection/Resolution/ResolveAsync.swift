extension DIContainer {
  /// Resolves a dependency asynchronously; its creation may have to wait, or run on another actor.
  ///
  /// Use it to resolve the result of an asynchronous factory, or a main actor type from anywhere. Everything else it
  /// resolves as ``tryResolve(_:named:file:line:arguments:)-method`` does. An instance that a synchronous factory
  /// itself resolves must exist already, or be registered for the same actor, or for none.
  ///
  /// A kept instance is created once, by a task of its own that inherits the task-local values and the priority of the
  /// first requester. No thread waits for it. All requesters get the instance, or the error of the factory, which is
  /// not kept. A requester that is cancelled leaves with a `CancellationError` at once. If all requesters are
  /// cancelled, the creation is, too. The closure with the arguments is called where the caller is isolated.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: ``ResolutionError``, also for a cycle across tasks; `CancellationError` if the current task is cancelled
  ///   while it waits.
  @inlinable
  public func resolveAsync<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) async throws -> Value {
    try await resolver.resolveAsync(type, named: name, file: file, line: line, arguments: arguments)
  }

  /// Resolves a dependency asynchronously from the current container; its creation may have to wait, or run on another
  /// actor.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: The errors of ``resolveAsync(_:named:file:line:arguments:)-method``.
  @inlinable
  public static func resolveAsync<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) async throws -> Value {
    if Arguments.self == Void.self, let existing: Value = Registry.existing(Label(name), in: nil) { return existing }
    return try await Resolver.current.resolveAsync(Label(name), passing: arguments(), file, line)
  }
}

extension Resolver {
  /// Resolves a dependency asynchronously; its creation may have to wait, or run on another actor.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: A closure that returns the argument, or a tuple of arguments, if the registration takes any.
  /// - Returns: The instance; nil if the requested type is optional and nothing is registered.
  /// - Throws: The errors of ``DIContainer/resolveAsync(_:named:file:line:arguments:)-method``.
  @inlinable
  public func resolveAsync<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) async throws -> Value {
    if Arguments.self == Void.self, let existing: Value = Registry.existing(Label(name), in: registry) {
      return existing
    }
    return try await resolveAsync(Label(name), passing: arguments(), file, line)
  }

  @usableFromInline
  func resolveAsync<Value, Argument>(
    _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt
  ) async throws -> Value {
    let request = Request(Value.self, label, CodeLocation(file: file, line: line), from: self)
    let box = try await (Argument.self == Void.self ? request : request.passing(Box(argument))).resolveAsync()
    return box.value()
  }
}
