@testable import DITesting
import DependencyInjection
import Dispatch
import XCTest

/// The guards, in XCTest, where a test uses the main thread and others the shared container.
final class XCTestGuardTests: FailureCollectingTestCase {
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
    // A warning, which XCTest prints.
    onQueue { _ = DIContainer.resolve((any Router).self) }
    DIContainer.current.recorder?.end()
  }

  func testResolveAfterTheTest() {
    let test = IsolatedTest("short test", in: .xctest, at: FailureLocation())
    let container = Isolation(origin: .empty).container(for: test)
    container.register(appRegistrations)
    container.recorder?.end()
    // A warning, which XCTest prints: it fails neither that test nor the one that runs now.
    _ = container.resolve((any Router).self)
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
