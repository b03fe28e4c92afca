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
}
