import DITesting
import DependencyInjection
import XCTest

// What stands between the markers stands in the article on testing, word for word.

// snippet: testing-xctest
final class SettingsFlowTests: DITestCase {
  private let router = MockRouter()
  @LazyInject private var config: AppConfiguration

  override func setUp() {
    DIContainer.register(AppModule.all)
    DIContainer.override(Router.self, with: router)
  }

  func testOpensSettings() {
    HomeViewModel().showSettings()

    XCTAssertEqual(router.opened, ["/settings"])
    XCTAssertResolved(Router.self, times: 1)
    XCTAssertNotResolved(AppConfiguration.self)
  }
}
// end

// snippet: testing-restore
final class LegacyTests: XCTestCase {
  override func setUp() {
    restoreRegistrationsAfterTest()
    DIContainer.override { New(MockRouter() as Router) }
  }

  func testOpens() {
    HomeViewModel().showSettings()
    XCTAssertResolved(Router.self, times: 1)
  }
}
// end
