// snippet: xctest
import DITesting
import DependencyInjection
import XCTest

final class HomeFlowTests: DITestCase {
  func testOpensSettings() {
    let router = MockRouter()
    DIContainer.override(Router.self, with: router)

    HomeViewModel().showSettings()

    XCTAssertEqual(router.opened, ["/settings"])
    XCTAssertEqual(DIContainer.resolveCount(of: Router.self), 1)
  }
}
// end
