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
    if Arguments.self == Void.self, let existing: Value = DIContainer.existing(Label(name), from: self) {
      return existing
    }
    return try await resolveAsync(Label(name), passing: arguments(), file, line)
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
    if Arguments.self == Void.self, let existing: Value = existing(Label(name), from: nil) { return existing }
    return try await current.resolveAsync(type, named: name, file: file, line: line, arguments: arguments)
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
  public func resolveAsync<Value, Arguments>(
    _ type: Value.Type = Value.self, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line, arguments: () -> Arguments = { () }
  ) async throws -> Value {
    try await resolveAsync {
      try await $0.resolveAsync(type, named: name, file: file, line: line, arguments: arguments)
    }
  }
}

// MARK: - From the registry

extension DIContainer {
  @usableFromInline
  func resolveAsync<Value, Argument>(
    _ label: Label, passing argument: Argument, _ file: StaticString, _ line: UInt
  ) async throws -> Value {
    let request = Request(Value.self, label, CodeLocation(file: file, line: line))
    return try await resolveAsync(Argument.self == Void.self ? request : request.passing(Box(argument)))
  }

  /// Resolves a request, and waits for instances that have to be created asynchronously.
  func resolveAsync<Value>(_ request: Request) async throws -> Value {
    while true {
      let found = findRegistration(for: request)
      if let found, found.definition.isAsync {
        do {
          if let obtained = try await obtainInstance(of: found, request) {
            return try result(deliver(obtained, of: found, request), of: request).value()
          }
        } catch {
          recordDependency(on: request.key, level: found.owner.level)
          // A canceled request is not a failure.
          if !Task.isCancelled { report(request, found, .failed) }
          throw error
        }
      } else {
        do throws(ResolutionError) {
          return try await resolveWhereIsolated(request)
        } catch {
          // If the type has been registered with an asynchronous factory meanwhile, try again. If not, the error comes
          // from a factory that has requested the type from another container.
          guard error.code == .asynchronous, error.key == request.key else { throw error }
          if let found, found.definition === findRegistration(for: request)?.definition { throw error }
        }
      }
      try Task.checkCancellation()
    }
  }

  /// Resolves the result of a synchronous factory, on the actor to which the factory is isolated.
  private func resolveWhereIsolated<Value>(_ request: Request) async throws(ResolutionError) -> Value {
    do throws(ResolutionError) {
      return try resolveTentatively(request)
    } catch {
      guard error.code == .wrongActor, let actor = error.isolation else { throw error }
      return try await result(of: request, on: actor).value()
    }
  }

  /// Resolves the result of a synchronous factory, if that is possible without a hop to another actor.
  private func resolveTentatively<Value>(_ request: Request) throws(ResolutionError) -> Value {
    let thread = ThreadState.current
    let outer = thread.mayHop
    thread.mayHop = true
    defer { thread.mayHop = outer }
    return try resolve(request)
  }

  /// Resolves the result of a synchronous factory on the actor to which the factory is isolated.
  private func result(of request: Request, on actor: isolated any Actor) throws(ResolutionError) -> Box {
    try result(instance(for: request), of: request)
  }
}
