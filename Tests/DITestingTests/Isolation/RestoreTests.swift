@testable import DITesting
import DependencyInjection
import XCTest

/// A type for these tests only, because all tests use the shared container.
private final class Restored: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

private final class Added: Sendable {}

/// Each test finds the shared container as it was before the others, in whatever order they run.
final class RestoreTests: XCTestCase {
  private static let original = Restored("original")
  private static let snapshot = Locked<DIContainer.Snapshot?>(nil)

  override class func setUp() {
    snapshot.withLock { $0 = DIContainer.shared.snapshot() }
    DIContainer.shared.register(Shared(Self.original))
    _ = DIContainer.resolve(Restored.self)
  }

  override class func tearDown() {
    XCTAssertTrue(DIContainer.resolve(Restored.self) === original)
    if let snapshot = snapshot.withLock({ $0 }) { DIContainer.shared.restore(snapshot) }
    snapshot.withLock { $0 = nil }
    XCTAssertTrue(DIContainer.shared.observers.isEmpty)
  }

  override func setUp() {
    restoreRegistrationsAfterTest()
    checkIsOriginal()
    XCTAssertResolved(Restored.self, times: 1)
  }

  private func checkIsOriginal() {
    XCTAssertTrue(DIContainer.resolve(Restored.self) === Self.original)
    XCTAssertNil(DIContainer.resolve(Added?.self))
  }

  private func change(to name: String) {
    DIContainer.override(Restored.self, with: Restored(name))
    DIContainer.register(Shared(Added()))
    XCTAssertEqual(DIContainer.resolve(Restored.self).name, name)
    XCTAssertNotNil(DIContainer.resolve(Added?.self))
    XCTAssertResolved(Restored.self, times: 2)
    expectOverridesResolved()
  }

  func testCountsForContainersOfTheTest() {
    let container = DIContainer()
    container.register(Shared(Added()))
    _ = DIContainer(parent: container).resolve(Added.self)
    XCTAssertResolved(Added.self, times: 1, in: container)
  }

  func testRestoresAfterThis() { change(to: "first") }
  func testRestoresAfterThat() { change(to: "second") }

  func testRestoresAfterAsynchronous() async {
    await Task.yield()
    change(to: "asynchronous")
    let detached = await Task.detached { DIContainer.resolve(Restored.self).name }.value
    XCTAssertEqual(detached, "asynchronous", "what runs anywhere sees the override")
  }

  func testCountsWhatIsResolvedInsideOfOverrides() {
    DIContainer.withOverrides {
      Shared(Restored("closure"))
    } perform: {
      XCTAssertEqual(DIContainer.resolve(Restored.self).name, "closure")
      XCTAssertResolved(Restored.self, times: 1, in: .current)
    }
    checkIsOriginal()
    XCTAssertResolved(Restored.self, times: 3)
  }

  func testNests() {
    change(to: "outer")
    restoreRegistrationsAfterTest()
    DIContainer.override(Restored.self, with: Restored("inner"))
  }
}

/// What happens after the teardown blocks still belongs to the test.
final class RestoreAfterTearDownTests: XCTestCase {
  private static let recorder = Locked<ResolutionRecorder?>(nil)

  override func setUp() {
    // Here, because XCTest on Linux ignores what fails after the last test of a class.
    XCTAssertNil(DIContainer.resolve(Added?.self))
    XCTAssertFalse(DIContainer.shared.observers.contains { $0 is ResolutionRecorder })
    XCTAssertNotEqual(Self.recorder.withLock { $0.take() }?.state.withLock(\.isOver), false)
    restoreRegistrationsAfterTest()
    Self.recorder.withLock { $0 = DIContainer.current.recorder }
    DIContainer.override { Shared(Added()) }
    addTeardownBlock { _ = DIContainer.resolve(Added.self) }
  }

  override func tearDown() {
    XCTAssertNotNil(DIContainer.resolve(Added?.self))
    XCTAssertResolved(Added.self, times: 3)
    expectOverridesResolved()
  }

  override func tearDown() async throws {
    await Task.yield()
    XCTAssertResolved(Added.self, times: 2...3)
  }

  func testOnce() { _ = DIContainer.resolve(Added.self) }
  func testAgain() async { _ = DIContainer.resolve(Added.self) }
}

/// In a test with a container of its own, there is nothing to restore, and nothing to fear.
final class RestoreInDITestCaseTests: DITestCase {
  func testKeepsTheRecorder() {
    DIContainer.register(appRegistrations)
    let recorder = DIContainer.current.recorder
    restoreRegistrationsAfterTest()
    XCTAssertNotNil(recorder)
    XCTAssertTrue(DIContainer.current.recorder === recorder)
    XCTAssertEqual(DIContainer.current.observers.count { $0 is ResolutionRecorder }, 1)
  }
}
