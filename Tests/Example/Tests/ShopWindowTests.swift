import DITesting
import DependencyInjection
import ExampleApp
import ExampleInterfaces
import XCTest

// snippet: example-xctest
final class ShopWindowTests: DITestCase {
  override var registrations: Module {
    Module {
      Module.bookShop
      Module.stubs  // replaces the registrations of the platform
    }
  }

  @MainActor
  func testGuestBuysBook() async throws {
    let window = ShopWindow()

    await window.open(1).addToCart()
    let answer = try await DIContainer.resolve(Cart.self).order()

    XCTAssertEqual(answer, "order Walden for a guest")
    XCTAssertNotResolved(Account.self)
  }
}
// end
