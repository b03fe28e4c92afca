import DITesting
import DependencyInjection
import ExampleBrowsing
import ExampleInterfaces
import Testing

// snippet: example-feature-tests
@Suite(
  "Browsing",
  .isolatedContainer(.empty) {
    Module.browsing
    Module.stubs
  })
@MainActor
struct BrowsingTests {
  @Test("a page puts its book into the cart")
  func addsToCart() async {
    let cart = CartSpy()
    DIContainer.override(Cart.self, with: cart)

    let page = DIContainer.resolve(BookPage.self) { 1 }
    await page.addToCart()

    #expect(await cart.books == [Book(id: 1, title: "Walden")])
    expectNotResolved(Account.self)
  }

  @Test("all pages share one catalog")
  func sharesCatalog() {
    DIContainer.override(Cart.self, with: CartSpy())

    for id in 1...3 { _ = DIContainer.resolve(BookPage.self) { id } }

    expectResolved(Catalog.self, times: 3)
    expectResolved(Database.self, times: 1)
  }
}
// end
