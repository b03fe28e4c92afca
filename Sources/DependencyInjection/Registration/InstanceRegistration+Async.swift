extension InstanceRegistration {
  /// Registers what an asynchronous closure returns: `Shared { resolve in try await Database.open(resolve()) }`.
  ///
  /// `resolveAsync` resolves it; once the instance of a lifetime that keeps it is there, every resolve does.
  ///
  /// - Parameters:
  ///   - make: Creates the instance, with arguments that a resolve has to pass, if it takes any. If it is isolated to an
  ///     actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, beside its own. An instance that does not
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
    let call = withoutIsolation(make)
    self.init(
      DefinitionDraft(
        type: Value.self,
        factory: Factory(async: { resolver, arguments in
          let values = arguments.value(as: (repeat each Argument).self)
          return Box(try await call(resolver, repeat each values))
        }),
        isolation: make.isolation, arguments: (repeat each Argument).self,
        aliases: DependencyInjection.Alias.list(repeat each aliases), label: Label(name),
        location: SourceLocation(file: file, line: line)))
  }

  /// Registers what an asynchronous closure returns that needs nothing: `Shared { try await Database.open() }`.
  ///
  /// - Parameters:
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, beside its own. An instance that does not
  ///     conform to one of them is reported by the first resolve of that type.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable () async throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    self.init(
      DefinitionDraft(
        type: Value.self, factory: Factory(async: { _, _ in Box(try await call()) }), isolation: make.isolation,
        aliases: DependencyInjection.Alias.list(repeat each aliases), label: Label(name),
        location: SourceLocation(file: file, line: line)))
  }
}
