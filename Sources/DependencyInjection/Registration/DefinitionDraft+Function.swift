// Functions that the compiler takes for expressions, because they are not `Sendable` or have parameters which nothing
// provides. The first is what an initializer is in the Swift 5 language mode for code that is isolated to an actor, such as
// that of an app delegate.

extension DefinitionDraft {
  /// The draft of what a function creates, whose name is the expression; traps if it cannot be called just so.
  ///
  /// To register a function itself, return it from a closure.
  @usableFromInline
  init<Value>(
    calling make: @escaping () -> Value, aliases: [Alias], label: Label, location: SourceLocation
  ) {
    guard let function = FunctionType(Value.self) else {
      fatalError(
        """
        '\(Value.self)' is a function, and its result would never be created.
          note       pass a closure: `{ resolve in … }`; it must be `@Sendable`, or isolated to an actor
          note       to register the function itself, return it from a closure
        """, file: location.file, line: location.line)
    }
    func factory<Result>(_: Result.Type) -> Factory {
      Factory { _, _, memory in
        // Sound: the type says that the function takes nothing and returns this. Where its type is a parameter of a
        // generic function it is called as any other, whatever it returns; isolation is checked before each call, and
        // who calls one that might throw can also call one that does not.
        try memory.initialize { try unsafe unsafeBitCast(make(), to: Plain.Function0<Result>.self).call() }
      }
    }
    self.init(
      type: function.result, factory: _openExistential(function.result, do: factory), isolation: function.isolation,
      aliases: aliases, label: label, location: location)
  }
}
