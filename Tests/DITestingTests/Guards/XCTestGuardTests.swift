@testable import DITesting
import DependencyInjection
import Dispatch
import XCTest

/// The guards, in XCTest, where a test uses the main thread and others the shared container.
final class XCTestGuardTests: FailureCollectingTestCase {
  private let file = "DITestingTests/XCTestGuardTests.swift"
  private let advice =
    """
    note       detached tasks, queues and threads do not inherit a test's container: wrap closures in `DIContainer.escaping`
      note       code that is meant to use the shared container says so with `DIContainer.withCurrent(.shared)`
    """

  override var escapes: EscapeHandling { .fail }

  override func setUp() {
    DIContainer.register(appRegistrations)
  }

  func testEscape() {
    let snapshot = DIContainer.shared.snapshot()
    defer { DIContainer.shared.restore(snapshot) }
    DIContainer.shared.register(Shared(MockRouter("shared") as any Router))
    let queue = DispatchQueue(label: "queue")
    queue.sync(execute: DispatchWorkItem { _ = DIContainer.resolve((any Router).self) })
    onQueue(DIContainer.escaping { _ = DIContainer.resolve((any Router).self) })
    let line = #line + 10
    expectXCTestFailure(
      """
      'Router' was resolved from the shared container by code that belongs to no test, or has lost the container of its test.
        Router (\(file):\(line))
        running    \(name)
        \(advice)
      """, at: "\(file):\(line)"
    ) {
      onQueue {
        _ = DIContainer.resolve((any Router).self)
      }
      DIContainer.current.recorder?.end()
    }
  }

  func testResolveAfterTheTest() {
    let test = IsolatedTest("short test", in: .xctest, at: FailureLocation())
    let container = Isolation(origin: .empty).container(for: test)
    container.register(appRegistrations)
    container.recorder?.end()
    let line = #line + 8
    expectXCTestFailure(
      """
      A resolution of 'Router' ended after its test.
        asked at   \(file):\(line)
        test       short test
        note       make the test wait for the task that resolves it, or cancel the task
      """, at: "\(#filePath):\(line - 12)"
    ) { _ = container.resolve((any Router).self) }
  }

  func testMissingRegistration() throws {
    let error = try XCTUnwrap(missing())
    expectXCTestFailure(error.description, at: "\(error.location)") {
      DIContainer.current.recorder?.willTrap(error)
    }
  }

  func testFailuresElsewhereStandAtTheLastCallOfTheTest() throws {
    DIContainer.override((any Router).self, with: MockRouter())
    let line = #line - 1
    let error = try XCTUnwrap(missing())
    expectXCTestFailure(error.description, at: "\(#filePath):\(line)") {
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

  /// Runs a closure on another thread and waits for it.
  private func onQueue(_ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group, execute: body)
    group.wait()
  }
}
