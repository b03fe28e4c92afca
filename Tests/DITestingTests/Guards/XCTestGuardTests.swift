@testable import DITesting
import DependencyInjection
import XCTest

/// The guards that fail a test of XCTest; `XCTestWarningTests` has those that warn.
final class XCTestGuardTests: FailureCollectingTestCase {
  /// A Boolean value that indicates whether XCTest was running, without a test, when the class was set up.
  private static let wasBetweenTests = Locked(false)

  override class func setUp() { wasBetweenTests.withLock { $0 = TestRun.isRunning && TestRun.name == nil } }

  override func setUp() {
    DIContainer.register(appRegistrations)
  }

  func testClassIsSetUpBetweenTests() { XCTAssertTrue(Self.wasBetweenTests.withLock { $0 }) }

  func testMissingRegistration() throws {
    let error = try XCTUnwrap(missing())
    let isReported = Locked(false)
    Reports.keep { isReported.withLock { $0 = true } }
    expectXCTestFailure(error.description, at: "\(error.location)") { DIContainer.current.recorder?.willTrap(error) }
    XCTAssertTrue(isReported.withLock { $0 }, "what waits for a factory, which never ends")
  }

  func testFailuresElsewhereStandAtTheLastCallOfTheTest() throws {
    DIContainer.override((any Router).self, with: MockRouter())
    let line = #line - 1
    let error = try XCTUnwrap(missing())
    expectXCTestFailure(error.description, at: "\(#filePath):\(line)") {
      DIContainer.current.recorder?.willTrap(error)
    }
    expectNotResolved((any Router).self)
    expectXCTestFailure(error.description, at: "\(#filePath):\(#line - 1)") {
      DIContainer.current.recorder?.willTrap(error)
    }
  }

  private func missing() -> ResolutionError? {
    do throws(ResolutionError) {
      _ = try DIContainer.tryResolve(Int.self)
      return nil
    } catch {
      return error
    }
  }
}

/// A test that is not isolated.
final class XCTestFrameworkTests: XCTestCase {
  func testIsCurrent() { XCTAssertEqual(TestFramework.current, .xctest) }
}
