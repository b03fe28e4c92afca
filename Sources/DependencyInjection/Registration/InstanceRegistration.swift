/// A registration of one instance or factory; what all of them can be written as is defined here, once.
///
/// ``Shared``, ``New``, ``Weak`` and ``PerGraph`` conform. The initializers differ in what they are given: an expression, a closure with or
/// without a ``Resolver``, a closure with arguments, or an initializer.
public protocol InstanceRegistration: Registration {
  /// Creates the registration from everything but its lifetime.
  ///
  /// - Parameter definition: What the other initializers have put together.
  init(_ definition: DefinitionDraft)
}

extension InstanceRegistration {
  /// Registers what an expression evaluates to: `Shared(RouterImpl() as Router)`.
  ///
  /// - Parameters:
  ///   - make: The expression; it is evaluated when an instance is needed, on the thread that needs it.
  ///   - aliases: The types under which to register the instance, instead of its own. An instance that does not
  ///     conform to one of them is reported by the first resolve of that type.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public init<Value, each Alias>(
    _ make: @autoclosure @escaping @Sendable () -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    let list = DependencyInjection.Alias.list(repeat each aliases)
    let location = SourceLocation(file: file, line: line)
    if DefinitionDraft.isFunction(Value.self) {
      self.init(DefinitionDraft(calling: make, aliases: list, named: name, location: location))
    } else {
      self.init(DefinitionDraft(of: make, aliases: list, named: name, location: location))
    }
  }

  /// Registers what a closure or an initializer without parameters returns: `New(RouterImpl.init)`.
  ///
  /// - Parameters:
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, instead of its own. An instance that does not
  ///     conform to one of them is reported by the first resolve of that type.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  @inlinable
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable () throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    // Sound: isolation is part of a closure's context, not of how it is called; it is checked before each call. The
    // structs give both closures the representation that the cast needs.
    let call = unsafe unsafeBitCast(IsolatedCall(call: make), to: PlainClosure<Value>.self).call
    self.init(
      DefinitionDraft(
        type: Value.self, factory: Factory(isolation: make.isolation, call),
        aliases: DependencyInjection.Alias.list(repeat each aliases), named: name,
        location: SourceLocation(file: file, line: line)))
  }

  /// Registers what a closure returns that resolves what it needs: `Shared { resolve in RouterImpl(config: resolve()) }`.
  ///
  /// - Parameters:
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, instead of its own. An instance that does not
  ///     conform to one of them is reported by the first resolve of that type.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  @inlinable
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver) throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    // Sound: as above.
    let call = unsafe unsafeBitCast(IsolatedFactory(call: make), to: ResolvingClosure<Value>.self).call
    self.init(
      DefinitionDraft(
        type: Value.self, factory: Factory(isolation: make.isolation, call),
        aliases: DependencyInjection.Alias.list(repeat each aliases), named: name,
        location: SourceLocation(file: file, line: line)))
  }

  /// Registers what a closure returns that takes arguments, which a resolve has to pass:
  /// `New { _, id in ViewModel(id: id) }`.
  ///
  /// - Parameters:
  ///   - make: Creates the instance. If it is isolated to an actor, it is only ever called there.
  ///   - aliases: The types under which to register the instance, instead of its own. An instance that does not
  ///     conform to one of them is reported by the first resolve of that type.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  @inlinable
  public init<Value, each Argument, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    // Sound: as above.
    let call = unsafe unsafeBitCast(
      IsolatedArgumentsFactory(call: make), to: ArgumentsFactory<Value, repeat each Argument>.self
    ).call
    let factory = Factory(isolation: make.isolation, arguments: (repeat each Argument).self) { resolver, arguments in
      let values = arguments.value(as: (repeat each Argument).self)
      return try call(resolver, repeat each values)
    }
    self.init(
      DefinitionDraft(
        type: Value.self, factory: factory, aliases: DependencyInjection.Alias.list(repeat each aliases), named: name,
        location: SourceLocation(file: file, line: line)))
  }

  /// Registers a main actor type by an expression: `Shared(onMain: Screen() as Router)`.
  ///
  /// - Parameters:
  ///   - make: The expression; it is only ever evaluated on the main actor.
  ///   - aliases: The types under which to register the instance, instead of its own. An instance that does not
  ///     conform to one of them is reported by the first resolve of that type.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  @_disfavoredOverload
  public init<Value, each Alias>(
    onMain make: @autoclosure @escaping @MainActor @Sendable () -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    // Sound: as above.
    let call = unsafe unsafeBitCast(make, to: (() -> Value).self)
    self.init(
      DefinitionDraft(
        type: Value.self, factory: Factory(isolation: MainActor.shared, call),
        aliases: DependencyInjection.Alias.list(repeat each aliases), named: name,
        location: SourceLocation(file: file, line: line)))
  }

  /// Registers an instance under other types with conversions that the compiler checks:
  /// `Shared(RouterImpl(), aliases: { $0 as Router }, { $0 as DeeplinkHandler })`.
  ///
  /// The conversions may run on any thread, for several instances at once, so they must not share mutable state.
  ///
  /// - Parameters:
  ///   - make: The expression; it is evaluated when an instance is needed, on the thread that needs it.
  ///   - first: Turns the instance into the first type under which to register it.
  ///   - others: Turn the instance into further types.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  public init<Value, First, each Other>(
    _ make: @autoclosure @escaping @Sendable () -> Value, aliases first: sending @escaping (Value) -> First,
    _ others: repeat sending @escaping (Value) -> each Other, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    var aliases = [Alias(first)]
    repeat aliases.append(Alias(each others))
    self.init(
      DefinitionDraft(
        type: Value.self, factory: Factory(isolation: nil, make), aliases: aliases, named: name,
        location: SourceLocation(file: file, line: line)))
  }
}

/// An isolated closure; without its isolation it is a `PlainClosure`.
@usableFromInline
struct IsolatedCall<Value> {
  @usableFromInline
  let call: @isolated(any) @Sendable () throws -> Value

  @usableFromInline
  init(call: @escaping @isolated(any) @Sendable () throws -> Value) {
    self.call = call
  }
}

/// An isolated closure that resolves; without its isolation it is a `ResolvingClosure`.
@usableFromInline
struct IsolatedFactory<Value> {
  @usableFromInline
  let call: @isolated(any) @Sendable (Resolver) throws -> Value

  @usableFromInline
  init(call: @escaping @isolated(any) @Sendable (Resolver) throws -> Value) {
    self.call = call
  }
}

/// An isolated closure with arguments.
@usableFromInline
struct IsolatedArgumentsFactory<Value, each Argument> {
  @usableFromInline
  let call: @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value

  @usableFromInline
  init(call: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value) {
    self.call = call
  }
}

/// The same closure without its isolation.
@usableFromInline
struct ArgumentsFactory<Value, each Argument>: @unchecked Sendable {
  @usableFromInline
  let call: (Resolver, repeat each Argument) throws -> Value

  @usableFromInline
  init(call: @escaping (Resolver, repeat each Argument) throws -> Value) {
    self.call = call
  }
}

extension Alias {
  /// An alias to which a closure converts.
  init<Value, Other>(_ convert: @escaping (Value) -> Other) {
    self.init(type: Other.self) { Box(convert($0.value())) }
  }
}

extension Alias {
  /// The aliases of a list of types, to which instances are cast.
  @inlinable
  @inline(__always)
  static func list<each Other>(_ types: repeat (each Other).Type) -> [Alias] {
    var list: [Alias] = []
    for type in repeat each types { list.append(Alias(type: type, convert: nil)) }
    return list
  }
}
