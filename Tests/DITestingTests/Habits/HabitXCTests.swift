@testable import DITesting
import DependencyInjection
import XCTest

/// The habits of XCTest: each case runs fifty tests of its kind, with containers and without, and asserts in `tearDown`.
class HabitTestCase: DITestCase {
  override var origin: IsolationOrigin { .empty }
  override var registrations: Module { habits }

  override func tearDown() { expectOverridesResolved() }

  func testHabits() async {
    for number in 0..<50 { await withIsolatedContainer { await runHabit(number % 4) } }
  }

  func testSynchronously() {
    DIContainer.override((any Habit).self, with: OwnedHabit("test"))
    XCTAssertEqual(DIContainer.resolve(HabitUser.self).habit.owner, "test")
    XCTAssertResolved((any Habit).self, times: 1)
  }

  func testOwnContainer() {
    let container = DIContainer()
    container.register(habits)
    XCTAssertEqual(container.resolve(HabitUser.self).habit.owner, "app")
    XCTAssertResolved((any Habit).self, times: 1, in: container)
  }
}

/// The same without `DITestCase`: what a test has changed is put back after its teardown.
final class RestoringHabitTests: XCTestCase {
  override func setUp() {
    restoreRegistrationsAfterTest()
    XCTAssertNil(DIContainer.resolve((any Habit)?.self))
    DIContainer.register(habits)
  }

  override func tearDown() {
    XCTAssertResolved((any Habit).self, times: 1...)
    XCTAssertNotNil(DIContainer.resolve((any Habit)?.self))
  }

  func testFirst() { XCTAssertEqual(DIContainer.resolve(HabitUser.self).habit.owner, "app") }

  func testSecond() async {
    DIContainer.override((any Habit).self, with: OwnedHabit("second"))
    let found = await Task.detached { DIContainer.resolve(HabitUser.self).habit.owner }.value
    XCTAssertEqual(found, "second")
  }
}
