import DITesting
import DependencyInjection
import ExampleInterfaces
import ExampleOrdering
import Testing

@Suite(
  "Ordering",
  .isolatedContainer(.empty) {
    Module.ordering
    Module.stubs
  })
struct OrderingTests {
  @Inject private var account: Account

  // snippet: example-session-tests
  @Test("each session has a cart of its own")
  func sessions() async throws {
    try await account.logIn(as: "Ada")
    await DIContainer.resolve(Cart.self).add(Book(id: 1, title: "Walden"))
    #expect(await DIContainer.resolve(Cart.self).books.count == 1)

    account.logOut()

    #expect(await DIContainer.resolve(Cart.self).books.isEmpty)
  }
  // end

  @Test("an order names who is logged in")
  func customer() async throws {
    #expect(try await DIContainer.resolve(Cart.self).order().hasSuffix("for a guest"))
    try await account.logIn(as: "Ada")
    #expect(try await DIContainer.resolve(Cart.self).order().hasSuffix("for login Ada"))
    account.logOut()
    #expect(try await DIContainer.resolve(Cart.self).order().hasSuffix("for a guest"))
  }

  @Test("logging in leaves the server for orders alone", .isolatedContainer { Unexpected(Server.self, named: .orders) })
  func servers() async throws {
    try await account.logIn(as: "Ada")
    expectResolved(Server.self, times: 1)
  }
}
