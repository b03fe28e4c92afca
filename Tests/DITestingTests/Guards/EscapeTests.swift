@testable import DITesting
import DependencyInjection
import Testing

/// What a test calls on the wrong task; the place is the same for all of them.
private enum Analysis {
  static let line = #line + 3

  static func run() {
    _ = DIContainer.resolve((any Router).self)
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
    _ = DIContainer.resolveAll(Faulty?.self)
    _ = DIContainer.resolveAll(Declared.self)
    _ = DIContainer.resolve(Unknown?.self)
    _ = DIContainer.resolveAll(Unknown.self)
  }
}

/// Types whose factories fail outside of tests.
private final class Remote: Sendable {}
private final class Distant: Sendable {}
private final class Faulty: Sendable {}

/// Types that only tests have, with names only.
private final class Named: Sendable {}
private final class Renamed: Sendable {}

/// A type that `resolveAll` does not resolve.
private final class Declared: Sendable {
  static let dependency = Dependency<Declared>(.shared) { Declared() }
}

/// A type that cannot be created where a detached task asks for it, but where that can wait for.
@MainActor
private final class OnMain {}

/// A type that no test with a container of its own knows.
private final class Unknown {
  static let line = #line + 2

  static func run() { _ = DIContainer.resolve(Unknown.self) }

  static func lookForAll() { precondition(DIContainer.resolveAll(Unknown.self).isEmpty) }
}

/// A type that depends on one that tests override.
private struct Presenter {
  let router: any Router

  static let registration = New { resolve in Presenter(router: resolve()) }

  static let line = #line + 1
  static func run() { _ = DIContainer.resolve(Presenter.self) }
}

extension ResolutionEvent {
  /// A resolution of the router from a container that nobody knows.
  fileprivate static func ofRouter() -> ResolutionEvent {
    final class Last: ResolutionObserver {
      let resolution = Locked<ResolutionEvent?>(nil)
      func didResolve(_ resolution: ResolutionEvent) { self.resolution.withLock { $0 = resolution } }
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
@Suite(.expectingIssues)
struct EscapeTests {
  private var advice: String {
    """
    note       detached tasks, queues and threads do not inherit a test's container: wrap closures in `DIContainer.escaping`
      note       code that is meant to use the shared container says so with `DIContainer.withCurrent(.shared)`
    """
  }

  private var text: String {
    """
    'Router' was resolved from the shared container by code that belongs to no test, or has lost the container of its test.
      Router (DITestingTests/EscapeTests.swift:\(Analysis.line))
      running    escaping test
      \(advice)
    """
  }

  @Test("is a warning, once for each location, with the type or what depends on it, and the active tests", .exitTest)
  func isReported() async {
    let presenter = """
      'Presenter' was resolved from the shared container by code that belongs to no test, or has lost the container of its test.
        Presenter (DITestingTests/EscapeTests.swift:\(Presenter.line))
        running    escaping test
        \(advice)
      """
    let found = await issues {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register {
          appRegistrations
          Presenter.registration
        }
        await isolated("escaping test") {
          DIContainer.override((any Router).self, with: MockRouter())
          for _ in 0..<3 { await Task.detached { Analysis.run() }.value }
          await Task.detached { Presenter.run() }.value
        }
        await Task.detached { Analysis.run() }.value
      }
    }
    #expect((found.map(\.text), found.map(\.severity)) == ([text, presenter], [.warning, .warning]))
  }

  @Test(
    "is reported if the shared container lacks what it asks for, or cannot create it; not if nobody has it", .exitTest)
  func nothingFound() async {
    func text(
      _ name: String, _ line: Int, outcome: String = "could not be resolved"
    ) -> String {
      """
      '\(name)' \(outcome) from the shared container by code that belongs to no test, or has lost the container of its test.
        \(name) (DITestingTests/EscapeTests.swift:\(Quietly.line + line))
        running    escaping test
        \(advice)
      """
    }
    await expectFailures(
      text("Router", 0), text("Router", 1), text("Router", 2), text("Router", 3), text("Remote", 4),
      text("Distant", 5), text("Faulty", 6), text("Named", 7), text("Renamed", 8),
      text("OnMain", 9, outcome: "was resolved")
    ) {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register {
          Shared { () async throws -> Remote in throw CancellationError() }
          Shared { () async throws -> Distant in throw CancellationError() }
          Shared { () throws -> Faulty in throw CancellationError() }
          Shared(onMain: OnMain())
        }
        await isolated("escaping test") {
          DIContainer.register {
            Shared(MockRouter() as any Router)
            Shared(Remote())
            Shared(Faulty())
            Shared(onMain: OnMain())
          }
          _ = Declared.dependency()
          Declared.dependency.register { Declared() }
          DIContainer.register(Shared(Named(), named: "registered"))
          DIContainer.register(Shared(Renamed(), named: "overridden"))
          DIContainer.override { Shared(Renamed(), named: "overridden") }
          await Task.detached { await Quietly.ask() }.value
        }
        await Quietly.ask()
      }
    }
  }

  @Test("is reported if it registers, in the shared container", .exitTest)
  func registers() async {
    let line = #line + 9
    await expectFailures(
      """
      'Router' was registered in the shared container by code that belongs to no test, or has lost the container of its test.
        DITestingTests/EscapeTests.swift:\(line)
        running    escaping test
        \(advice)
      """
    ) {
      await #expect(processExitsWith: .success) {
        await isolated("escaping test") {
          await Task.detached {
            DIContainer.withCurrent(.shared) { DIContainer.register(Shared(MockRouter() as any Router)) }
            for _ in 0..<2 {
              DIContainer.register(Shared(MockRouter() as any Router))
            }
          }.value
        }
        await isolated("escaping test", escapes: .ignore) {
          await Task.detached { DIContainer.register(appRegistrations) }.value
        }
        DIContainer.register(appRegistrations)
      }
    }
  }

  @Test("is a warning or nothing, as the test wants it, which has used the type", .exitTest, arguments: [true, false])
  func handling(isIgnored: Bool) async {
    let found = await issues {
      await #expect(processExitsWith: .success) { [isIgnored] in
        DIContainer.shared.register(appRegistrations)
        await isolated("escaping test", escapes: isIgnored ? .ignore : .warn) {
          DIContainer.override((any Router).self, with: MockRouter())
          await Task.detached { Analysis.run() }.value
        }
      }
    }
    #expect(found.map(\.text) == (isIgnored ? [] : [text]))
  }

  @Test("is a warning if the type concerns no test, or only a test has it, which has not used it", .exitTest)
  func isWarning() async {
    let found = await issues {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(Shared(Unknown()))
        await isolated("other test") {
          await Task.detached { Unknown.run() }.value
          DIContainer.shared.unregister(Unknown.self)
          await Task.detached {
            precondition((try? DIContainer.tryResolve(Unknown.self)) == nil)
            Unknown.lookForAll()
          }.value
        }
      }
    }
    let text = """
      'Unknown' was resolved from the shared container by code that belongs to no test, or has lost the container of its test.
        Unknown (DITestingTests/EscapeTests.swift:\(Unknown.line))
        running    other test
        \(advice)
      """
    #expect((found.first?.text, found.map(\.severity)) == (text, [.warning, .warning, .warning]))
    #expect(found.dropFirst().allSatisfy { $0.text.contains("could not be resolved") })
  }

  @Test(
    "is not what `escaping` wraps, what a test does, or what names the shared container or makes it current", .exitTest)
  func isElsewhere() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(appRegistrations)
        // Not even late, if the test ignored what escapes it.
        await isolated("escaping test", escapes: .ignore) { _ = DIContainer.resolve((any Router).self) }
        await Task.detached { Analysis.run() }.value
        await isolated("test") {
          DIContainer.override((any Router).self, with: MockRouter())
          await Task.detached(operation: DIContainer.escaping { Analysis.run() }).value
          await Task.detached { DIContainer.withCurrent(.shared) { Analysis.run() } }.value
          await Task.detached {
            _ = DIContainer.shared.resolve((any Router).self)
            _ = try? await DIContainer.shared.resolveAsync((any Router).self)
            DIContainer.shared.register(Shared(MockRouter() as any Router))
            DIContainer.shared.reset()
          }.value
        }
        await Task.detached { _ = DIContainer.resolve((any Analytics).self) }.value
      }
    }
  }

  @Test("is not what has made the shared container current before a test began", .exitTest)
  func isElsewhereSinceBefore() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        TestRun.watch()
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
    }
  }

  @Test(
    "is looked for from the first test on, and reported with the first names when the test ends that has used the type",
    .exitTest
  )
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

  @Test("is late if the test that has used the type is over, and no other test runs", .exitTest)
  func late() async {
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
        DIContainer.shared.register(appRegistrations)
        await isolated("escaping test") { DIContainer.override((any Router).self, with: MockRouter()) }
        for _ in 0..<2 { await Task.detached { Analysis.run() }.value }
        // A test of XCTest may use the shared container.
        TestRun.begin("a test without isolation")
        Quietly.resolve()
      }
    }
  }

  @Test(
    "ends the process with an issue that names the tests, if nothing is registered with the shared container", .exitTest
  )
  func missing() async {
    await expectFailures(
      """
      No registration for 'Router'.
        resolving  Router
        asked at   DITestingTests/EscapeTests.swift:\(Analysis.line)
        running    escaping test
        \(advice)
      """
    ) {
      await #expect(processExitsWith: .failure) {
        DIContainer.shared.removeAll()
        await isolated("escaping test") {
          DIContainer.override((any Router).self, with: MockRouter())
          await Task.detached { Analysis.run() }.value
        }
      }
    }
  }
}
