extension InstanceRegistration {
  /// Registers the result of an initializer whose parameters are resolved: `Shared(autowire:
  /// RouterImpl.init(config:log:), as: Router.self)`.
  ///
  /// An optional parameter is nil if nothing is registered for its type. With `arguments`, a resolution has to pass
  /// values of these types. Each parameter whose type matches the next argument gets that argument: `New(autowire:
  /// Page.init(router:id:), arguments: String.self)`.
  ///
  /// - Parameters:
  ///   - make: The initializer. If it is isolated to an actor, it is called only there.
  ///   - arguments: The types of the arguments that a resolution has to pass, in the order of the parameters.
  ///   - aliases: The types under which to register the instance, in addition to its own. If the instance does not
  ///     conform to one of them, the first resolution of that type reports it.
  ///   - name: The name that distinguishes it from other registrations of the same types, if any.
  ///   - file: The file of the registration, for messages.
  ///   - line: The line of the registration, for messages.
  @available(swift, introduced: 6)
  @_disfavoredOverload  // a trailing closure is none of these
  @inlinable
  public init<Value, each Parameter, each Argument, each Alias>(
    autowire make: @escaping @isolated(any) @Sendable (repeat each Parameter) throws -> Value,
    arguments: repeat (each Argument).Type, as aliases: repeat (each Alias).Type, named name: DependencyName? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) {
    let call = withoutIsolation(make)
    let factory = Factory { resolver, arguments, memory in
      var passed: [Any] = []
      for argument in repeat each arguments.value(as: (repeat each Argument).self) { passed.append(argument) }
      func next<Next>(_ type: Next.Type) throws -> Next {
        try takeArgument(from: &passed) ?? resolver.tryResolve(type, file: file, line: line)
      }
      let parameters = (repeat try next((each Parameter).self))
      if let leftover = passed.first { throw LeftoverArgument(type: type(of: leftover)) }
      let value = try call(repeat each parameters)
      memory.initialize { value }
    }
    self.init(
      Definition(
        Self.lifetime, Value.self, factory, make.isolation, arguments: (repeat each Argument).self,
        as: repeat each aliases,
        named: name, file, line))
  }
}

/// Removes and returns the next argument, if it fits a parameter of the type.
@usableFromInline
func takeArgument<Parameter>(from passed: inout [Any]) -> Parameter? {
  // An optional fits only its own type: a cast would turn nil into any other optional.
  guard let first = passed.first, asOptional(type(of: first)) == nil || type(of: first) == Parameter.self,
    let argument = first as? Parameter
  else { return nil }
  passed.removeFirst()
  return argument
}

/// The failure of a factory whose initializer has no parameter for an argument of the resolution.
@usableFromInline
struct LeftoverArgument: Error {
  /// The type of the argument.
  let type: Any.Type

  @usableFromInline
  init(type: Any.Type) { self.type = type }
}
