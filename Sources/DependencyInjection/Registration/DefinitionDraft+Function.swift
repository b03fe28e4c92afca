// Functions that the compiler takes for expressions, because they are not `Sendable`, or because they have parameters
// without a source. In the Swift 5 language mode, an initializer is not `Sendable` in code that is isolated to an
// actor, such as that of an app delegate.

extension DefinitionDraft {
  /// Creates the draft for a function whose name is the expression.
  ///
  /// Traps if the function cannot be called without arguments. If its type does not say to which actor it is isolated,
  /// it belongs to that of the expression.
  ///
  /// To register a function itself, return it from a closure.
  @usableFromInline
  init<Value>(calling make: @escaping () throws -> Value, _ expression: DefinitionDraft) {
    guard let function = FunctionType(Value.self) else {
      fatalError(
        """
        '\(Value.self)' is a function, and its result would never be created.
          note       pass a closure: `{ resolve in … }`; it must be `@Sendable`, or isolated to an actor
          note       to register the function itself, return it from a closure
        """, file: expression.location.file, line: expression.location.line)
    }
    func factory<Result>(_: Result.Type) -> Factory {
      Factory { _, _, memory in
        // Sound: the metadata says that the function takes nothing and returns this type. Where its type is a parameter
        // of a generic function, it is called as any other, whatever it returns. Isolation is checked before each call.
        // A caller of a function that might throw can also call one that does not.
        try memory.initialize { try unsafe unsafeBitCast(try make(), to: Plain.Function0<Result>.self).call() }
      }
    }
    self.init(
      type: function.result, factory: _openExistential(function.result, do: factory),
      isolation: function.isolation ?? expression.isolation, aliases: expression.aliases, label: expression.label,
      location: expression.location)
  }
}

extension DefinitionDraft {
  /// Creates the draft for a function that takes the arguments of a resolution.
  @inlinable
  init<Value, each Argument>(
    passing make: @escaping @isolated(any) @Sendable (repeat each Argument) throws -> Value, _ file: StaticString,
    _ line: UInt
  ) {
    let call = withoutIsolation(make)
    let factory = Factory { _, arguments, memory in
      let values = arguments.value(as: (repeat each Argument).self)
      try memory.initialize { try call(repeat each values) }
    }
    self.init(Value.self, factory, make.isolation, arguments: (repeat each Argument).self, file, line)
  }

  /// Creates the draft for an asynchronous function that takes the arguments of a resolution.
  init<Value, each Argument, each Other>(
    passing make: @escaping @isolated(any) @Sendable (repeat each Argument) async throws -> Value,
    as aliases: repeat (each Other).Type, named name: DependencyName? = nil, _ file: StaticString, _ line: UInt
  ) {
    let call = withoutIsolation(make)
    let factory = Factory(async: { _, arguments in
      let values = arguments.value(as: (repeat each Argument).self)
      return Box(try await call(repeat each values))
    })
    self.init(
      Value.self, factory, make.isolation, arguments: (repeat each Argument).self, as: repeat each aliases, named: name,
      file, line)
  }
}
