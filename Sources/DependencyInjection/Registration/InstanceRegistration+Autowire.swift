extension InstanceRegistration {
  /// Registers what an initializer returns whose parameters are resolved:
  /// `Shared(autowire: RouterImpl.init(config:log:), as: Router.self)`.
  ///
  /// An optional parameter is nil if nothing is registered for it. With `arguments`, a resolve has to pass values of
  /// these types, and a parameter of the next one's type gets it: `New(autowire: Page.init(router:id:), arguments:
  /// String.self)`.
  ///
  /// - Parameters:
  ///   - make: The initializer. If it is isolated to an actor, it is only ever called there.
  ///   - arguments: The types of the arguments that a resolve has to pass, in the order of the parameters.
  ///   - aliases: The types under which to register the instance, instead of its own. An instance that does not
  ///     conform to one of them is reported by the first resolve of that type.
  ///   - name: What tells it from other registrations of the same types, if anything.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @preconcurrency
  @_disfavoredOverload  // a trailing closure is none of these
  @inlinable
  public init<Value, First, each Parameter, each Argument, each Alias>(
    autowire make: @escaping @isolated(any) @Sendable (First, repeat each Parameter) throws -> Value,
    arguments: repeat (each Argument).Type, as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    // Sound: as in the other initializers.
    let call = unsafe unsafeBitCast(IsolatedWire(call: make), to: Wire<Value, First, repeat each Parameter>.self).call
    let factory: Factory
    if (repeat each Argument).self == Void.self {
      factory = Factory(isolation: make.isolation) { (resolver: Resolver) in
        try call(
          resolver.tryResolve(First.self, file: file, line: line),
          repeat try resolver.tryResolve((each Parameter).self, file: file, line: line))
      }
    } else {
      factory = Factory(isolation: make.isolation, arguments: (repeat each Argument).self) { resolver, arguments in
        var passed: [Any] = []
        for argument in repeat each arguments.value(as: (repeat each Argument).self) { passed.append(argument) }
        func next<Next>(_ type: Next.Type) throws -> Next {
          try takeArgument(from: &passed) ?? resolver.tryResolve(type, file: file, line: line)
        }
        return try call(next(First.self), repeat try next((each Parameter).self))
      }
    }
    self.init(
      DefinitionDraft(
        type: Value.self, factory: factory, aliases: DependencyInjection.Alias.list(repeat each aliases), named: name,
        location: SourceLocation(file: file, line: line)))
  }
}

/// Takes the next argument if it is one for a parameter of the type.
@usableFromInline
func takeArgument<Parameter>(from passed: inout [Any]) -> Parameter? {
  // An optional only fits its own type: nil could be cast to all others.
  guard let first = passed.first, asOptional(type(of: first)) == nil || type(of: first) == Parameter.self,
    let argument = first as? Parameter
  else { return nil }
  passed.removeFirst()
  return argument
}

/// An isolated initializer.
@usableFromInline
struct IsolatedWire<Value, each Parameter> {
  @usableFromInline
  let call: @isolated(any) @Sendable (repeat each Parameter) throws -> Value

  @usableFromInline
  init(call: @escaping @isolated(any) @Sendable (repeat each Parameter) throws -> Value) {
    self.call = call
  }
}

/// The same initializer without its isolation.
@usableFromInline
struct Wire<Value, each Parameter>: @unchecked Sendable {
  @usableFromInline
  let call: (repeat each Parameter) throws -> Value

  @usableFromInline
  init(call: @escaping (repeat each Parameter) throws -> Value) {
    self.call = call
  }
}
