import DITesting
import DependencyInjection
import ExampleApp
import ExampleInterfaces
import Testing

// snippet: example-verify
@Suite(.isolatedContainer(.empty) { Module.bookShop })
struct BookShopTests {
  @Test("everything resolves")
  func registrations() async {
    await verifyRegistrations(arguments: { $0.type == BookPage.self ? 1 : nil })
  }

  @Test("a cart that nobody provides is found, with the way to it")
  func missing() async {
    DIContainer.unregister(Cart.self)

    let error = await #expect(throws: VerificationError.self) {
      try await DIContainer.current.verify(arguments: { $0.type == BookPage.self ? 1 : nil })
    }

    #expect(error?.failures.map(\.code) == [.missingRegistration])
    #expect(error?.failures.first?.path == ["BookPage", "Cart"])
  }
}
// end

@Suite(.isolatedContainer(.empty))
struct StartTests {
  @Test("once the shop has started, nobody has to wait for the database")
  func start() async throws {
    try await BookShop.start()

    #expect(DIContainer.resolve(Catalog.self).book(2) != nil)
    #expect(DIContainer.resolutions(of: Database.self).map(\.isCreated) == [true, false])
  }
}
