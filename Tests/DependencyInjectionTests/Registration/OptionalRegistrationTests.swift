internal import DependencyInjection
internal import Testing

extension DIContainer {
  fileprivate static let maybe = Dependency<(any MediaPlayer)?>(.shared) { nil }
}

struct OptionalRegistrationTests {
  // In a process of its own, because of what it writes.
  @Test(
    "An optional that is registered or decorated is a warning, and never answers",
    .exitTest)
  func warnings() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      registerOptionals()
      Self.never(named: nil, isNew: false, line: 11)
      Self.never(named: nil, isNew: true, line: 12)
      Self.never(named: "name", isNew: false, line: 13)
      Self.never(named: "name", isNew: true, line: 14)
      await Self.verify()
      CurrentDocumentTests.watchOptional(line: 31)
      DecoratorTests.decorateOptional(line: 41)
    }
    let decorated = place(41, file: "DependencyInjectionTests/DecoratorTests+Failures.swift")
    #expect(
      result?.warnings == [
        optionalWarning("MediaPlayer?", 1), optionalWarning("Int?", 2), optionalWarning("RouterImpl?", 3),
        optionalWarning("Router?", 11), optionalWarning("Router?", 12), optionalWarning("Router?", 13),
        optionalWarning("Router?", 14), optionalWarning("MediaPlayer?", 21), optionalWarning("Int?", 22),
        optionalWarning("RouterImpl??", 23), optionalWarning("MediaPlayer?", 24),
        optionalWarning("MediaPlayer?", 31, file: "DependencyInjectionTests/CurrentDocument.swift"),
        "warning: 'Service?' is decorated at \(decorated), but never resolved: 'Service?' asks for 'Service'. "
          + "Decorate 'Service'.",
      ])
  }

  /// What is registered as an optional never answers, neither for the type that it wraps nor for an optional of it.
  private static func never(named name: DependencyName?, isNew: Bool, line: UInt) {
    let container = DIContainer()
    func expect(_ wrapped: (any Router)?, source: SourceLocation = #_sourceLocation) {
      for container in [container, DIContainer(parent: container)] {
        for _ in 0..<2 {
          let optional = container.resolve((any Router)??.self, named: name)
          #expect((optional ?? nil) === wrapped, sourceLocation: source)
          #expect(container.resolve((any Router)?.self, named: name) === wrapped, sourceLocation: source)
        }
      }
    }
    if isNew {
      container.register(New(MockRouter() as (any Router)?, named: name, line: line))
    } else {
      container.register(Shared(MockRouter() as (any Router)?, named: name, line: line))
    }
    expect(nil)
    var all: [(any Router)?] = container.resolveAll()
    #expect(all.isEmpty)
    container.register(Shared(RouterImpl() as any Router, named: name))
    expect(container.resolve((any Router).self, named: name))
    all = container.resolveAll()
    #expect(all.map { $0 is RouterImpl } == [true])
    container.unregister((any Router).self, named: name)
    expect(nil)
  }

  /// An optional that is registered is a near miss, and a check reports it and checks it itself.
  private static func verify() async {
    let nearMiss = DIContainer()
    nearMiss.register(Shared(nil as (any MediaPlayer)?, line: 21))
    #expect(
      failure { try nearMiss.tryResolve((any MediaPlayer).self) }?.notes == [
        "'MediaPlayer?' is registered at \(place(21)), but never resolved; unwrap it first, or register 'MediaPlayer'"
      ])
    #expect(failure { try nearMiss.tryResolve(Int.self) }?.notes == [])
    // Each of them, and no declared dependency.
    let checked = DIContainer()
    checked.register {
      New(5 as Int?, named: "five", line: 22)
      Shared(RouterImpl(), as: (any Router).self, RouterImpl??.self, line: 23)
      Shared { resolve in DIContainer.maybe(from: resolve) == nil ? 1 : 2 }
    }
    let failures = await #expect(throws: VerificationError.self) { try await checked.verify() }?.failures ?? []
    #expect(
      failures.map { "\($0.code) \($0.type)" } == [
        "optionalRegistration Optional<Int>", "optionalRegistration Optional<Optional<RouterImpl>>",
      ] && failures.first?.name == "five")
    let summary = "'RouterImpl??' is registered, but never resolved: 'RouterImpl??' asks for 'RouterImpl'.\n"
    #expect(failures.last?.description.hasPrefix(summary) == true)
    // What a factory takes away is not reported.
    let container = DIContainer()
    container.register {
      Shared { DIContainer.current.unregister(Double.self) }
      Shared({ _ -> (any MediaPlayer)? in nil }, line: 24)
      Shared(1.5)
    }
    let error = await #expect(throws: VerificationError.self) { try await container.verify() }
    #expect(
      error?.failures.map(\.description) == [
        """
        'MediaPlayer?' is registered, but never resolved: 'MediaPlayer?' asks for 'MediaPlayer'.
          resolving  Optional<MediaPlayer>
          asked at   \(place(24))
          registered \(place(24))
          note       unwrap it first, or register 'MediaPlayer'
        """
      ])
  }

  @Test("Unregistering or resetting an optional type affects the type that it wraps")
  func removed() {
    let container = DIContainer()
    container.register(Shared(RouterImpl() as any Router))
    let first = container.resolve((any Router).self)
    container.reset((any Router)?.self)
    #expect(container.resolve((any Router).self) !== first)
    container.unregister((any Router)?.self)
    #expect(container.resolve((any Router)?.self) == nil)
  }
}

private func registerOptionals() {
  let container = DIContainer()
  container.register {
    Shared(SimplePlayer() as (any MediaPlayer)?, line: 1)
    New({ 5 as Int? }, named: "five", line: 2)
    Shared(RouterImpl(), as: (any Router).self, RouterImpl?.self, line: 3)
    Shared(RouterImpl(), line: 4)
  }
  for _ in 0..<3 {
    precondition(container.resolve((any MediaPlayer)?.self) == nil)
    precondition(container.resolve((any Router)?.self) != nil)
  }
  DIContainer.maybe.register { SimplePlayer() }
  precondition(DIContainer.maybe() is SimplePlayer)
}
