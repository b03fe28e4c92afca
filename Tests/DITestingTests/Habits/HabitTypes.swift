@testable import DITesting
import DependencyInjection
import Testing

// What tests with bad habits do: no trait, registrations in initializers, detached work, containers of their own. All of
// them use the same types at the same time.

/// The type that all tests resolve.
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

final class HabitLog: Sendable {}

/// A class that resolves when it is released, and has a lazy property that nobody reads.
final class DepartingHabit: Habit, @unchecked Sendable {
  // Unchecked: nothing sets a property.
  let owner: String
  @LazyInject private var log: HabitLog
  init(_ owner: String) { self.owner = owner }
  deinit { _ = (DIContainer.resolve(HabitLog.self), log) }
}

@MainActor
final class HabitScreen {
  let user: HabitUser
  init(user: HabitUser) { self.user = user }

  static func owner() -> String { DIContainer.resolve(HabitScreen.self).user.habit.owner }
}

extension DIContainer {
  static let declaredHabit = Dependency<any Habit> { RealHabit() }
}

let habits = Module {
  Shared(RealHabit() as any Habit)
  Shared(HabitLog())
  New { resolve in HabitUser(habit: resolve()) }
  New { @MainActor resolve in HabitScreen(user: resolve()) }
}

/// The mistakes that the suite plants, each at a line of its own.
enum HabitMistakes {
  static let leak = #line + 2
  static func registerWithSharedContainer() {
    DIContainer.register(Shared(OwnedHabit("careless") as any Habit))
  }

  static let escape = #line + 1
  static func escapeFromTest() { _ = DIContainer.resolve(HabitUser.self) }

  static let outliving = #line + 1
  static func resolveLate() { _ = DIContainer.resolve((any Habit).self) }

  // What follows is planted in tests of its own, and reported by each of them.

  static let mixed = #line + 2
  static func overrideByType() {
    DIContainer.override((any Habit).self, with: OwnedHabit("mock"))
    _ = DIContainer.declaredHabit()
  }

  static let mixedInside = #line + 3
  static func overrideByTypeInside() {
    DIContainer.withOverrides {
      Shared(OwnedHabit("mock") as any Habit)
    } perform: {
      _ = DIContainer.declaredHabit()
    }
  }

  static let tooLate = #line + 3
  static func overrideTooLate() {
    _ = DIContainer.resolve((any Habit).self)
    DIContainer.override((any Habit).self, with: OwnedHabit("late"))
  }

  static let useless = #line + 2
  static func overrideUselessly() {
    DIContainer.override(RealHabit.self, with: RealHabit())
    _ = DIContainer.resolve((any Habit).self)
  }

  static let misspelled = #line + 2
  static func overrideMisspelled() {
    DIContainer.override((any Habit).self, named: "spar", with: OwnedHabit("mock"))
    _ = DIContainer.resolve((any Habit).self)
  }

  static let unexpectedClass = #line + 2
  static func forbidConcrete() {
    DIContainer.override { Unexpected(RealHabit.self) }
    _ = DIContainer.resolve((any Habit).self)
  }

  static func expectMisspelled() {
    DIContainer.register(Shared(RealHabit() as any Habit, named: "spare"))
    expectNotResolved((any Habit).self, named: "spar")
  }

  static let concrete = #line + 3
  static func expectConcrete() {
    _ = DIContainer.resolve((any Habit).self)
    expectNotResolved(RealHabit.self)
  }

  static func expectOfUnused() { expectNotResolved((any Habit).self, in: DIContainer()) }

  /// The mistakes that each test reports, and the lines in its report.
  static let planted: [(plant: @Sendable () -> Void, report: String)] = [
    (
      overrideByType,
      "'Habit' was overridden by its type, but the test resolved it as a declared dependency.\n  overridden \(file):\(mixed)"
    ),
    (
      overrideByTypeInside,
      "'Habit' was registered by its type, but the test resolved it as a declared dependency.\n  registered \(file):\(mixedInside)"
    ),
    (
      overrideTooLate,
      "'Habit' was overridden after it had been resolved, and nothing has resolved it since.\n  overridden \(file):\(tooLate)"
    ),
    (
      overrideUselessly,
      "'RealHabit' was overridden, but the test resolved 'Habit'.\n  overridden \(file):\(useless)"
    ),
    (
      overrideMisspelled,
      "'Habit (spar)' was overridden, but the test resolved 'Habit'.\n  overridden \(file):\(misspelled)"
    ),
    (
      forbidConcrete,
      "'RealHabit' was declared unexpected, but the test resolved 'Habit'.\n  unexpected \(file):\(unexpectedClass)"
    ),
    (
      expectMisspelled,
      "Nothing is registered as 'Habit (spar)', so nothing could resolve it.\n"
        + "  note       use the name that the code asks for, or none for all names"
    ),
    (
      expectConcrete,
      "'RealHabit' was expected not to be resolved, but the test resolved 'Habit'.\n"
        + "  resolved   Habit (\(file):\(concrete - 1))"
    ),
    (
      expectOfUnused,
      "Nothing was resolved from this container, so 'Habit' could not be, either.\n"
        + "  note       pass the container that the code uses, or none for all containers of the test"
    ),
  ]

  static let file = #fileID
}

/// One case of a suite, by its habit; nothing that it does may fail it.
func runHabit(_ number: Int) async {
  let owner = "case \(number)"
  switch number % 12 {
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
  case 5:  // does so without saying so: a warning, by any test
    await Task.detached { HabitMistakes.escapeFromTest() }.value
    #expect(DIContainer.resolve(HabitUser.self).habit.owner == "app")
    expectResolved((any Habit).self, times: 1)
  case 6:  // has instances that resolve when they are released
    DIContainer.register(Shared { DepartingHabit(owner) as any Habit })
    #expect(DIContainer.resolve(HabitUser.self).habit.owner == owner)
  case 7:  // lends a mock that resolves when it is released
    DIContainer.override((any Habit).self, with: DepartingHabit(owner))
    #expect(DIContainer.resolve(HabitUser.self).habit.owner == owner)
  case 8:  // waits for work that it cannot await
    let work = Task { DIContainer.resolve((any Habit).self).owner }
    await #expect(throws: Never.self) { try await expectResolved((any Habit).self, times: 1..., within: .seconds(600)) }
    #expect(await work.value == "app")
  case 9:  // is on the main actor
    #expect(await HabitScreen.owner() == "app")
    expectResolved(HabitScreen.self, times: 1)
  case 10:  // registers the app's module once more
    DIContainer.override { habits }
    #expect(DIContainer.resolve(HabitUser.self).habit.owner == "app")
  default:  // names the shared container, to ask and to reset
    let found = DIContainer.shared.resolve(HabitUser.self).habit.owner
    #expect(found == "app" || found == "careless")
    DIContainer.shared.reset(Scope("unknown"))
    expectNotResolved((any Habit).self)
  }
}
