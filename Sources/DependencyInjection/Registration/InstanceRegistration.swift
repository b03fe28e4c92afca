/// A registration of one instance or factory, with the initializers that all such registrations share.
///
/// ``Shared``, ``New``, ``Weak``, and ``PerGraph`` conform to it, and no type of an app does. The initializers differ in their first parameter: an
/// expression, a closure with or without a ``Resolver``, a closure with arguments, or an initializer.
public protocol InstanceRegistration: Registration {
  /// The lifetime of an instance.
  static var lifetime: Lifetime { get }

  /// Creates the registration.
  ///
  /// - Parameter definition: Everything about the registration, from one of the other initializers.
  @_documentation(visibility: internal)
  init(_ definition: Definition)
}

extension InstanceRegistration {
  /// Registers the value of an expression: `Shared(RouterImpl() as Router)`.
  ///
  /// - Parameters:
  ///   - make: The expression. It is evaluated when an instance is needed, on the thread that needs it.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @_disfavoredOverload
  @inlinable
  public init<Value, each Alias>(
    _ make: @autoclosure @escaping @Sendable () -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    Definition.rejectFunction(Value.self, file, line)
    self.init(
      Definition(
        Self.lifetime, Value.self, Factory { _, _, memory in memory.initialize { make() } }, as: repeat each aliases,
        named: name, file, line))
  }

  /// Registers the result of a closure or an initializer without parameters: `New(RouterImpl.init)`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @available(swift, introduced: 6)
  @inlinable
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable () throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    self.init(
      Definition(
        Self.lifetime, Value.self, Factory { _, _, memory in try memory.initialize { try call() } }, make.isolation,
        as: repeat each aliases, named: name, file, line))
  }

  /// Registers the result of a closure that resolves what it needs: `Shared { resolve in RouterImpl(config: resolve())
  /// }`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @available(swift, introduced: 6)
  @inlinable
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver) throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    self.init(
      Definition(
        Self.lifetime, Value.self, Factory { resolver, _, memory in try memory.initialize { try call(resolver) } },
        make.isolation,
        as: repeat each aliases, named: name, file, line))
  }

  /// Registers the result of a closure with arguments that a resolution has to pass: `New { _, id in ViewModel(id: id)
  /// }`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @available(swift, introduced: 6)
  @inlinable
  public init<Value, each Argument, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    let factory = Factory { resolver, arguments, memory in
      let values = arguments.value(as: (repeat each Argument).self)
      try memory.initialize { try call(resolver, repeat each values) }
    }
    self.init(
      Definition(
        Self.lifetime, Value.self, factory, make.isolation, arguments: (repeat each Argument).self,
        as: repeat each aliases,
        named: name, file, line))
  }

  /// Registers the result of a closure for every resolution, whatever arguments it passes.
  ///
  /// Tests use it to replace everything that a factory would create by one value.
  package init<Value>(
    ignoringArguments make: @escaping @Sendable () -> Value, named name: DependencyName? = nil, file: StaticString,
    line: UInt
  ) {
    self.init(
      Definition(
        Self.lifetime, Value.self, Factory { _, _, memory in memory.initialize { make() } },
        arguments: AnyArguments.self, named: name,
        file, line))
  }

  /// Registers a main actor type by an expression: `Shared(onMain: Screen() as Router)`.
  ///
  /// - Parameters:
  ///   - make: The expression. It is evaluated only on the main actor.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @_disfavoredOverload
  @inlinable
  public init<Value, each Alias>(
    onMain make: @autoclosure @escaping @MainActor @Sendable () -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    Definition.rejectFunction(Value.self, file, line)
    self.init(make, as: repeat each aliases, named: name, file: file, line: line)
  }

  /// Registers an instance under other types with conversions that the compiler checks:
  /// `Shared(RouterImpl(), aliases: { $0 as Router }, { $0 as DeeplinkHandler })`.
  ///
  /// The conversions may run on any thread, for several instances at once, so they must not share mutable state.
  ///
  /// - Parameters:
  ///   - make: The expression. It is evaluated when an instance is needed, on the thread that needs it.
  ///   - first: The conversion to the first type under which to register the instance.
  ///   - others: The conversions to further types.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  public init<Value, First, each Other>(
    _ make: @autoclosure @escaping @Sendable () -> Value, aliases first: sending @escaping (Value) -> First,
    _ others: repeat sending @escaping (Value) -> each Other, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    var aliases = [Alias(first)]
    repeat aliases.append(Alias(each others))
    self.init(
      Definition(
        Value.self, Factory { _, _, memory in memory.initialize { make() } }, lifetime: Self.lifetime, isolation: nil,
        arguments: Void.self, aliases: aliases, label: Label(name), location: CodeLocation(file: file, line: line)))
  }
}
