@testable import DITesting
import DependencyInjection
import Testing

/// Runs the tests of a suite in the process of an exit test: all at once, and no test of a framework among them.
private func runHabits(_ rounds: Int) async {
  DIContainer.shared.register(habits)
  TestRun.watch()
  TestRun.begin("careless test", of: "DITestingTests.Habits")
  for _ in 0..<rounds {
    await withTaskGroup { group in
      for number in 0..<300 {
        if number % 50 == 7 { group.addTask { HabitMistakes.registerWithSharedContainer() } }
        // Tests without isolation.
        if number % 50 == 8 { group.addTask { _ = DIContainer.shared.resolve(HabitUser.self) } }
        group.addTask { await isolated("case \(number)") { await runHabit(number) } }
      }
      for (plant, _) in HabitMistakes.planted { group.addTask { await isolated("mistake", plant) } }
      group.addTask { await outlive() }
    }
  }
}

/// Runs a test that ends before its work does.
private func outlive() async {
  let (end, continuation) = AsyncStream.makeStream(of: Void.self)
  let work = await isolated("impatient test") {
    Task {
      for await _ in end {}
      HabitMistakes.resolveLate()
    }
  }
  continuation.finish()
  await work.value
}

@Suite(.expectingIssues)
struct HabitTests {
  @Test("never fail by what others do, and each mistake is a warning at its line", .exitTest, .timeLimit(.minutes(20)))
  func neverFail() async {
    let all = await issues { await #expect(processExitsWith: .success) { await runHabits(20) } }
    #expect(all.allSatisfy { $0.severity == .warning })
    var found: [String: Int] = [:]
    for issue in all { found[issue.text.split(separator: "\n").prefix(2).joined(separator: "\n"), default: 0] += 1 }
    let file = HabitMistakes.file
    var expected = [
      "'Habit' was registered in the shared container during a test, and nothing restores it: tests that are "
        + "not isolated see the change.\n  changed at \(file):\(HabitMistakes.leak)": 1,
      "A resolution of 'Habit' ended after its test.\n  asked at   \(file):\(HabitMistakes.outliving)": 20,
    ]
    for (_, report) in HabitMistakes.planted { expected[report] = 20 }
    // Once for each time that tests begin to run, while others still do.
    let escape =
      "'HabitUser' was resolved from the shared container by code that belongs to no test, or has lost the "
      + "container of its test.\n  HabitUser (\(file):\(HabitMistakes.escape))"
    let escapes = found.removeValue(forKey: escape) ?? 0
    #expect(escapes >= 1)
    #expect(found == expected)
  }
}

// The same in this process, beside all other tests.

@Suite(.isolatedContainer(.empty) { habits })
struct FirstHabitTests {
  @Test("with each of four habits keep to themselves", arguments: 0..<25)
  func habit(number: Int) async { await runHabit(number % 4) }
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { habits })
struct InitializerHabitTests {
  private let container = DIContainer()

  init() {
    DIContainer.register(Shared(OwnedHabit("init") as any Habit))
    container.register(habits)
  }

  @Test("of a suite that registers in its initializer keep to themselves", arguments: 0..<25)
  func habit(number: Int) async {
    #expect(
      (DIContainer.resolve(HabitUser.self).habit.owner, container.resolve(HabitUser.self).habit.owner) == (
        "init", "app"
      ))
    expectResolved((any Habit).self, times: 2)
    expectResolved((any Habit).self, times: 1, in: container)
  }
}

@Suite(.isolatedContainer(.empty) { habits })
final class DeinitializerHabitTests {
  private let container = DIContainer.current

  deinit {
    #expect(DIContainer.current == container)
    _ = DIContainer.resolve((any Habit).self)
    expectResolved((any Habit).self, times: 2)
    expectOverridesResolved()
  }

  @Test("of a suite that resolves in its deinitializer keep to themselves", arguments: 0..<25)
  func habit(number: Int) async {
    DIContainer.override((any Habit).self, with: OwnedHabit("\(number)"))
    await Task.yield()
    #expect(DIContainer.resolve(HabitUser.self).habit.owner == "\(number)")
  }
}
