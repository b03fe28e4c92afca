// What the compiler takes for an expression although it is a function: one that is not `Sendable`, or that has parameters
// which nothing provides. The first is what an initializer is in the Swift 5 language mode for code that is isolated to
// an actor, such as that of an app delegate.

extension DefinitionDraft {
  /// Whether a type is that of functions.
  @usableFromInline
  static func isFunction(_ type: Any.Type) -> Bool {
    // Sound: every type's metadata starts with its kind, which is part of Swift's stable ABI.
    unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == FunctionType.kind
  }

  /// A draft of what a function creates, whose name is the expression; traps if it cannot be called just so.
  ///
  /// To register a function itself, return it from a closure.
  @usableFromInline
  init<Value>(
    calling make: @escaping () -> Value, aliases: [Alias], named name: DependencyName?, location: SourceLocation
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
      Factory(isolation: function.isolation) { () throws -> Result in
        // Sound: the type says that the function takes nothing and returns this. Where its type is a parameter of a
        // generic function it is called as any other, whatever it returns; isolation is checked before each call, and
        // who calls one that might throw can also call one that does not.
        try unsafe unsafeBitCast(make(), to: PlainClosure<Result>.self).call()
      }
    }
    self.init(
      type: function.result, factory: _openExistential(function.result, do: factory), aliases: aliases, named: name,
      location: location)
  }
}

/// The type of a function that takes nothing, returns at once and may be called on any thread, or on the main actor.
private struct FunctionType {
  let result: Any.Type
  let isolation: (any Actor)?

  /// What the metadata of function types starts with; what follows is part of the stable ABI as well.
  static let kind: UInt = 0x302

  /// - Parameter type: The type of a function.
  init?(_ type: Any.Type) {
    // The flags that say how it is called: the number of its parameters, its convention, and everything unusual, of
    // which a global actor is the only one that is known here. Throwing, escaping and `Sendable` do not matter.
    let (meaning, globalActor): (UInt, UInt) = (0xFFFF_FFFF & ~0x4500_0000, 0x1000_0000)
    let metadata = unsafe unsafeBitCast(type, to: UnsafePointer<UInt>.self)
    let flags = unsafe metadata[1] & meaning
    guard flags & ~globalActor == 0 else { return nil }
    result = unsafe unsafeBitCast(metadata[2], to: Any.Type.self)
    if result == Void.self { return nil }
    if flags & globalActor == 0 {
      isolation = nil
    } else {
      guard unsafe unsafeBitCast(metadata[3], to: Any.Type.self) == MainActor.self else { return nil }
      isolation = MainActor.shared
    }
  }
}
