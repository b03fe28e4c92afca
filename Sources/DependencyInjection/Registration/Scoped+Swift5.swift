// The initializers that take functions, for clients in the Swift 5 language mode; see `InstanceRegistration+Swift5.swift`.

@available(swift, obsoleted: 6)
extension Registration where Self == Scoped {
  /// Registers the result of a closure or an initializer without parameters, in the Swift 5 language mode.
  @_documentation(visibility: internal)
  @preconcurrency
  public init<Value, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable () throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(in: scope, make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of a closure that resolves what it needs, or that takes arguments, in the Swift 5 language mode.
  @_documentation(visibility: internal)
  @preconcurrency
  public init<Value, each Argument, each Alias>(
    in scope: Scope,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(in: scope, make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of an asynchronous closure without parameters, in the Swift 5 language mode.
  @_documentation(visibility: internal)
  @preconcurrency
  public init<Value, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable () async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(in: scope, make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of an asynchronous closure, in the Swift 5 language mode.
  @_documentation(visibility: internal)
  @preconcurrency
  public init<Value, each Argument, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(in: scope, make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of an initializer whose parameters are resolved, in the Swift 5 language mode.
  @_documentation(visibility: internal)
  @preconcurrency
  @_disfavoredOverload
  public init<Value, each Parameter, each Argument, each Alias>(
    in scope: Scope, autowire make: @escaping @isolated(any) @Sendable (repeat each Parameter) throws -> Value,
    arguments: repeat (each Argument).Type, as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      in: scope, autowire: make, arguments: repeat each arguments, as: repeat each aliases, named: name, file: file,
      line: line)
  }
}
