extension DIContainer {
  /// Resolves a dependency whose creation may have to wait, or happen on another actor.
  ///
  /// The way to resolve what an asynchronous factory creates, and a main actor type from anywhere; anything else it
  /// resolves as ``tryResolve(_:named:file:line:arguments:)-method`` does. What a synchronous factory resolves itself must exist,
  /// or be registered for the same actor, or for none.
  ///
  /// An instance that is kept is created once, by a task of its own that inherits the task-local values and the priority
  /// of the first who asks; no thread waits for it. Everybody who asks meanwhile gets it, or the error of the factory,
  /// which is not kept. Who is cancelled leaves with a `CancellationError` at once; if all are, the creation is. The
  /// arguments are asked for where the caller is isolated.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: Returns the argument, or a tuple of them, if the registration takes any.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
  /// - Throws: ``ResolutionError``, also for a cycle across tasks; `CancellationError` if the current task is cancelled
  ///   while it waits.
  public func resolveAsync<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) async throws -> Value {
    let request = Request(type, Label(name), SourceLocation(file: file, line: line))
    return try await answerAsync(Arguments.self == Void.self ? request : request.passing(Box(arguments())))
  }

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
    try await answerAsync(Request(Value.self, dependency.label, SourceLocation(file: file, line: line)))
  }

  /// Resolves a dependency from the current container whose creation may have to wait, or happen on another actor.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: Returns the argument, or a tuple of them, if the registration takes any.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
  /// - Throws: As ``resolveAsync(_:named:file:line:arguments:)-method``.
  public static func resolveAsync<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) async throws -> Value {
    try await current.resolveAsync(type, named: name, file: file, line: line, arguments: arguments)
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
  /// Resolves a dependency whose creation may have to wait, or happen on another actor.
  ///
  /// - Parameters:
  ///   - type: The type to resolve, if it cannot be inferred.
  ///   - name: The name it is registered with, if any.
  ///   - file: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  ///   - arguments: Returns the argument, or a tuple of them, if the registration takes any.
  /// - Returns: The instance; nil if an optional is asked for and nothing is registered.
  /// - Throws: As ``DIContainer/resolveAsync(_:named:file:line:arguments:)-method``.
  public func resolveAsync<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) async throws -> Value {
    try await resolveAsync {
      try await $0.resolveAsync(type, named: name, file: file, line: line, arguments: arguments)
    }
  }

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

// MARK: - From the registry

extension DIContainer {
  /// Has created what has to be created asynchronously, and then answers as a synchronous resolve does.
  func answerAsync<Value>(_ request: Request) async throws -> Value {
    let key = Key(request.type, request.label)
    while true {
      let located = locate(key, request.label)
      if let (record, owner) = located, record.definition.isAsync {
        do {
          if let found = try await find(record.definition, from: owner, request) {
            return try answer(request) { (found, record, owner) }
          }
        } catch {
          // Who was canceled has not been refused anything.
          if !Task.isCancelled { report(key, request, nil, failedIn: owner) }
          throw error
        }
      } else {
        do throws(ResolutionError) {
          return try await answerWhereIsolated(request)
        } catch {
          // Since it was located, the type may have been registered with an asynchronous factory. If not, a factory has
          // asked another container for the type.
          guard error.code == .asynchronous, error.key == key else { throw error }
          if let located, located.record.definition === locate(key, request.label)?.record.definition { throw error }
        }
      }
      try Task.checkCancellation()
    }
  }

  /// Resolves what a synchronous factory creates, on the actor that it is isolated to.
  private func answerWhereIsolated<Value>(_ request: Request) async throws(ResolutionError) -> Value {
    do throws(ResolutionError) {
      return try tentativeAnswer(request)
    } catch {
      guard error.code == .wrongActor, let actor = error.isolation else { throw error }
      return try await unsafe answer(request, on: actor).value
    }
  }

  /// Resolves what a synchronous factory creates, if that need not happen on another actor.
  private func tentativeAnswer<Value>(_ request: Request) throws(ResolutionError) -> Value {
    let thread = unsafe ThreadState.current
    let outer = unsafe thread.pointee.mayHop
    unsafe thread.pointee.mayHop = true
    defer { unsafe thread.pointee.mayHop = outer }
    return try answer(request)
  }

  /// Resolves what a synchronous factory creates on the actor that it is isolated to.
  private func answer<Value>(
    _ request: Request, on actor: isolated any Actor
  ) throws(ResolutionError) -> Unchecked<Value> {
    Unchecked(value: try answer(request))
  }
}

/// A value on its way from the actor that created it.
private struct Unchecked<Value>: @unchecked Sendable {
  // Unchecked: a container hands out what it keeps on any thread, as the documentation of `Shared` says.
  nonisolated(unsafe) let value: Value
}
