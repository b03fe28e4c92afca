internal import DependencyInjection
internal import Testing

extension DIContainer {
  fileprivate static let maybe = Dependency<(any MediaPlayer)?>(.shared) { nil }
}

@Suite("Optionals that are registered")
struct OptionalRegistrationTests {
  @Test("Each optional type of a registration is a warning that names the place, once")
  func warnings() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) { registerOptionals() }
    let expected = [optionalWarning("MediaPlayer?", 1), optionalWarning("Int?", 2), optionalWarning("RouterImpl?", 3)]
    #expect(result?.warnings == expected)
  }

  @Test(
    "What is registered as an optional never answers, neither for the type that it wraps nor for an optional of it",
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

  @Test("An Optional that is registered is a near miss")
  func nearMiss() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let container = DIContainer()
      container.register(Shared(nil as (any MediaPlayer)?, line: 1))
      let error = try #require(failure { try container.tryResolve((any MediaPlayer).self) })
      #expect(
        error.notes == [
          "'MediaPlayer?' is registered at \(place(1)), but resolves nothing; unwrap it first, or register 'MediaPlayer'"
        ])
    }
    #expect(result?.warnings == [optionalWarning("MediaPlayer?", 1)])
  }

  @Test("A check reports each of them, and no declared dependency")
  func verify() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let container = DIContainer()
      container.register {
        New(5 as Int?, named: "five", line: 1)
        Shared(RouterImpl(), as: (any Router).self, RouterImpl??.self, line: 2)
        Shared { resolve in DIContainer.maybe(from: resolve) == nil ? 1 : 2 }
      }
      let error = await #expect(throws: VerificationError.self) { try await container.verify() }
      #expect(error?.failures.map(\.code) == [.optionalRegistration, .optionalRegistration])
      #expect(error?.failures.map { "\($0.type)" } == ["Optional<Int>", "Optional<Optional<RouterImpl>>"])
      #expect(error?.failures.first?.name == "five")
      let summary = "'RouterImpl??' is registered, but resolves nothing: 'RouterImpl??' asks for a 'RouterImpl'.\n"
      #expect(error?.failures.last?.description.hasPrefix(summary) == true)
    }
    #expect(result?.warnings == [optionalWarning("Int?", 1), optionalWarning("RouterImpl??", 2)])
  }

  @Test("What is registered as an optional is reported and checked itself, and what a factory takes away is not")
  func verifyItself() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let container = DIContainer()
      container.register {
        Shared { DIContainer.current.unregister(Double.self) }
        Shared(
          { resolve -> (any MediaPlayer)? in
            _ = try resolve.tryResolve(DiskCache.self, named: "optional")
            return nil
          }, line: 1)
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
            asked at   \(place(1))
            registered \(place(1))
            note       unwrap it first, or register 'MediaPlayer'
          """
        ])
      #expect(await container.graph().edges.count == 1)
    }
    #expect(result?.warnings == [optionalWarning("MediaPlayer?", 1)])
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
