import DependencyInjection
import ExampleInterfaces

// snippet: example-account
struct ShopAccount: Account {
  let server: Server

  func logIn(as name: String) async throws {
    let customer = try await Customer(name: server.send("login \(name)"))
    DIContainer.register(Shared(customer))
    DIContainer.reset(.session)
  }

  func logOut() {
    DIContainer.unregister(Customer.self)
    DIContainer.reset(.session)
  }
}
// end
