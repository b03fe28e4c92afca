/// A registration of one instance per scope: the first resolution creates it, and a reset of the scope releases it.
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
/// Until the reset, it behaves like ``Shared``. In the scope ``Scope/container``, there is one instance for each
/// container that is asked, which is created for that container and kept there. The initializers are those of the other
/// registrations, with the scope as the first parameter.
public struct Scoped: Registration {
  private let definition: Definition

  private init(_ registration: New, _ scope: Scope) {
    definition = registration.definition.with(lifetime: .scoped(in: scope))
  }

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  public func add(to list: inout RegistrationList) {
    list.add(definition)
  }
}

extension Scoped {
  /// Registers the value of an expression: `Scoped(in: .session, Cart() as Basket)`.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The expression. It is evaluated when an instance is needed, on the thread that needs it.
  ///   - aliases: The types under which to register the instance, in addition to its own.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @_disfavoredOverload
  public init<Value, each Alias>(
    in scope: Scope, _ make: @autoclosure @escaping @Sendable () -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(New(make(), as: repeat each aliases, named: name, file: file, line: line), scope)
  }

  /// Registers a main actor type by an expression: `Scoped(in: .session, onMain: Screen())`.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The expression. It is evaluated only on the main actor.
  ///   - aliases: The types under which to register the instance, in addition to its own.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @_disfavoredOverload
  public init<Value, each Alias>(
    in scope: Scope,
    onMain make: @autoclosure @escaping @MainActor @Sendable () -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(New(onMain: make(), as: repeat each aliases, named: name, file: file, line: line), scope)
  }

  /// Registers an instance under other types with conversions that the compiler checks.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The expression. It is evaluated when an instance is needed, on the thread that needs it.
  ///   - first: The conversion to the first type under which to register the instance.
  ///   - others: The conversions to further types.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  public init<Value, First, each Other>(
    in scope: Scope, _ make: @autoclosure @escaping @Sendable () -> Value,
    aliases first: sending @escaping (Value) -> First, _ others: repeat sending @escaping (Value) -> each Other,
    named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(New(make(), aliases: first, repeat each others, named: name, file: file, line: line), scope)
  }
}

// The initializers that take functions; `Swift5.swift` has those for the Swift 5 language mode.
@available(swift, introduced: 6)
extension Scoped {
  /// Registers the result of a closure or an initializer without parameters.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  public init<Value, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable () throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(New(make, as: repeat each aliases, named: name, file: file, line: line), scope)
  }

  /// Registers the result of a closure that resolves what it needs, or that takes arguments.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  public init<Value, each Argument, each Alias>(
    in scope: Scope,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(New(make, as: repeat each aliases, named: name, file: file, line: line), scope)
  }

  /// Registers the result of an asynchronous closure without parameters.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  public init<Value, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable () async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(New(make, as: repeat each aliases, named: name, file: file, line: line), scope)
  }

  /// Registers the result of an asynchronous closure.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The closure that creates the instance, with the resolution's arguments, if any. If it is isolated to
  ///     an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  public init<Value, each Argument, each Alias>(
    in scope: Scope, _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    self.init(New(make, as: repeat each aliases, named: name, file: file, line: line), scope)
  }

  /// Registers the result of an initializer whose parameters are resolved.
  ///
  /// - Parameters:
  ///   - scope: The scope.
  ///   - make: The initializer. If it is isolated to an actor, it is called only there.
  ///   - arguments: The types of the arguments that a resolution has to pass, in the order of the parameters.
  ///   - aliases: The types under which to register the instance, in addition to its own.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @_disfavoredOverload  // a trailing closure is none of these
  public init<Value, each Parameter, each Argument, each Alias>(
    in scope: Scope,
    autowire make: @escaping @isolated(any) @Sendable (repeat each Parameter) throws -> Value,
    arguments: repeat (each Argument).Type, as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      New(
        autowire: make, arguments: repeat each arguments, as: repeat each aliases, named: name, file: file, line: line
      ), scope)
  }
}
