@testable import DITesting
import DependencyInjection
import XCTest

/// Each test overrides the same type; none sees the others' override, before or after.
final class DITestCaseTests: DITestCase {
  private var setUpContainer: DIContainer?

  override func setUp() {
    setUpContainer = .current
    DIContainer.register(appRegistrations)
  }

  override func tearDown() {
    XCTAssertTrue(setUpContainer === DIContainer.current)
    XCTAssertTrue(DIContainer.current !== DIContainer.shared)
  }

  func testIsIsolated() {
    XCTAssertEqual(DIContainer.resolve((any Router).self).name, "real")
    DIContainer.override((any Router).self, with: MockRouter("synchronous"))
    XCTAssertEqual(DIContainer.resolve((any Router).self).name, "synchronous")
    expectResolved((any Router).self, times: 2)
  }

  func testIsIsolatedWhileAsynchronous() async {
    XCTAssertEqual(DIContainer.resolve((any Router).self).name, "real")
    DIContainer.override((any Router).self, with: MockRouter("asynchronous"))
    await Task.yield()
    XCTAssertEqual(DIContainer.resolve((any Router).self).name, "asynchronous")
    XCTAssertTrue(setUpContainer === DIContainer.current)
  }

  func testReportsToXCTestFromADetachedTask() async {
    let framework = await Task.detached(
      operation: DIContainer.escaping {
        await Task.yield()
        return TestFramework.current
      }
    ).value
    XCTAssertEqual(framework, .xctest)
  }

  @MainActor
  func testIsIsolatedOnTheMainActor() async throws {
    XCTAssertEqual(DIContainer.resolve((any Router).self).name, "real")
    DIContainer.override { New(MockRouter("main") as any Router) }
    XCTAssertEqual(DIContainer.resolve((any Router).self).name, "main")
  }
}
