import DITesting
import DependencyInjection
import Testing

private let file = "DITestingTests/OverrideExpectationsTests.swift"

@Suite("Overrides that must be resolved", .expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct RequiredOverrideTests {
  private static func run(
    _ overrides: OverrideExpectations?, _ body: @Sendable () async -> Void
  ) async { await withIsolatedContainer(overrides: overrides) { await body() } }

  @Test("fail the test that does not resolve them, when it ends")
  func unused() async {
    let line = #line + 5
    await expectFailures(
      "Expected every override to be resolved, but nothing resolved this one:\n  Router (\(file):\(line))"
    ) {
      await Self.run(.mustBeResolved) {
        DIContainer.override { New(MockRouter() as any Router) }
      }
    }
  }

  @Test("pass if they are resolved, and are not asked for by default")
  func used() async {
    await expectFailures {
      await Self.run(.mustBeResolved) {
        DIContainer.override { New(MockRouter() as any Router) }
        _ = DIContainer.resolve((any Router).self)
      }
      await Self.run(nil) { DIContainer.override { New(MockRouter() as any Router) } }
    }
  }

  @Test("are asked for in the tests inside, unless they say otherwise")
  func nested() async {
    let line = #line + 7
    await expectFailures(
      "Expected every override to be resolved, but nothing resolved this one:\n  Router (\(file):\(line))"
    ) {
      await Self.run(.mustBeResolved) {
        await Self.run([]) { DIContainer.override { New(MockRouter() as any Router) } }
        await Self.run(nil) {
          DIContainer.override { New(MockRouter() as any Router) }
        }
      }
    }
  }

  @Test("count as resolved if a test inside resolves them, and are reported once if none does")
  func resolvedInside() async {
    await expectFailures {
      await Self.run(.mustBeResolved) {
        DIContainer.override { New(MockRouter() as any Router) }
        withIsolatedContainer {
          New(7)
        } perform: {
          withIsolatedContainer { _ = DIContainer.resolve((any Router).self) }
        }
      }
    }
    let line = #line + 5
    await expectFailures(
      "Expected every override to be resolved, but nothing resolved this one:\n  Router (\(file):\(line))"
    ) {
      await Self.run(.mustBeResolved) {
        DIContainer.override { New(MockRouter() as any Router) }
        withIsolatedContainer { _ = DIContainer.resolve((any Analytics).self) }
      }
    }
  }

  @Test("are not those that the test replaces itself, and not what the app registers at the same line")
  func replaced() async {
    await expectFailures {
      await Self.run(.mustBeResolved) {
        DIContainer.override { New(MockRouter() as any Router) }
        DIContainer.override { New(MockRouter() as any Router) }
        _ = DIContainer.resolve((any Router).self)
      }
      var module: Module { Module { New(MockRouter() as any Router) } }
      withIsolatedContainer(.empty) {
        module
      } perform: {
        withIsolatedContainer(overrides: .mustBeResolved) {
          module
        } perform: {
        }
      }
    }
  }

  @Test("cannot be checked if nothing is recorded, which is said")
  func notRecorded() async {
    await expectFailures("Cannot check the overrides: the test has `recording: false`.") {
      withIsolatedContainer(recording: false, overrides: .mustBeResolved) {}
    }
  }
}

@Suite("Overrides of an outer trait", .expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct OuterOverrideTests {
  @Test("need not be resolved where an inner trait or the test replaces them")
  func replaced() async {
    await expectFailures {
      withIsolatedContainer(overrides: .mustBeResolved) {
        New(MockRouter() as any Router)
      } perform: {
        withIsolatedContainer {
          New(MockRouter() as any Router)
        } perform: {
          _ = DIContainer.resolve((any Router).self)
        }
      }
      withIsolatedContainer(overrides: .mustBeResolved) {
        New(MockRouter() as any Router)
      } perform: {
        withIsolatedContainer {
          DIContainer.override((any Router).self, with: MockRouter())
          _ = DIContainer.resolve((any Router).self)
        }
      }
    }
  }
}

@Suite("Objects that must be released", .expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct RequiredReleaseTests {
  /// A mock that keeps itself.
  private final class Immortal: Router {
    let name = "immortal"
    var own: Immortal?
    init() { own = self }
  }

  @Test("fail the test that something else keeps, when it ends")
  func kept() async {
    let line = #line + 10
    await expectFailures(
      """
      'Immortal' is still alive after its test and the container of the test.
        overridden \(file):\(line)
        note       a static property, a task or a cycle of references keeps it
      """
    ) {
      await withIsolatedContainer(overrides: .mustBeReleased) {
        await Task.yield()
        DIContainer.override((any Router).self, with: Immortal())
        _ = DIContainer.resolve(HomeViewModel.self)
      }
    }
  }

  @Test("pass if only the test and what it resolves keep them, and are not asked for by default")
  func released() async {
    await expectFailures {
      withIsolatedContainer(overrides: [.mustBeResolved, .mustBeReleased]) {
        let router = MockRouter()
        DIContainer.override((any Router).self, with: router)
        DIContainer.register(Shared { resolve in HomeViewModel(router: resolve()) })
        _ = DIContainer.resolve(HomeViewModel.self)
      }
      withIsolatedContainer {
        DIContainer.override((any Router).self, with: Immortal())
        _ = DIContainer.resolve((any Router).self)
      }
    }
  }

  @Test("are found if nothing is recorded, and are not kept by an expectation that waits")
  func recordingAndWaiting() async throws {
    let line = #line + 9
    await expectFailures(
      """
      'Immortal' is still alive after its test and the container of the test.
        overridden \(file):\(line)
        note       a static property, a task or a cycle of references keeps it
      """
    ) {
      withIsolatedContainer(recording: false, overrides: .mustBeReleased) {
        DIContainer.override((any Router).self, with: Immortal())
      }
    }
    for _ in 0..<100 {
      try await withIsolatedContainer(overrides: .mustBeReleased) {
        DIContainer.override((any Router).self, with: MockRouter())
        _ = DIContainer.resolve((any Router).self)
        try await expectResolved((any Router).self, within: .seconds(600))
      }
    }
  }
}
