/// Registers one instance per scope: created by the first resolve, and released when the scope is reset.
///
/// ```swift
/// extension Scope {
///   static let session = Scope("session")
/// }
///
/// DIContainer.register(Scoped(in: .session) { resolve in Authentication() })
/// DIContainer.reset(.session)
/// ```
///
/// Until then it is what ``Shared`` is. It can be written in all the ways that the other registrations can, after the
/// scope.
public struct Scoped: Registration {
  private let definition: Definition

  private init(_ draft: consuming DefinitionDraft, _ scope: Scope) {
    definition = Definition(draft, lifetime: .scoped(in: scope))
  }

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  public func add(to list: inout RegistrationList) {
    list.add(definition)
  }
}

extension Scoped {
  /// Registers what an expression evaluates to: `Scoped(in: .session, Cart() as Basket)`.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The expression; it is evaluated when an instance is needed, on the thread that needs it.
  ///   - aliases: The types under which to register the instance, beside its own.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  @_disfavoredOverload
  public init<Value, each Alias>(
    in scope: Scope, _ make: @autoclosure @escaping @Sendable () -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(New(make(), as: repeat each aliases, named: name, file: file, line: line).draft, scope)
  }

  /// Registers what a closure or an initializer without parameters returns.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, beside its own.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  public init<Value, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable () throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(New(make, as: repeat each aliases, named: name, file: file, line: line).draft, scope)
  }

  /// Registers what a closure returns that resolves what it needs, or that takes arguments.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, beside its own.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  public init<Value, each Argument, each Alias>(
    in scope: Scope,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(New(make, as: repeat each aliases, named: name, file: file, line: line).draft, scope)
  }

  /// Registers what an asynchronous closure returns that needs nothing.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, beside its own.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  public init<Value, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable () async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(New(make, as: repeat each aliases, named: name, file: file, line: line).draft, scope)
  }

  /// Registers what an asynchronous closure returns.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: Creates the instance, with arguments that a resolve has to pass, if it takes any. If it is isolated to an
  ///     actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, beside its own.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  public init<Value, each Argument, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(New(make, as: repeat each aliases, named: name, file: file, line: line).draft, scope)
  }

  /// Registers a main actor type by an expression: `Scoped(in: .session, onMain: Screen())`.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The expression; it is only ever evaluated on the main actor.
  ///   - aliases: The types under which to register the instance, beside its own.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  @_disfavoredOverload
  public init<Value, each Alias>(
    in scope: Scope,
    onMain make: @autoclosure @escaping @MainActor @Sendable () -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(New(onMain: make(), as: repeat each aliases, named: name, file: file, line: line).draft, scope)
  }

  /// Registers what an initializer returns whose parameters are all resolved.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The initializer. If it is isolated to an actor, it is only ever called there.
  ///   - arguments: The types of the arguments that a resolve has to pass, in the order of the parameters.
  ///   - aliases: The types under which to register the instance, beside its own.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  @_disfavoredOverload  // a trailing closure is none of these
  public init<Value, First, each Parameter, each Argument, each Alias>(
    in scope: Scope,
    autowire make: @escaping @isolated(any) @Sendable (First, repeat each Parameter) throws -> Value,
    arguments: repeat (each Argument).Type, as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      New(
        autowire: make, arguments: repeat each arguments, as: repeat each aliases, named: name, file: file, line: line
      ).draft, scope)
  }

  /// Registers an instance under other types with conversions that the compiler checks.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The expression; it is evaluated when an instance is needed, on the thread that needs it.
  ///   - first: Turns the instance into the first type under which to register it.
  ///   - others: Turn the instance into further types.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  public init<Value, First, each Other>(
    in scope: Scope, _ make: @autoclosure @escaping @Sendable () -> Value,
    aliases first: sending @escaping (Value) -> First, _ others: repeat sending @escaping (Value) -> each Other,
    named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(New(make(), aliases: first, repeat each others, named: name, file: file, line: line).draft, scope)
  }
}
