extension InstanceRegistration {
  /// Registers the result of an asynchronous closure: `Shared { resolve in try await Database.open(resolve()) }`.
  ///
  /// Use `resolveAsync` to resolve it. Once a kept instance exists, every other way of resolving returns it, too.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance, with the resolution's arguments, if any. If it is isolated to
  ///     an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @available(swift, introduced: 6)
  public init<Value, each Argument, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    let factory = Factory(async: { resolver, arguments in
      let values = arguments.value(as: (repeat each Argument).self)
      return Box(try await call(resolver, repeat each values))
    })
    self.init(
      Definition(
        Self.lifetime, Value.self, factory, make.isolation, arguments: (repeat each Argument).self,
        as: repeat each aliases,
        named: name, file, line))
  }

  /// Registers the result of an asynchronous closure without parameters: `Shared { try await Database.open() }`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @available(swift, introduced: 6)
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable () async throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Definition(Self.lifetime, passing: make, as: repeat each aliases, named: name, file, line))
  }
}
