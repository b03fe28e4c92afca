extension InstanceRegistration {
  /// Registers what an asynchronous closure returns: `Shared { resolve in try await Database.open(resolve()) }`.
  ///
  /// `resolveAsync` resolves it; once the instance of a lifetime that keeps it is there, every resolve does.
  ///
  /// - Parameters:
  ///   - make: Creates the instance, with arguments that a resolve has to pass, if it takes any. If it is isolated to an
  ///     actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, instead of its own. An instance that does not
  ///     conform to one of them is reported by the first resolve of that type.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  public init<Value, each Argument, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    let type: Any.Type? = (repeat each Argument).self == Void.self ? nil : (repeat each Argument).self
    // Sound: isolation is part of the closure's context, and an asynchronous closure goes to its actor by itself.
    let call = unsafe unsafeBitCast(
      AsyncCall(call: make), to: ConcurrentCall<Value, Resolver, repeat each Argument>.self
    ).call
    let factory = Factory(isolation: make.isolation, arguments: type) { @concurrent resolver, arguments in
      guard let arguments else {
        // Sound: there are no arguments, so the pack is empty and so is its memory.
        let nothing = unsafe unsafeBitCast((), to: (repeat each Argument).self)
        return Box(try await call(resolver, repeat each nothing))
      }
      let values = arguments.value(as: (repeat each Argument).self)
      return Box(try await call(resolver, repeat each values))
    }
    self.init(
      DefinitionDraft(
        type: Value.self, factory: factory, aliases: DependencyInjection.Alias.list(repeat each aliases), named: name,
        location: SourceLocation(file: file, line: line)))
  }

  /// Registers what an asynchronous closure returns that needs nothing: `Shared { try await Database.open() }`.
  ///
  /// - Parameters:
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, instead of its own. An instance that does not
  ///     conform to one of them is reported by the first resolve of that type.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable () async throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    // Sound: as above.
    let call = unsafe unsafeBitCast(AsyncCall(call: make), to: ConcurrentCall<Value>.self).call
    self.init(
      DefinitionDraft(
        type: Value.self,
        factory: Factory(isolation: make.isolation, arguments: nil) { @concurrent _, _ in Box(try await call()) },
        aliases: DependencyInjection.Alias.list(repeat each aliases), named: name,
        location: SourceLocation(file: file, line: line)))
  }
}

/// An isolated asynchronous closure.
private struct AsyncCall<Value, each Argument> {
  let call: @isolated(any) @Sendable (repeat each Argument) async throws -> Value
}

/// The same closure without its isolation.
private struct ConcurrentCall<Value, each Argument>: @unchecked Sendable {
  let call: @concurrent @Sendable (repeat each Argument) async throws -> Value
}
