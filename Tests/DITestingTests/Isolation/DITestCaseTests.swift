@testable import DITesting
import DependencyInjection
import Dispatch
import XCTest

/// Does what every test of the classes below does: finds the original, overrides it, and finds the override.
private func overrideRouter(with name: String) {
  XCTAssertEqual(DIContainer.resolve((any Router).self).name, "real")
  DIContainer.override((any Router).self, with: MockRouter(name))
  XCTAssertEqual(DIContainer.resolve((any Router).self).name, name)
  XCTAssertResolved((any Router).self, times: 2)
}

/// Passes a test into a factory, which runs on the test's own thread.
private struct UncheckedBox<Value>: @unchecked Sendable {
  // Unchecked: see above.
  let value: Value
}

/// Each test overrides the same type; none sees the others' override, before or after.
final class DITestCaseTests: DITestCase {
  private var setUpContainer: DIContainer?
  @LazyInject private var router: any Router

  override func setUp() {
    setUpContainer = .current
    DIContainer.register(appRegistrations)
    addTeardownBlock { [setUpContainer] in XCTAssertEqual(setUpContainer, DIContainer.current) }
  }

  override func tearDown() {
    XCTAssertEqual(setUpContainer, DIContainer.current)
    XCTAssertNotEqual(DIContainer.current, DIContainer.shared)
  }

  func testIsIsolated() {
    XCTAssertTrue(TestRun.isIsolated)
    overrideRouter(with: "synchronous")
  }

  func testIsIsolatedWhileThrowing() throws { overrideRouter(with: "throwing") }

  func testIsIsolatedWhileAsynchronous() async {
    overrideRouter(with: "asynchronous")
    await Task.yield()
    XCTAssertEqual(DIContainer.resolve((any Router).self).name, "asynchronous")
    async let child = DIContainer.resolve((any Router).self).name
    let name = await child
    XCTAssertEqual(name, "asynchronous")
    XCTAssertEqual(setUpContainer, DIContainer.current)
  }

  @MainActor
  func testIsIsolatedOnTheMainActor() async throws { overrideRouter(with: "main") }

  func testCountsWhatIsResolvedInsideOfOverrides() {
    let router = DIContainer.resolve((any Router).self)
    DIContainer.withOverrides {
      Shared(MockRouter("closure") as any Router)
    } perform: {
      XCTAssertNotEqual(DIContainer.current, setUpContainer)
      XCTAssertEqual(DIContainer.resolve(HomeViewModel.self).router.name, "closure")
      XCTAssertResolved((any Router).self, times: 1, in: .current)
      XCTAssertResolved((any Router).self, times: 2)
    }
    XCTAssertTrue(DIContainer.resolve((any Router).self) === router)
    XCTAssertResolved((any Router).self, times: 3)
  }

  func testPropertiesOfTheTestCaseAreInjectedLazily() {
    DIContainer.override((any Router).self, with: MockRouter("lazy"))
    XCTAssertEqual(router.name, "lazy")
  }

  func testMainQueueHasTheContainerWhileTheTestWaits() {
    DIContainer.override((any Router).self, with: MockRouter("queue"))
    let done = expectation(description: "The main queue has run a block.")
    nonisolated(unsafe) var name: String?  // Only the main thread uses it.
    DispatchQueue.main.async {
      unsafe name = DIContainer.resolve((any Router).self).name
      done.fulfill()
    }
    wait(for: [done], timeout: 600)
    XCTAssertEqual(unsafe name, "queue")
  }

  func testMainQueueHasTheContainerWhileAnAsynchronousTestWaits() async {
    DIContainer.override((any Router).self, with: MockRouter("queue"))
    for _ in 0..<2 {
      await Task.yield()
      let (onMain, onOther) = (await container(on: .main), await container(on: .global()))
      XCTAssertEqual(onMain, DIContainer.current)
      XCTAssertEqual(onOther, DIContainer.shared)
    }
  }

  /// The container that is current for code that a queue runs.
  private nonisolated func container(on queue: DispatchQueue) async -> DIContainer {
    await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: .current) } }
  }

  func testFailuresInsideOfFactoriesAreRecordedWhenTheyAreOver() {
    final class Order { var events: [String] = [] }
    nonisolated(unsafe) let order = Order()  // Only this thread uses it.
    let test = UncheckedBox(value: self)
    DIContainer.register {
      Shared { resolve in
        unsafe order.events.append("outer begins")
        let router = resolve((any Router).self)
        unsafe order.events.append("outer ends")
        return HomeViewModel(router: router)
      }
      Shared { () -> any Router in
        test.value.recordAfterResolve { unsafe order.events.append("failure") }
        unsafe order.events.append("inner ends")
        return RouterImpl()
      }
    }
    _ = DIContainer.resolve(HomeViewModel.self)
    XCTAssertEqual(unsafe order.events, ["outer begins", "inner ends", "outer ends", "failure"])
    DIContainer.register(
      Shared { () throws -> Int in
        test.value.recordAfterResolve { unsafe order.events.append("after an error") }
        throw CancellationError()
      })
    XCTAssertNil(try? DIContainer.tryResolve(Int.self))
    XCTAssertEqual(unsafe order.events.last, "after an error")
    recordAfterResolve { unsafe order.events.append("at once") }
    XCTAssertEqual(unsafe order.events.last, "at once")
    XCTAssertNotNil(DIContainer.resolve(HomeViewModel.self))
  }

  func testFailuresInsideOfFactoriesAreRecordedAtTheEndIfNothingElseIs() {
    final class Order { var events: [String] = [] }
    nonisolated(unsafe) let order = Order()  // Only this thread uses it.
    let test = UncheckedBox(value: self)
    Isolation(origin: .empty, isRecorded: false).run("unrecorded", in: .xctest, at: nil) {
      DIContainer.register(
        Shared { () -> any Router in
          test.value.recordAfterResolve { unsafe order.events.append("failure") }
          return RouterImpl()
        })
      _ = DIContainer.resolve((any Router).self)
      XCTAssertEqual(unsafe order.events, [])
    }
    XCTAssertEqual(unsafe order.events, ["failure"])
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
}

/// The same with asynchronous and throwing setup and teardown.
final class AsynchronousDITestCaseTests: DITestCase {
  override func setUp() async throws {
    await Task.yield()
    DIContainer.register(appRegistrations)
    addTeardownBlock {
      await Task.yield()
      XCTAssertNotEqual(DIContainer.resolve((any Router).self).name, "real")
    }
  }

  override func setUpWithError() throws {
    XCTAssertNotNil(try? DIContainer.tryResolve((any Router).self))
  }

  override func tearDown() async throws {
    XCTAssertResolved((any Router).self, times: 4)
  }

  func testIsIsolated() { check("first") }
  func testIsIsolatedAgain() async throws { check("second") }

  private func check(_ name: String) {
    XCTAssertEqual(DIContainer.resolve((any Router).self).name, "real")
    DIContainer.override((any Router).self, with: MockRouter(name))
    XCTAssertEqual(DIContainer.resolve((any Router).self).name, name)
  }
}

/// A class on the main actor.
@MainActor
final class MainActorDITestCaseTests: DITestCase {
  func testIsIsolated() async {
    DIContainer.register(appRegistrations)
    overrideRouter(with: "first")
  }

  func testIsIsolatedAgain() {
    DIContainer.register(appRegistrations)
    overrideRouter(with: "second")
  }
}
