internal import DependencyInjection
internal import Testing

extension DIContainer {
  fileprivate static let maybe = Dependency<(any MediaPlayer)?>(.shared) { nil }
}

struct OptionalRegistrationTests {
  @Test("Each optional type of a registration is a warning that names the location, once", .exitTest)
  func warnings() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { registerOptionals() }
    let expected = [optionalWarning("MediaPlayer?", 1), optionalWarning("Int?", 2), optionalWarning("RouterImpl?", 3)]
    #expect(result?.warnings == expected)
  }

  @Test(
    "What is registered as an optional never answers, neither for the type that it wraps nor for an optional of it",
    .exitTest,
    arguments: [nil, "name"] as [String?], [false, true])
  func never(text: String?, isNew: Bool) async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { [text, isNew] in
      let (container, name) = (DIContainer(), text.map { DependencyName($0) })
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
        container.register(New(MockRouter() as (any Router)?, named: name, line: 1))
      } else {
        container.register(Shared(MockRouter() as (any Router)?, named: name, line: 2))
      }
      expect(nil)
      var all: [(any Router)?] = container.resolveAll()
      #expect(all.isEmpty)
      container.register(Shared(RouterImpl() as any Router, named: name))
      expect(container.resolve((any Router).self, named: name))
      all = container.resolveAll()
      #expect(all.isEmpty)
      container.unregister((any Router).self, named: name)
      expect(nil)
    }
    #expect(result?.warnings == [optionalWarning("Router?", isNew ? 1 : 2)])
  }

  @Test("An optional that is registered is a near miss, and a check reports it and checks it itself", .exitTest)
  func verify() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let nearMiss = DIContainer()
      nearMiss.register(Shared(nil as (any MediaPlayer)?, line: 5))
      #expect(
        failure { try nearMiss.tryResolve((any MediaPlayer).self) }?.notes == [
          "'MediaPlayer?' is registered at \(place(5)), but resolves nothing; unwrap it first, or register 'MediaPlayer'"
        ])
      // Each of them, and no declared dependency.
      let checked = DIContainer()
      checked.register {
        New(5 as Int?, named: "five", line: 1)
        Shared(RouterImpl(), as: (any Router).self, RouterImpl??.self, line: 2)
        Shared { resolve in DIContainer.maybe(from: resolve) == nil ? 1 : 2 }
      }
      let failures = await #expect(throws: VerificationError.self) { try await checked.verify() }?.failures ?? []
      #expect(
        failures.map { "\($0.code) \($0.type)" } == [
          "optionalRegistration Optional<Int>", "optionalRegistration Optional<Optional<RouterImpl>>",
        ] && failures.first?.name == "five")
      let summary = "'RouterImpl??' is registered, but resolves nothing: 'RouterImpl??' asks for a 'RouterImpl'.\n"
      #expect(failures.last?.description.hasPrefix(summary) == true)
      // It is checked itself, and what a factory takes away is not reported.
      let container = DIContainer()
      container.register {
        Shared { DIContainer.current.unregister(Double.self) }
        Shared(
          { resolve -> (any MediaPlayer)? in
            _ = try resolve.tryResolve(DiskCache.self, named: "optional")
            return nil
          }, line: 3)
        Shared(1.5)
      }
      let error = await #expect(throws: VerificationError.self) { try await container.verify() }
      #expect(error?.failures.map(\.code) == [.optionalRegistration, .missingRegistration])
      container.register(Shared(DiskCache(), named: "optional"))
      let other = await #expect(throws: VerificationError.self) { try await container.verify() }
      #expect(
        other?.failures.map(\.description) == [
          """
          'MediaPlayer?' is registered, but resolves nothing: 'MediaPlayer?' asks for a 'MediaPlayer'.
            resolving  Optional<MediaPlayer>
            asked at   \(place(3))
            registered \(place(3))
            note       unwrap it first, or register 'MediaPlayer'
          """
        ])
      #expect(await container.graph().edges.count == 1)
    }
    #expect(
      result?.warnings == [
        optionalWarning("MediaPlayer?", 5), optionalWarning("Int?", 1), optionalWarning("RouterImpl??", 2),
        optionalWarning("MediaPlayer?", 3),
      ])
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
