import DITesting
import DependencyInjection
import XCTest

// What stands between the markers stands in the article on testing, word for word.

// snippet: testing-first-xctest
final class SettingsXCTests: DITestCase {
  func testOpensSettings() {
    let router = MockRouter()
    DIContainer.override(Router.self, with: router)

    HomeViewModel().showSettings()

    XCTAssertEqual(router.opened, ["/settings"])
    XCTAssertResolved(Router.self, times: 1)
  }
}
// end

// snippet: testing-xctest
final class SettingsFlowTests: DITestCase {
  private let router = MockRouter()
  @LazyInject private var config: AppConfiguration

  override var registrations: Module { Module.app }

  override func setUp() {
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

class MockedFlowTests: DITestCase {
  override var registrations: Module { Module.app }
}

final class MockedSettingsFlowTests: MockedFlowTests {
  override var registrations: Module {
    Module {
      super.registrations; New(MockRouter() as Router)
    }
  }

  func testUsesMock() {
    XCTAssert(DIContainer.resolve(Router.self) is MockRouter)
    XCTAssertNotNil(DIContainer.resolve(AppConfiguration?.self))
  }
}

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

// snippet: testing-base-class
class AppTestCase: XCTestCase {
  override func invokeTest() {
    withIsolatedContainer {
      Module.app
    } perform: {
      super.invokeTest()
    }
  }
}
// end

final class AppTests: AppTestCase {
  func testWaits() {
    let router = MockRouter()
    DIContainer.override(Router.self, with: router)
    let opened = expectation(description: "It was opened.")

    DispatchQueue.main.async {
      DIContainer.resolve(Router.self).open("/main")  // runs inside of wait(for:)
      opened.fulfill()
    }

    wait(for: [opened], timeout: 60)
    XCTAssertEqual(router.opened, ["/main"])
  }
}
