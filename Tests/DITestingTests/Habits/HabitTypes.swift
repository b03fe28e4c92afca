@testable import DITesting
import DependencyInjection
import Testing

// What tests with bad habits do: no trait, registrations in initializers, detached work, containers of their own. All of
// them use the same types at the same time.

/// What everybody resolves.
protocol Habit: AnyObject, Sendable {
  var owner: String { get }
}

final class RealHabit: Habit {
  let owner = "app"
}

final class OwnedHabit: Habit {
  let owner: String
  init(_ owner: String) { self.owner = owner }
}

final class HabitUser: Sendable {
  let habit: any Habit
  init(habit: any Habit) { self.habit = habit }
}

let habits = Module {
  Shared(RealHabit() as any Habit)
  New { resolve in HabitUser(habit: resolve()) }
}

/// The mistakes that the suite plants, each at a line of its own.
enum HabitMistakes {
  static let leak = #line + 2
  static func registerWithSharedContainer() {
    DIContainer.register(Shared(OwnedHabit("careless") as any Habit))
  }

  static let escape = #line + 1
  static func escapeFromTest() { _ = DIContainer.resolve(HabitUser.self) }

  static let late = #line + 1
  static func registerLate() { DIContainer.register(Shared(OwnedHabit("late") as any Habit)) }

  static let unexpected = #line + 1
  static func askForUnexpected() { _ = DIContainer.resolve((any Habit).self) }
}

/// One case of a suite, by its habit; nothing that it does may fail it.
func runHabit(_ number: Int) async {
  let owner = "case \(number)"
  switch number % 6 {
  case 0:  // registers in the test
    DIContainer.register(Shared(OwnedHabit(owner) as any Habit))
    #expect(DIContainer.resolve(HabitUser.self).habit.owner == owner)
    expectResolved((any Habit).self, times: 1)
  case 1:  // overrides, and goes on in tasks
    DIContainer.override((any Habit).self, with: OwnedHabit(owner))
    async let child = DIContainer.resolve(HabitUser.self).habit.owner
    let task = Task { DIContainer.resolve((any Habit).self).owner }
    #expect(await child == owner)
    #expect(await task.value == owner)
    expectResolved((any Habit).self, times: 2)
    expectOverridesResolved()
  case 2:  // has a container of its own
    let container = DIContainer()
    container.register(habits)
    container.override((any Habit).self, with: OwnedHabit(owner))
    #expect(container.resolve(HabitUser.self).habit.owner == owner)
    expectResolved((any Habit).self, times: 1, in: container)
    expectNotResolved((any Habit).self, in: .current)
  case 3:  // leaves the test, and takes the container along
    DIContainer.override((any Habit).self, with: OwnedHabit(owner))
    let found = await Task.detached(operation: DIContainer.escaping { DIContainer.resolve(HabitUser.self).habit.owner })
      .value
    #expect(found == owner)
    expectResolved((any Habit).self, times: 1)
  case 4:  // uses the shared container on purpose
    let found = await Task.detached {
      DIContainer.withCurrent(.shared) { DIContainer.resolve(HabitUser.self).habit.owner }
    }.value
    #expect(found == "app" || found == "careless")
    #expect(DIContainer.resolve((any Habit).self).owner == "app")
    expectResolved((any Habit).self, times: 1)
  default:  // does so without saying it: a warning, of any test
    await Task.detached { HabitMistakes.escapeFromTest() }.value
    #expect(DIContainer.resolve(HabitUser.self).habit.owner == "app")
    expectResolved((any Habit).self, times: 1)
  }
}
