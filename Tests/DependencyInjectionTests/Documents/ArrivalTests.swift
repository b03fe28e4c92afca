internal import DependencyInjection
internal import Testing

/// One test for each thing that a user of another library expects; the details are in the tests of each feature.
struct ArrivalTests {
  let container = DIContainer()

  @Test("The concrete type behind aliases")
  func concreteType() {
    container.rejectsDuplicates = true
    container.register(Shared(RouterImpl.init, as: (any Router).self))
    let router = container.resolve(RouterImpl.self)
    #expect(container.resolve((any Router).self) === router)
    container.register(Shared(RouterImpl()))
    #expect(container.resolve(RouterImpl.self) !== router, "the newest one wins, and is no duplicate")
    container.unregister((any Router).self)
    #expect(container.resolve(RouterImpl?.self) != nil, "and it does not need the alias")
    container.unregister(RouterImpl.self)
    #expect(container.resolve(RouterImpl?.self) == nil)
  }

  @Test("The text of an error, the arguments in registrations, and early cycles")
  func texts() throws {
    container.register(New { (_: Resolver, id: String, count: Int) in ConcreteViewModel(id: id) as any ViewModel })
    let line = #line - 1
    #expect(container.registrations[0].arguments == (String, Int).self)
    #expect("\(container.registrations[0])" == "New ViewModel(String, Int) at \(place(line))")
    container.register(New { (_: Resolver, id: String) in ConcreteViewModel(id: id) as any ViewModel })
    #expect(container.registrations.map(\.description) == ["New ViewModel(String) at \(place(line + 4))"])
    let error = try #require(failure { try container.tryResolve((any ViewModel).self) })
    #expect("\(error)".hasPrefix("'ViewModel' takes arguments (String), got none."))
  }
}
