@testable import DITesting
import DependencyInjection
import Testing
import XCTest

/// The assertions, in XCTest: each passes, and each fails once, at its line, with its text.
final class XCTestExpectationTests: FailureCollectingTestCase {
  private let file = "DITestingTests/XCTestExpectationTests.swift"

  override func setUp() {
    DIContainer.register(appRegistrations)
  }

  func testAssertResolved() {
    XCTAssertNotResolved((any Router).self)
    let line = #line + 1
    _ = DIContainer.resolve(HomeViewModel.self)
    XCTAssertResolved((any Router).self)
    XCTAssertResolved((any Router).self, times: 1)
    XCTAssertResolved((any Router).self, times: ...1)
    let path = "HomeViewModel → Router (DITestingTests/Fixtures.swift:\(lineOfRegistrations + 3))"
    let tooFew =
      "Expected 'Router' to be resolved 2 times, but it was resolved once.\n  \(path)"
    expectXCTestFailure(tooFew) { XCTAssertResolved((any Router).self, times: 2) }
    let none =
      "Expected 'Analytics' to be resolved at least once, but it was not."
    expectXCTestFailure(none) { XCTAssertResolved((any Analytics).self, times: 1...) }
    let unwanted =
      "Expected 'HomeViewModel' not to be resolved, but it was resolved once.\n  HomeViewModel (\(file):\(line))"
    expectXCTestFailure(unwanted) { XCTAssertNotResolved(HomeViewModel.self) }
  }

  func testExpectResolved() {
    expectNotResolved((any Router).self)
    expectResolved((any Router).self, times: 1) { _ = DIContainer.resolve((any Router).self) }
    let range =
      "Expected 'Analytics' to be resolved 2 to 3 times, but it was not."
    expectXCTestFailure(range) { expectResolved((any Analytics).self, times: 2...3) }
  }

  func testExpectResolvedAsynchronously() async {
    await expectResolved((any Router).self, times: 2) {
      async let child = DIContainer.resolve((any Router).self).name
      let own = DIContainer.resolve((any Router).self).name
      let other = await child
      XCTAssertEqual(own, other)
    }
  }

  func testExpectResolvedInOrder() {
    let line = #line + 1
    _ = DIContainer.resolve((any Router).self)
    _ = DIContainer.resolve((any Analytics).self)
    expectResolvedInOrder((any Router).self, (any Analytics).self)
    let order =
      """
      Expected 'Analytics', 'Router' to be resolved in this order, but 'Router' was not resolved after 'Analytics'.
        Router (\(file):\(line))
        Analytics (\(file):\(line + 1))
      """
    expectXCTestFailure(order) { expectResolvedInOrder((any Analytics).self, (any Router).self) }
  }

  func testExpectOverridesResolved() {
    expectOverridesResolved()
    let line = #line + 1
    DIContainer.override((any Router).self, with: MockRouter())
    let unused =
      "Expected every override to be resolved, but nothing resolved this one:\n  Router (\(file):\(line))"
    expectXCTestFailure(unused) { expectOverridesResolved() }
    _ = DIContainer.resolve((any Router).self)
    expectOverridesResolved()
  }

  func testOverridesThatMustBeResolvedFailAtTheFirstIfTheLocationOfTheTestIsUnknown() {
    let line = #line + 4
    let unused = "Expected every override to be resolved, but nothing resolved this one:\n  Router (\(file):\(line))"
    expectXCTestFailure(unused, at: "\(file):\(line)") {
      Isolation(overrides: .mustBeResolved).run("test", in: .xctest, at: nil) {
        DIContainer.override { New(MockRouter() as any Router) }
      }
    }
  }

  func testLocationOfAHelper() {
    let location = SourceLocation(fileID: "Module/Other.swift", filePath: "/Ähre/Other.swift", line: 7, column: 3)
    expectXCTestFailure(
      "Expected 'Router' to be resolved at least once, but it was not.", at: "/Ähre/Other.swift:7"
    ) {
      expectResolved((any Router).self, sourceLocation: location)
    }
    // The path stays in memory, once.
    let address = { unsafe UInt(bitPattern: FailureLocation(location).filePath.utf8Start) }
    XCTAssertEqual(address(), address())
  }

  func testUnexpected() {
    let line = #line + 1
    DIContainer.override { Unexpected((any Router).self) }
    expectXCTestFailure(
      """
      'Router' was resolved, but the test declares it unexpected.
        Router (\(file):\(line + 8))
        declared   \(file):\(line)
      """, at: "\(#filePath):\(line)"
    ) {
      _ = DIContainer.resolve((any Router).self)
    }
    _ = DIContainer.resolve((any Analytics).self)
  }

  func testUnexpectedInsideOfAFactoryIsReportedWhenTheOutermostIsOver() {
    // Sound: only this thread uses them.
    nonisolated(unsafe) let test = self
    nonisolated(unsafe) var numberInFactory: Int?
    let line = #line + 1
    DIContainer.override { Unexpected((any Router).self) }
    DIContainer.register(
      Shared { resolve in
        let router = resolve((any Router).self)
        unsafe numberInFactory = test.numberOfFailures
        return HomeViewModel(router: router)
      })
    expectXCTestFailure(
      """
      'Router' was resolved, but the test declares it unexpected.
        HomeViewModel → Router (\(file):\(line + 3))
        declared   \(file):\(line)
      """, at: "\(#filePath):\(line)"
    ) {
      _ = DIContainer.resolve(HomeViewModel.self)
    }
    XCTAssertEqual(unsafe numberInFactory, 0)
  }

  func testReportsFromFactoriesComeWhenTheOutermostIsOverEvenIfNothingIsRecorded() {
    // Sound: only this thread uses it.
    nonisolated(unsafe) let test = self
    let line = #line + 1
    let model = New { resolve in
      let router = resolve((any Router).self)
      unsafe XCTAssertEqual(test.numberOfFailures, 0)
      return HomeViewModel(router: router)
    }
    let path = "HomeViewModel → Router (\(file):\(line + 1))"
    func resolveOnce() {
      _ = DIContainer.resolve(HomeViewModel.self)
      XCTAssertEqual(numberOfFailures, 1)
    }
    // With a recorder, the call that isolates is known.
    let isolation = #line + 10
    for isRecorded in [false, true] {
      expectXCTestFailure(
        """
        'Router' was resolved, but the test has not overridden it.
          \(path)
          registered DITestingTests/Fixtures.swift:\(lineOfRegistrations + 1)
          note       with `.unexpected`, a test resolves only types that it overrides or registers
        """, at: isRecorded ? "\(#filePath):\(isolation)" : "\(file):\(line + 1)"
      ) {
        withIsolatedContainer(.unexpected, recording: isRecorded) {
          model
        } perform: {
          resolveOnce()
        }
      }
    }
    let declared = #line + 9
    expectXCTestFailure(
      """
      'Router' was resolved, but the test declares it unexpected.
        \(path)
        declared   \(file):\(declared)
      """, at: "\(#filePath):\(declared)"
    ) {
      withIsolatedContainer(recording: false) {
        Unexpected((any Router).self)
        model
      } perform: {
        resolveOnce()
      }
    }
  }

  func testExpectationMakesTheReportsThatWait() {
    let isReported = Locked(false)
    Reports.keep { isReported.withLock { $0 = true } }
    expectNotResolved((any Router).self)
    XCTAssertTrue(isReported.withLock { $0 })
  }

  func testLostContainer() async {
    let text =
      "Cannot count the resolutions of 'Router': this code has lost the container of its test. Detached tasks, queues and "
      + "threads do not inherit it: wrap the closure in `DIContainer.escaping`."
    await expectXCTestFailure(text) { await Task.detached { XCTAssertNotResolved((any Router).self) }.value }
    // A child of the shared container is no origin, either.
    let line: UInt = #line + 1
    await expectXCTestFailure(text) {
      await Task.detached {
        DIContainer.withCurrent(DIContainer(parent: .current)) { XCTAssertNotResolved((any Router).self, line: line) }
      }.value
    }
  }

  func testReportsAtOnceFromATaskThatHasAnotherContainerOfTheTest() async {
    let other = DIContainer()
    let line: UInt = #line + 1
    await expectXCTestFailure("Expected 'Int' to be resolved at least once, but it was not.") {
      await Task.detached { DIContainer.withCurrent(other) { XCTAssertResolved(Int.self, line: line) } }.value
    }
  }

  func testNotIsolated() {
    let notIsolated =
      ": the test is not isolated. Add the trait `.isolatedContainer`; in XCTest, inherit from `DITestCase`, or call "
      + "`restoreRegistrationsAfterTest()`."
    let older =
      " in the current container: it was created before the isolation of the test began, or by code that does not belong "
      + "to it. Create it in the test."
    for (test, reason) in [(nil, notIsolated), (IsolatedTest.current, older)] {
      IsolatedTest.$current.withValue(test) {
        DIContainer.withCurrent(.shared) {
          let text = "Cannot count the resolutions of 'Router'" + reason
          expectXCTestFailure(text) { XCTAssertNotResolved((any Router).self) }
          expectXCTestFailure(text) { _ = DIContainer.resolveCount(of: (any Router).self) }
        }
      }
    }
  }
}
