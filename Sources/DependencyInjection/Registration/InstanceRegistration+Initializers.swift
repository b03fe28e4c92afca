extension InstanceRegistration {
  /// Registers the value of an expression: `Shared(RouterImpl() as Router)`.
  ///
  /// - Parameters:
  ///   - make: The expression. It is evaluated when an instance is needed, on the thread that needs it.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @_disfavoredOverload
  @inlinable
  @inline(__always)
  public init<Value, each Alias>(
    _ make: @autoclosure @escaping @Sendable () -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    Definition.rejectFunction(Value.self, file, line)
    self.init(
      Definition(
        Self.lifetime, Value.self, { _, _, memory in memory.initialize { make() } }, as: repeat each aliases,
        named: name, file, line))
  }

  /// Registers the result of a closure for every resolution, whatever arguments it passes.
  ///
  /// Tests use it to answer every request with one value.
  package init<Value>(
    ignoringArguments make: @escaping @Sendable () -> Value, named name: DependencyName? = nil, file: StaticString,
    line: UInt
  ) {
    self.init(
      Definition(
        Self.lifetime, Value.self, { _, _, memory in memory.initialize { make() } }, arguments: Arguments.self,
        named: name,
        file, line))
  }

  /// Registers a main actor type by an expression: `Shared(onMain: Screen() as Router)`.
  ///
  /// - Parameters:
  ///   - make: The expression. It is evaluated only on the main actor.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
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
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  public init<Value, First, each Other>(
    _ make: @autoclosure @escaping @Sendable () -> Value, aliases first: sending @escaping (Value) -> First,
    _ others: repeat sending @escaping (Value) -> each Other, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    var aliases = [Alias(first)]
    repeat aliases.append(Alias(each others))
    self.init(
      Definition(
        Value.self, { _, _, memory in memory.initialize { make() } }, lifetime: Self.lifetime, label: Label(name),
        location: CodeLocation(file: file, line: line), .init(aliases: aliases)))
  }
}

// The initializers that take functions; `Swift5.swift` has those for the Swift 5 language mode.
@available(swift, introduced: 6)
extension InstanceRegistration {
  /// Registers the result of a closure or an initializer without parameters: `New(RouterImpl.init)`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @inlinable
  @inline(__always)
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable () throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    self.init(
      Definition(
        Self.lifetime, Value.self, { _, _, memory in try memory.initialize { try call() } }, isolation: make.isolation,
        as: repeat each aliases, named: name, file, line))
  }

  /// Registers the result of a closure that resolves what it needs:
  /// `Shared { resolve in RouterImpl(config: resolve()) }`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @inlinable
  @inline(__always)
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver) throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    self.init(
      Definition(
        Self.lifetime, Value.self, { resolver, _, memory in try memory.initialize { try call(resolver) } },
        isolation: make.isolation, as: repeat each aliases, named: name, file, line))
  }

  /// Registers the result of a closure with arguments that a resolution has to pass:
  /// `New { _, id in ViewModel(id: id) }`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @inlinable
  public init<Value, each Argument, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    let call = withoutIsolation(factory: make)
    let create: Definition.Create = { resolver, arguments, memory in
      let values = arguments.value(as: (repeat each Argument).self)
      try memory.initialize { try call(resolver, repeat each values) }
    }
    self.init(
      Definition(
        Self.lifetime, Value.self, create, isolation: make.isolation, arguments: (repeat each Argument).self,
        as: repeat each aliases, named: name, file, line))
  }

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
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  public init<Value, each Argument, each Alias>(
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) async throws -> Value,
    as aliases: repeat (each Alias).Type, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    let create: Definition.CreateAsync = { resolver, arguments in
      let values = arguments.value(as: (repeat each Argument).self)
      return Box(try await call(resolver, repeat each values))
    }
    self.init(
      Definition(
        Self.lifetime, Value.self, isolation: make.isolation, asyncForm: (create, isOnly: true, []),
        arguments: (repeat each Argument).self, as: repeat each aliases, named: name, file, line))
  }

  /// Registers the result of an asynchronous closure without parameters: `Shared { try await Database.open() }`.
  ///
  /// - Parameters:
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  public init<Value, each Alias>(
    _ make: @escaping @isolated(any) @Sendable () async throws -> Value, as aliases: repeat (each Alias).Type,
    named name: DependencyName? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    self.init(
      Definition(
        Self.lifetime, Value.self, isolation: make.isolation,
        asyncForm: ({ _, _ in Box(try await call()) }, isOnly: true, []), as: repeat each aliases, named: name, file,
        line))
  }

  /// Registers the result of an initializer whose parameters are resolved:
  /// `Shared(autowire: RouterImpl.init(config:log:), as: Router.self)`.
  ///
  /// An optional parameter is nil if nothing is registered for its type. With `arguments`, a resolution has to pass
  /// values of these types. Each parameter whose type matches the next argument gets that argument:
  /// `New(autowire: Page.init(router:id:), arguments: String.self)`.
  ///
  /// - Parameters:
  ///   - make: The initializer. If it is isolated to an actor, it is called only there.
  ///   - arguments: The types of the arguments that a resolution has to pass, in the order of the parameters.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  @_disfavoredOverload  // a trailing closure is none of these
  @inlinable
  public init<Value, each Parameter, each Argument, each Alias>(
    autowire make: @escaping @isolated(any) @Sendable (repeat each Parameter) throws -> Value,
    arguments: repeat (each Argument).Type, as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    let create: Definition.Create = { resolver, arguments, memory in
      var passed: [Box] = []
      for argument in repeat each arguments.value(as: (repeat each Argument).self) { passed.append(Box(argument)) }
      func next<Next>(_ type: Next.Type) throws -> Next {
        try takeArgument(from: &passed) ?? resolver.tryResolve(type, file: file, line: line)
      }
      let parameters = (repeat try next((each Parameter).self))
      try requireEmpty(passed)
      let value = try call(repeat each parameters)
      memory.initialize { value }
    }
    self.init(
      Definition(
        Self.lifetime, Value.self, create, isolation: make.isolation,
        asyncForm: Definition.awaiting(make, file, line, passing: repeat each arguments),
        arguments: (repeat each Argument).self, as: repeat each aliases, named: name, file, line))
  }
}

extension Definition {
  /// Returns the asynchronous form of an initializer whose parameters are resolved, and may have to be awaited.
  ///
  /// - Parameters:
  ///   - make: The initializer.
  ///   - file: The file of the registration.
  ///   - line: The line of the registration.
  ///   - arguments: The types of the arguments that a resolution has to pass.
  /// - Returns: The asynchronous form.
  @usableFromInline
  static func awaiting<Value, each Parameter, each Argument>(
    _ make: @escaping @isolated(any) @Sendable (repeat each Parameter) throws -> Value, _ file: StaticString,
    _ line: UInt, passing arguments: repeat (each Argument).Type
  ) -> AsyncForm {
    let asyncMake: @isolated(any) @Sendable (repeat each Parameter) async throws -> Value = make
    let call = withoutIsolation(asyncMake)
    var types: [Any.Type] = []
    for type in repeat (each Parameter).self { types.append(type) }
    let create: CreateAsync = { resolver, arguments in
      var passed: [Box] = []
      for argument in repeat each arguments.value(as: (repeat each Argument).self) { passed.append(Box(argument)) }
      let parameters = (repeat try await nextParameter((each Parameter).self, &passed, resolver, file, line))
      try requireEmpty(passed)
      return Box(try await call(repeat each parameters))
    }
    return (create, isOnly: false, types)
  }
}

/// Returns the next argument, if it fits a parameter of the type, or else resolves the type.
///
/// Not a local function: with cross-module optimization, the compiler of Swift 6.3 crashes on one that captures packs.
private func nextParameter<Next>(
  _ type: Next.Type, _ passed: inout [Box], _ resolver: Resolver, _ file: StaticString, _ line: UInt
) async throws -> Next {
  if let argument: Next = takeArgument(from: &passed) { return argument }
  return try await resolver.resolveAsync(type, file: file, line: line)
}

/// Removes and returns the next argument, if it fits a parameter of the type.
@usableFromInline
func takeArgument<Parameter>(from passed: inout [Box]) -> Parameter? {
  // An optional fits only its own type: a cast would turn nil into any other optional. A type that is narrower than the listed
  // one does not fit, even if the argument happens to be of that type.
  let wanted = wrappedType(of: Parameter.self)
  guard let first = passed.first,
    first.type == Parameter.self || first.type == wanted
      || asOptional(first.type) == nil && !isSubtype(wanted, of: first.type),
    let argument = first.value as? Parameter
  else { return nil }
  passed.removeFirst()
  return argument
}

/// Throws if an argument is left that no parameter has taken.
@usableFromInline
func requireEmpty(_ passed: [Box]) throws {
  if let leftover = passed.first { throw CreationError.leftoverArgument(leftover.type) }
}
