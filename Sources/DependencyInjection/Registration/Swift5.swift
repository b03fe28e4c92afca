// The initializers that take functions, for clients in the Swift 5 language mode.
//
// With `@preconcurrency`, a closure may capture what is not `Sendable`, and a call to a main actor function in it is
// only a warning. In the Swift 6 language mode, that attribute would turn errors into warnings, too, so the
// initializers for that mode do not have it. The compiler chooses by the language mode of the client. The initializers
// in this file extend `Registration`, because the compiler treats two initializers in one extension that differ by
// nothing else as one.

@_documentation(visibility: internal)
@available(swift, obsoleted: 6)
extension Registration where Self: InstanceRegistration {
  /// Registers the result of a closure or an initializer without parameters, in the Swift 5 language mode.
  @preconcurrency
  @inlinable
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable () throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of a closure that resolves what it needs, in the Swift 5 language mode.
  @preconcurrency
  @inlinable
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver) throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of a closure with arguments that a resolution has to pass, in the Swift 5 language mode.
  @preconcurrency
  @inlinable
  public init<Value, each Argument, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of an asynchronous closure, in the Swift 5 language mode.
  @preconcurrency
  public init<Value, each Argument, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of an asynchronous closure without parameters, in the Swift 5 language mode.
  @preconcurrency
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable () async throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of an initializer whose parameters are resolved, in the Swift 5 language mode.
  @preconcurrency
  @_disfavoredOverload
  @inlinable
  public init<Value, each Parameter, each Argument, each Alias>(
    autowire make: @escaping @isolated(any) @Sendable (repeat each Parameter) throws -> Value,
    arguments: repeat (each Argument).Type, as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowire: make, arguments: repeat each arguments, as: repeat each aliases, named: name, file: file, line: line)
  }
}

@_documentation(visibility: internal)
@available(swift, obsoleted: 6)
extension Registration where Self == Scoped {
  /// Registers the result of a closure or an initializer without parameters, in the Swift 5 language mode.
  @preconcurrency
  public init<Value, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable () throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(in: scope, make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of a closure that resolves what it needs, or that takes arguments, in the Swift 5 language mode.
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
  @preconcurrency
  public init<Value, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable () async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(in: scope, make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of an asynchronous closure, in the Swift 5 language mode.
  @preconcurrency
  public init<Value, each Argument, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(in: scope, make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers the result of an initializer whose parameters are resolved, in the Swift 5 language mode.
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
