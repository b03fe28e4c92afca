extension Dependency where repeat each Argument: Hashable & Sendable {
  /// Declares a dependency with one instance for each argument, or for each tuple of arguments:
  /// `Dependency<Page, String>(instancePerArgument: .shared) { resolve, id in Page(id: id) }`.
  ///
  /// Each instance lives as ``Shared`` and the others say. The container remembers the arguments as long as it lives, so
  /// use it with a limited number of arguments. An override answers all arguments, with the lifetime that it is given, or
  /// else with a new instance for each call.
  ///
  /// - Parameters:
  ///   - lifetime: The lifetime of an instance.
  ///   - file: The file of the declaration, for messages.
  ///   - line: The line of the declaration, for messages.
  ///   - make: The closure that creates the instance. If it is isolated to an actor, it is called only there.
  public init(
    instancePerArgument lifetime: Lifetime, file: StaticString = #fileID, line: UInt = #line,
    _ make: @escaping @isolated(any) @Sendable (Resolver, repeat each Argument) throws -> Value
  ) {
    let definition = New(make, file: file, line: line).definition
    self.init(
      definition.with(
        lifetime: lifetime,
        argumentList: { arguments in
          var list: [AnyHashable] = []
          for argument in repeat each arguments.value(as: (repeat each Argument).self) {
            list.append(AnyHashable(argument))
          }
          return list
        }))
  }
}
