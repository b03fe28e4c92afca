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
    let warnings = result?.message.split(separator: "\n").filter { $0.contains("registered") }.map { String($0) }
    func warning(_ type: String, _ line: Int) -> String {
      "warning: '\(type)?' is registered at \(place(line)), but resolves nothing: '\(type)?' asks for a '\(type)'. "
        + "Unwrap it first, or register '\(type)'."
    }
    #expect(warnings == [warning("MediaPlayer", 1), warning("Int", 2), warning("RouterImpl", 3)])
  }

  @Test("A check reports each of them, and no declared dependency")
  func verify() async {
    let container = DIContainer()
    container.register {
      New(5 as Int?, named: "five")
      Shared(RouterImpl(), as: (any Router).self, RouterImpl??.self)
      Shared { resolve in DIContainer.maybe(from: resolve) == nil ? 1 : 2 }
    }
    let error = await #expect(throws: VerificationError.self) { try await container.verify() }
    #expect(error?.failures.map(\.code) == [.optionalRegistration, .optionalRegistration])
    #expect(error?.failures.map { "\($0.type)" } == ["Optional<Int>", "Optional<Optional<RouterImpl>>"])
    #expect(error?.failures.first?.name == "five")
    let summary = "'RouterImpl??' is registered, but resolves nothing: 'RouterImpl??' asks for a 'RouterImpl'.\n"
    #expect(error?.failures.last?.description.hasPrefix(summary) == true)
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
