internal import DependencyInjection
internal import Testing

private class Animal {}
private final class Dog: Animal {}
private struct Made: Sendable {}
private struct Duration {}

struct WrongArgumentsTests {
  let container = DIContainer()

  /// Returns the first line and the last note of the error for arguments.
  private func mistake<Arguments>(_ arguments: () -> Arguments) throws -> [String] {
    let error = try #require(failure { try container.tryResolve(Made.self, arguments: arguments) })
    #expect(error.code == .wrongArguments)
    return [String(error.description.prefix { $0 != "\n" }), try #require(error.notes.last)]
  }

  @Test("A request with wrong arguments fails alone, on threads and in tasks")
  func alone() async {
    let container = container
    container.register(Shared(Made()))
    let failures = onThreads(3) { thread -> [ResolutionError.Code] in
      (0..<10_000).compactMap { _ in
        if thread > 0 {
          _ = failure { try container.tryResolve(Made.self) { 7 } }
          return nil
        }
        defer { container.reset() }
        return failure { try container.tryResolve(Made.self) }?.code
      }
    }
    #expect(failures == [[], [], []])
    // Without a creation, which others would wait for.
    container.register(Shared { () async in Made() })
    let asked = Task { try await container.resolveAsync(Made.self) { 7 } }
    let error = await #expect(throws: ResolutionError.self) { try await asked.value }
    #expect(error?.code == .wrongArguments)
    await #expect(throws: Never.self) { try await Task { try await container.resolveAsync(Made.self) }.value }
  }

  @Test("The error for wrong arguments names the registration, and not its decorators")
  func decorated() throws {
    container.register(New { (_: Resolver, _: Int) in Made() })
    let line: UInt = #line - 1
    container.decorate(Made.self) { made, _ in made }
    let error = try #require(failure { try container.tryResolve(Made.self) { "1" } })
    #expect(error.code == .wrongArguments && error.registration?.line == line)
  }

  @Test("One argument that is a function is printed as one")
  func function() throws {
    container.register(New { (_: Resolver, done: @escaping @Sendable () -> Void) in Made() })
    #expect(
      try mistake { {} } == [
        "'Made' takes arguments (@Sendable () -> ()), got (() -> ()).",
        "the argument must have the type '@Sendable () -> ()', but has the type '() -> ()'",
      ])
    _ = try container.tryResolve(Made.self) { {} as @Sendable () -> () }
    #expect(
      try mistake { ({} as @Sendable () -> Void, 1) } == [
        "'Made' takes arguments (@Sendable () -> ()), got (@Sendable () -> (), Int).",
        "it takes 1 argument, but 2 were passed",
      ])
    // The text does not show which functions escape, and that has nothing to do with modules.
    container.register(New { (_: Resolver, _: @escaping (@escaping () -> Void) -> Void) in Made() })
    #expect(
      try mistake { { (_: () -> Void) in } as (() -> Void) -> Void }[1]
        == "the argument must have the type '(() -> ()) -> ()', but has the type '(() -> ()) -> ()', another type of "
        + "that name")
  }

  @Test("The first argument that differs is named, and nothing that is converted")
  func types() throws {
    container.register(New { (_: Resolver, a: Int64, b: String, c: Double, d: [Int]) in Made() })
    func note(_ position: String, _ right: String, _ wrong: String) -> String {
      "\(position) must have the type '\(right)', but has the type '\(wrong)'"
    }
    let notes = try [
      mistake { (1, "b", 3.0, [4]) }, mistake { (1 as Int64, "b" as Character, 3, [4]) },
      mistake { (1 as Int64, "b", 3, [4]) }, mistake { (1 as Int64, "b", 3.0, Set([4])) },
      mistake { (1 as Int64, nil as String?, 3.0, [4]) }, mistake { ("b", 1 as Int64, 3.0, [4]) },
      mistake { (1 as Int64, "b", 3.0) }, mistake { "b" }, mistake { () },
    ].map { $0[1] }
    #expect(
      notes == [
        note("argument 1", "Int64", "Int"), note("argument 2", "String", "Character"),
        note("argument 3", "Double", "Int"), note("argument 4", "Array<Int>", "Set<Int>"),
        "argument 2 must have the type 'String', but is nil",
        note("argument 1", "Int64", "String"),
        "it takes 4 arguments, but 3 were passed", "it takes 4 arguments, but 1 was passed",
        "pass them in the closure of the resolution, `resolve(Made.self) { … }`; a property wrapper cannot pass any",
      ])
    _ = try container.tryResolve(Made.self) { (1 as Int64, "b" as String?, 3.0, [4]) }
    let taking = DIContainer()
    taking.register(New { (_: Resolver, _: String?) in Made() })
    _ = try taking.tryResolve(Made.self) { nil as Int? }
    // Types of one name from two modules are named with these, and have no other cause.
    container.register(New { (_: Resolver, _: Swift.Duration) in Made() })
    #expect(
      try mistake { Duration() } == [
        "'Made' takes arguments (Swift.Duration), got (DependencyInjectionTests.Duration).",
        "the argument must have the type 'Swift.Duration', but has the type 'DependencyInjectionTests.Duration'",
      ])
    // What is converted is not what differs.
    do {
      container.register(New { (_: Resolver, a: Animal, b: any Error, c: Article.ID?) in Made() })
      let error = CancellationError()
      _ = try container.tryResolve(Made.self) { (Dog(), error, Article.ID()) }
      #expect(
        try mistake { (Dog(), 2, Article.ID()) }[1]
          == "argument 2 must have the type 'Error', but has the type 'Int'")
      container.register(New { (_: Resolver, a: Dog, b: Article.ID) in Made() })
      #expect(
        try mistake { (Animal(), Article.ID()) }[1]
          == "argument 1 must have the type 'Dog', but has the type 'Animal'")
      #expect(
        try mistake { (Dog(), Author.ID()) }[1]
          == "argument 2 must have the type 'Article.ID', but has the type 'Author.ID'")
    }
  }

  @Test("A parameter without a declared type may be a metatype, and the note says so only of that")
  func metatypes() throws {
    func cure(_ registration: some Registration, _ argument: () -> some Any) throws -> String? {
      container.register(registration)
      return try mistake(argument)[1]
    }
    let note = "the argument must have the type 'Any.Type', but has the type 'String'"
    #expect(
      try cure(New { _, id in (Made(), "\(id)").0 }) { "id" }
        == note + "; declare the type of a parameter that has none: `{ (resolve: Resolver, id: String) in … }`")
    #expect(
      try cure(New { (_: Resolver, _: Any.Type?) in Made() }) { "id" }
        == "the argument must have the type 'Optional<Any.Type>', but has the type 'String'")
    #expect(
      try cure(New { (_: Resolver, _: [(Any.Type) -> Void]) in Made() }) { "id" }
        == "the argument must have the type 'Array<(Any.Type) -> ()>', but has the type 'String'")
  }
}
