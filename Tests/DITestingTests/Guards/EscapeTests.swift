@testable import DITesting
import DependencyInjection
import Testing

/// Calls that a test makes on the wrong task; the location is the same for all of them.
private enum Analysis {
  static let line = #line + 3

  static func run() {
    _ = DIContainer.resolve((any Router).self)
  }

  static func router() -> any Router {
    DIContainer.resolve()
  }
}

/// Resolves that say nothing if there is nothing; each has a line of its own.
private enum Quietly {
  static let line = #line + 5

  static func resolve() { _ = DIContainer.resolve((any Router).self) }

  static func ask() async {
    _ = try? DIContainer.tryResolve((any Router).self)
    _ = DIContainer.resolve((any Router)?.self)
    _ = DIContainer.resolveAll((any Router).self)
    _ = try? await DIContainer.resolveAsync((any Router).self)
    _ = try? await DIContainer.resolveAsync(Remote.self)
    _ = try? await DIContainer.resolveAsync(Distant.self)
    _ = try? DIContainer.tryResolve(Faulty.self)
    _ = DIContainer.resolveAll(Named.self)
    _ = DIContainer.resolveAll(Renamed.self)
    _ = try? await DIContainer.resolveAsync(OnMain.self)
    _ = DIContainer.resolveAll(Declared.self)
    _ = DIContainer.resolve(Unknown?.self)
    _ = DIContainer.resolveAll(Unknown.self)
    _ = DIContainer.resolve(Owned?.self)
    _ = DIContainer.resolve(Named?.self)
    _ = DIContainer.resolveAll(Found.self)
  }
}

/// Types whose factories fail outside of tests.
private final class Remote: Sendable {}
private final class Distant: Sendable {}
private final class Faulty: Sendable {}

/// Types that only tests have, with names only.
private final class Named: Sendable {}
private final class Renamed: Sendable {}

/// A type that the shared container has, too.
private final class Found: Sendable {}

/// A type that only a container has that a test creates.
private final class Owned: Sendable {}

/// A type that `resolveAll` does not resolve.
private final class Declared: Sendable {
  static let dependency = Dependency<Declared>(.shared) { Declared() }
}

/// A type that cannot be created where a detached task asks for it, but where that can wait for.
@MainActor
private final class OnMain {}

/// Looks for tests that have a router when it is released.
private final class Looking: Sendable {
  static func look() {
    _ = ActiveTests.current?.have(Key((any Router).self, named: nil), of: (any Router).self)
  }

  deinit { Self.look() }
}

/// A type that no test with a container of its own knows.
private final class Unknown {
  static let line = #line + 2

  static func run() { _ = DIContainer.resolve(Unknown.self) }

  static func lookForAll() { precondition(DIContainer.resolveAll(Unknown.self).isEmpty) }
}

/// A type that depends on one that tests override.
private struct Presenter {
  let router: any Router

  static let registration = New { Presenter(router: DIContainer.resolve()) }

  static let line = #line + 1
  static func run() { _ = DIContainer.resolve(Presenter.self) }
}

extension ResolutionEvent {
  /// A resolution of the router from a container that nobody knows.
  fileprivate static func ofRouter() -> ResolutionEvent {
    final class Last: ResolutionObserver {
      let resolution = Locked<ResolutionEvent?>(nil)
      func didResolve(_ resolution: ResolutionEvent, for _: Definition?, from _: Definition?) {
        self.resolution.withLock { $0 = resolution }
      }
    }
    let container = DIContainer()
    container.register(appRegistrations)
    let last = Last()
    container.addObserver(last)
    _ = container.resolve((any Router).self)
    return last.resolution.withLock { $0 }!
  }
}

// In processes of their own, because other tests run beside these.
@Suite(.exitTest, .expectingIssues)
struct EscapeTests {
  private static let advice = """
    note       detached tasks, queues and threads do not inherit a test's container: wrap closures in `DIContainer.escaping`
      note       code that is meant to use the shared container names it, as in `DIContainer.withCurrent(.shared)`
    """

  /// The warning of a resolution.
  private func text(
    _ name: String, _ line: Int, in test: String = "escaping test", outcome: String = "was resolved"
  ) -> String {
    """
    '\(name)' \(outcome) from the shared container by code that belongs to no test, or has lost the container of its test.
      \(name) (DITestingTests/EscapeTests.swift:\(line))
      running    \(test)
      \(Self.advice)
    """
  }

  @Test(
    "is a warning, once for each location, with the type or what depends on it, unless the test ignores what escapes it"
  )
  func isReported() async {
    let found = await issues {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register {
          appRegistrations
          Presenter.registration
        }
        await isolated("escaping test") {
          DIContainer.override((any Router).self, with: MockRouter())
          for _ in 0..<3 {
            await Task.detached { Analysis.run() }.value
            // The beginning of another test is no reason to report it again.
            await isolated("another test") {}
          }
          await Task.detached { Presenter.run() }.value
        }
        await Task.detached { Analysis.run() }.value
        for isIgnored in [true, false] {
          await isolated(isIgnored ? "ignoring test" : "warning test", escapes: isIgnored ? .ignore : .warn) {
            DIContainer.override((any Router).self, with: MockRouter())
            await Task.detached { Analysis.run() }.value
          }
        }
        DIContainer.shared.register(Shared(Unknown()))
        await isolated("other test") {
          await Task.detached { Unknown.run() }.value
          DIContainer.shared.unregister(Unknown.self)
          await Task.detached {
            precondition((try? DIContainer.tryResolve(Unknown.self)) == nil)
            Unknown.lookForAll()
          }.value
        }
        await isolated("last test") {
          DIContainer.shared.register(Shared(Unknown()))
          await Task.detached { Unknown.run() }.value
        }
      }
    }
    #expect(
      (found.prefix(4).map(\.text), found.map(\.severity)) == (
        [
          text("Router", Analysis.line), text("Presenter", Presenter.line),
          text("Router", Analysis.line, in: "warning test"), text("Unknown", Unknown.line, in: "other test"),
        ], Array(repeating: .warning, count: 7)
      ))
    #expect(found.last?.text == text("Unknown", Unknown.line, in: "last test"))
    #expect(found.dropFirst(4).dropLast().allSatisfy { $0.text.contains("'Unknown' could not be resolved") })
  }

  @Test("is reported if the shared container lacks what it asks for, or cannot create it, and if it registers there")
  func nothingFound() async {
    func quietly(_ name: String, _ line: Int, outcome: String = "could not be resolved") -> String {
      text(name, Quietly.line + line, outcome: outcome)
    }
    await expectFailures(
      quietly("Router", 0), quietly("Router", 1), quietly("Router", 2), quietly("Router", 3), quietly("Remote", 4),
      quietly("Distant", 5), quietly("Faulty", 6), quietly("Named", 7), quietly("Renamed", 8),
      quietly("OnMain", 9, outcome: "was resolved"), quietly("Owned", 13),
      quietly("Found", 15, outcome: "was resolved"),
      """
      'Router', 'MockRouter' were registered in the shared container by code that belongs to no test, or has lost the container of its test.
        DITestingTests/EscapeTests.swift:1
        running    escaping test
        \(Self.advice)
      """,
      """
      Cannot count the resolutions of 'Router': this code has lost the container of its test. Detached tasks, queues and \
      threads do not inherit it: wrap the closure in `DIContainer.escaping`.
      """,
      "Cannot count the resolutions of 'Router': the test is not isolated. Add the trait `.isolatedContainer`; in XCTest, "
        + "inherit from `DITestCase`, or call `restoreRegistrationsAfterTest()`."
    ) {
      await #expect(processExitsWith: .success) {
        await Self.askForNothing()
        await Self.register()
        await isolated("test") { await Task.detached { expectNotResolved((any Router).self) }.value }
        expectNotResolved((any Router).self)
      }
    }
  }

  private static func askForNothing() async {
    DIContainer.shared.register {
      Shared { () async throws -> Remote in throw CancellationError() }
      Shared { () async throws -> Distant in throw CancellationError() }
      Shared { () throws -> Faulty in throw CancellationError() }
      Shared(onMain: OnMain())
      Shared(Found())
    }
    await isolated("escaping test") {
      DIContainer.register {
        Shared(MockRouter() as any Router)
        Shared(Remote())
        Shared(Faulty())
        Shared(onMain: OnMain())
        Shared(Found())
      }
      let own = DIContainer()
      own.register(Shared(Owned()))
      _ = own.resolve(Owned.self)
      DIContainer.override(Declared.dependency, with: Declared())
      _ = Declared.dependency()
      Declared.dependency.register { Declared() }
      DIContainer.register(Shared(Named(), named: "registered"))
      DIContainer.register(Shared(Renamed(), named: "overridden"))
      DIContainer.override { Shared(Renamed(), named: "overridden") }
      await Task.detached { await Quietly.ask() }.value
    }
    await Quietly.ask()
  }

  private static func register() async {
    await isolated("escaping test") {
      await Task.detached {
        DIContainer.withCurrent(.shared) { DIContainer.register(Shared(MockRouter() as any Router)) }
        for _ in 0..<2 { DIContainer.register(Shared(MockRouter(), as: (any Router).self, line: 1)) }
      }.value
    }
    let meant = DIContainer.escaping { DIContainer.register(Shared(MockRouter() as any Router, line: 2)) }
    await isolated("another test") {
      await Task.detached { meant() }.value
      // The inner test overrides the first of them, and asks for nothing.
      await isolated("escaping test", escapes: .ignore) {
        DIContainer.override((any Router).self, with: MockRouter())
        await Task.detached {
          DIContainer.register(appRegistrations)
          Quietly.resolve()
        }.value
      }
    }
    DIContainer.register(appRegistrations)
  }

  @Test(
    "is not what belongs to a test, is wrapped in `escaping`, or means the shared container; is late if its test is over"
  )
  func isElsewhere() async {
    await expectFailures(
      """
      A resolution of 'Router' from the shared container may have ended after its test.
        asked at   DITestingTests/EscapeTests.swift:\(Analysis.line)
        last used  escaping test
        note       make the test wait for the task that resolves it, or cancel the task
        note       detached tasks, queues and threads do not inherit a test's container: wrap closures in `DIContainer.escaping`
      """
    ) {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
        await Self.resolveCurrentSinceBefore()
        await Self.resolveElsewhere()
        DIContainer.shared.register(appRegistrations)
        await isolated("escaping test") { DIContainer.override((any Router).self, with: MockRouter()) }
        for _ in 0..<2 { await Task.detached { Analysis.run() }.value }
        DIContainer.shared.register(Presenter.registration)
        await Task.detached { Presenter.run() }.value
        // What is wrapped means the shared container, where no other one was current.
        await Task.detached(operation: DIContainer.escaping { Quietly.resolve() }).value
        // A test of XCTest may use the shared container.
        TestRun.begin("a test without isolation")
        Quietly.resolve()
      }
    }
  }

  private static func resolveCurrentSinceBefore() async {
    DIContainer.shared.register(appRegistrations)
    await DIContainer.withCurrent(.shared) {
      let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
      let (ended, ending) = AsyncStream.makeStream(of: Void.self)
      let test = Task.detached {
        await isolated("test") {
          DIContainer.override((any Router).self, with: MockRouter())
          beginning.finish()
          for await _ in ended {}
        }
      }
      for await _ in begun {}
      Analysis.run()
      ending.finish()
      await test.value
    }
  }

  private static func resolveElsewhere() async {
    DIContainer.shared.register(appRegistrations)
    // Not even late, if the test ignored what escapes it.
    await isolated("ignoring test", escapes: .ignore) { _ = DIContainer.resolve((any Router).self) }
    await Task.detached { Analysis.run() }.value
    await isolated("test") {
      DIContainer.override((any Router).self, with: MockRouter())
      await Task.detached(operation: DIContainer.escaping { Analysis.run() }).value
      await Task.detached { DIContainer.withCurrent(.shared) { Analysis.run() } }.value
      DIContainer.register(Shared(Unknown()))
      DIContainer.override(Declared.dependency, with: Declared())
      await Task.detached {
        _ = DIContainer.shared.resolve((any Router).self)
        _ = try? await DIContainer.shared.resolveAsync((any Router).self)
        _ = try? await Declared.dependency.resolveAsync(from: .shared)
        _ = DIContainer.shared.resolveAll((any Router).self)
        _ = DIContainer.shared.resolveAll(Unknown.self)
        DIContainer.shared.register(Shared(MockRouter() as any Router))
        DIContainer.shared.reset()
      }.value
    }
    await Task.detached { _ = DIContainer.resolve((any Analytics).self) }.value
    // A name that a test used is not all names.
    await isolated("test") {
      DIContainer.register(Shared(Named(), named: "late"))
      _ = DIContainer.resolve(Named.self, named: "late")
    }
    await Task.detached { _ = DIContainer.resolveAll(Named.self) }.value
  }

  @Test(
    "is compared with what the tests have, without a lock: what another thread replaces may look, too, in its deinit",
    .timeLimit(.minutes(20)))
  func replaced() async {
    await #expect(processExitsWith: .success) {
      await isolated("replacing test", escapes: .ignore) {
        let isOver = Locked(false)
        let looking = Task.detached { while !isOver.withLock(\.self) { Looking.look() } }
        for _ in 0..<20_000 {
          let looking = Looking()
          DIContainer.register(Shared { (looking, MockRouter() as any Router).1 })
        }
        isOver.withLock { $0 = true }
        await looking.value
      }
    }
  }

  @Test(
    "is looked for from the first test on, and reported with the first names when the test ends that has used the type")
  func reporter() async {
    await #expect(processExitsWith: .success) {
      precondition(DIContainer.shared.observers.isEmpty)
      for _ in 0..<2 { await isolated("test") {} }
      precondition(DIContainer.shared.observers.count { $0 is EscapeGuard } == 1)
      DIContainer.shared.register(appRegistrations)
      let reports = Locked<[String]>([])
      await isolated("other") {
        // A registration of its own, so that it may be concerned.
        DIContainer.register(Shared(RouterImpl() as any Router))
        let other = DIContainer.current.recorder?.test
        await isolated("user") {
          DIContainer.override((any Router).self, with: MockRouter())
          let user = DIContainer.current.recorder?.test
          let resolution = await Task.detached { ResolutionEvent.ofRouter() }.value
          precondition(ActiveTests.current?.first(concernedBy: resolution.key, of: resolution.type) === user)
          user?.reportAtEnd { reports.withLock { $0.append("user") } }
          precondition(reports.withLock { $0 } == [])
        }
        precondition(reports.withLock { $0 } == ["user"])
        let resolution = await Task.detached { ResolutionEvent.ofRouter() }.value
        precondition(ActiveTests.current?.first(concernedBy: resolution.key, of: resolution.type) === other)
      }
      // What only the shared container has, or an outer test, concerns nobody, unless it is resolved.
      DIContainer.shared.register(Shared(Named(), named: "shared"))
      await isolated("outer") {
        await isolated("inner") {
          DIContainer.register(Shared(RouterImpl() as any Router))
          _ = DIContainer.resolve(Named.self, named: "shared")
          let resolution = await Task.detached { ResolutionEvent.ofRouter() }.value
          let names = [
            ActiveTests.current?.first(concernedBy: resolution.key, of: resolution.type),
            ActiveTests.current?.first(concernedBy: .names(of: Named.self), of: Named.self),
          ].map { $0?.name }
          precondition(names == ["inner", "inner"])
        }
      }
      // One that warns comes before one that does not.
      await isolated("ignoring", escapes: .ignore) {
        DIContainer.override((any Router).self, with: MockRouter())
        await isolated("warning", escapes: .warn) {
          DIContainer.override((any Router).self, with: MockRouter())
          let resolution = await Task.detached { ResolutionEvent.ofRouter() }.value
          precondition(
            ActiveTests.current?.first(concernedBy: resolution.key, of: resolution.type)?.name == "warning")
          precondition(ActiveTests.current?.firstThatReports?.name == "warning")
        }
      }
      for number in 0..<7 {
        ActiveTests.begin(ActiveTest(IsolatedTest("test \(number / 2 * 2)", in: .swiftTesting), DIContainer()))
      }
      precondition(ActiveTests.current?.names == "test 0, test 2, test 4, test 6")
      for number in 0..<3 {
        ActiveTests.begin(ActiveTest(IsolatedTest("another \(number)", in: .swiftTesting), DIContainer()))
      }
      precondition(
        ActiveTests.current?.names == "test 0, test 2, test 4, test 6, another 0 and 2 more")
    }
  }

  @Test("is reported in a child, if that was created where no container was current")
  func child() async {
    await expectFailures(text("Router", Analysis.line)) {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(appRegistrations)
        let meant = DIContainer.escaping {
          DIContainer.withCurrent(DIContainer(parent: .current)) { Quietly.resolve() }
        }
        await isolated("escaping test") {
          DIContainer.override((any Router).self, with: MockRouter())
          DIContainer.override(Owned.self, with: Owned())
          await Task.detached { DIContainer.withCurrent(DIContainer(parent: .shared)) { Quietly.resolve() } }.value
          let app = DIContainer.current
          await Task.detached { DIContainer.withCurrent(DIContainer(parent: app)) { Quietly.resolve() } }.value
          await Task.detached(operation: meant).value
          await Task.detached {
            let child = DIContainer(parent: .current)
            child.register(Shared(Owned()))
            DIContainer.withCurrent(DIContainer(parent: child)) {
              _ = DIContainer.resolve(Owned.self)
              Analysis.run()
            }
          }.value
        }
      }
    }
    await expectFailures(
      """
      No registration for 'Router'.
        resolving  Presenter → Router
        asked at   DITestingTests/EscapeTests.swift:\(Analysis.line + 4)
        running    escaping test
        \(Self.advice)
      """
    ) {
      await #expect(processExitsWith: .failure) {
        await Self.runDetached {
          let child = DIContainer(parent: .current)
          child.register(Shared { Presenter(router: Analysis.router()) })
          DIContainer.withCurrent(child) { _ = DIContainer.resolve(Presenter.self) }
        }
      }
    }
  }

  /// Runs a closure outside of a test that overrides the router, which nothing else registers.
  private static func runDetached(_ body: @escaping @Sendable () -> Void) async {
    DIContainer.shared.removeAll()
    await isolated("escaping test") {
      DIContainer.override((any Router).self, with: MockRouter())
      await Task.detached(operation: body).value
    }
  }

  @Test("ends the process with an issue that names the tests, if nothing is registered with the shared container")
  func missing() async {
    let text = """
      No registration for 'Router'.
        resolving  Router
        asked at   DITestingTests/EscapeTests.swift:\(Analysis.line)
        running    escaping test
        \(Self.advice)
      """
    await expectFailures(text) {
      await #expect(processExitsWith: .failure) { await Self.runDetached { Analysis.run() } }
    }
    // It stands at the test, if that is known. All lines of an exit test are the same.
    let line = #line + 2
    let found = await issues {
      await #expect(processExitsWith: .failure) {
        DIContainer.shared.removeAll()
        await withIsolatedContainer { await Task.detached { Analysis.run() }.value }
      }
    }
    #expect(found.map(\.sourceLocation?.line) == [line])
    // The tests come before what the shared container has instead.
    await expectFailures("\(text)\n  note       Router is registered with the name 'other' at App/App.swift:7") {
      await #expect(processExitsWith: .failure) {
        await Self.runDetached {
          DIContainer.shared.register(New(RouterImpl() as any Router, named: "other", file: "App/App.swift", line: 7))
          Analysis.run()
        }
      }
    }
    // Nothing is reported if the code uses the shared container on purpose.
    await expectFailures {
      await #expect(processExitsWith: .failure) {
        await isolated("escaping test") {
          await Task.detached { DIContainer.withCurrent(.shared) { Analysis.run() } }.value
        }
      }
    }
  }
}
