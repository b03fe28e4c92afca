@testable import DITesting
import DependencyInjection
import Testing

private let file = "DITestingTests/OverrideExpectationsTests.swift"

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct RequiredOverrideTests {
  private static func run(
    _ overrides: OverrideExpectations?, _ body: @Sendable () async -> Void
  ) async { await withIsolatedContainer(overrides: overrides) { await body() } }

  private func text(_ line: Int) -> String {
    "Expected every override to be resolved, but nothing resolved this one:\n  Router (\(file):\(line))"
  }

  @Test("fail the test that does not resolve them, when it ends, and nested tests, unless they say otherwise")
  func unused() async {
    let line = #line + 3
    await expectFailures(text(line), text(line + 4), text(line + 7), text(line + 11)) {
      await Self.run(.mustBeResolved) {
        DIContainer.override { New(MockRouter() as any Router) }
      }
      await Self.run(.mustBeResolved) {
        await Self.run([]) { DIContainer.override { New(MockRouter() as any Router) } }
        await Self.run(nil) { DIContainer.override { New(MockRouter() as any Router) } }
      }
      await Self.run(.mustBeResolved) {
        DIContainer.override { New(MockRouter() as any Router) }
        withIsolatedContainer { _ = DIContainer.resolve((any Analytics).self) }
      }
      await Self.run(.mustBeResolved) {
        DIContainer.override { New(MockRouter() as any Router) }
        DIContainer.decorate((any Router).self) { router, _ in router }
        withIsolatedContainer {
          DIContainer.override((any Analytics).self, with: AnalyticsImpl())
          _ = DIContainer.resolve((any Analytics).self)
        }
      }
    }
    // They count as resolved if a nested test resolves them.
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
    // What an outer trait registered came earlier.
    let inner = #line + 6
    await expectFailures(text(inner)) {
      withIsolatedContainer(overrides: .mustBeResolved) {
        Shared(MockRouter(), as: (any Router).self, AnyObject.self)
      } perform: {
        withIsolatedContainer {
          New(MockRouter() as any Router)
        } perform: {
          _ = DIContainer.resolve(AnyObject.self)
        }
      }
    }
    await expectFailures("Cannot check the overrides: the test has `recording: false`.") {
      withIsolatedContainer(recording: false, overrides: .mustBeResolved) {}
    }
  }

  @Test("pass if they, or their replacements by the test or an inner trait, are resolved; the default requires nothing")
  func used() async {
    await expectFailures {
      await Self.run(.mustBeResolved) {
        DIContainer.override { New(MockRouter() as any Router) }
        _ = DIContainer.resolve((any Router).self)
      }
      await Self.run(nil) { DIContainer.override { New(MockRouter() as any Router) } }
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
      // If resolutions are not recorded, nobody knows what a test resolves.
      withIsolatedContainer(overrides: .mustBeResolved) {
        New(MockRouter() as any Router)
      } perform: {
        withIsolatedContainer(recording: false, overrides: []) { _ = DIContainer.resolve((any Router).self) }
      }
    }
  }
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct RequiredReleaseTests {
  /// A mock that keeps itself.
  private final class Immortal: Router {
    let name = "immortal"
    var own: Immortal?
    init() { own = self }
  }

  private static let optional = Dependency<(any Router)?> { nil }

  @Test("fail the test if something else keeps them when it ends, and pass if only the test or what it resolves does")
  func kept() async throws {
    // Fail the test if something else keeps them when it ends, even if nothing is recorded.
    do {
      let line = #line + 11
      func text(_ line: Int) -> String {
        """
        'Immortal' is still alive after its test and the container of the test.
          overridden \(file):\(line)
          note       a static property, a task or a reference cycle keeps it
        """
      }
      await expectFailures(text(line), text(line + 4), text(line + 7), text(line + 10)) {
        await withIsolatedContainer(overrides: .mustBeReleased) {
          await Task.yield()
          DIContainer.override((any Router).self, with: Immortal())
          _ = DIContainer.resolve(HomeViewModel.self)
        }
        withIsolatedContainer(recording: false, overrides: .mustBeReleased) {
          DIContainer.override((any Router).self, with: Immortal())
        }
        withIsolatedContainer(overrides: .mustBeReleased) {
          DIContainer().override((any Router).self, with: Immortal())
        }
        withIsolatedContainer(overrides: .mustBeReleased) {
          DIContainer.override(Self.optional, with: Immortal())
          #expect(Self.optional()?.name == "immortal")
          DIContainer.override(Self.optional, with: nil)
          #expect(Self.optional() == nil)
        }
      }
    }
    // Pass if only the test, what it resolves or a waiting expectation keeps them; the default requires nothing.
    do {
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
      for _ in 0..<100 {
        try await withIsolatedContainer(overrides: .mustBeReleased) {
          DIContainer.override((any Router).self, with: MockRouter())
          _ = DIContainer.resolve((any Router).self)
          try await expectResolved((any Router).self, within: .seconds(600))
        }
      }
    }
  }

  /// A mock in a reference cycle, with a property that nothing has read.
  private final class Unread: Router {
    let name = "unread"
    @LazyInject var analytics: any Analytics
    var own: Unread?
    init() { own = self }
  }

  /// A mock that keeps the container of its test.
  private final class Owner: Router {
    let name = "owner"
    let container = DIContainer.current
    var own: Owner?
    init() { own = self }
  }

  @Test("find a cycle with an unread lazy property, and warn of one with the container, which hides what else it keeps")
  func keepers() async {
    let line = #line + 14
    await expectFailures(
      """
      'Unread' is still alive after its test and the container of the test.
        overridden \(file):\(line)
        note       a static property, a task or a reference cycle keeps it
      """,
      """
      Cannot check whether 'Owner' is released, because something keeps the container of the test.
        overridden \(file):\(line + 6)
        note       if that is a task that still runs, let the test wait for it
      """
    ) {
      withIsolatedContainer(overrides: .mustBeReleased) {
        DIContainer.override((any Router).self, with: Unread())
      }
      withIsolatedContainer(overrides: .mustBeReleased) {
        // This one is released before the test ends.
        DIContainer.override((any Analytics).self, with: AnalyticsImpl())
        DIContainer.removeAll()
        DIContainer.override((any Router).self, with: Owner())
      }
    }
  }

  /// A mock with a property that nothing has read.
  private final class Lazy: Router {
    let name = "lazy"
    @LazyInject var analytics: any Analytics
  }

  @Test("pass if a copy or a container of the test has an override whose lazy property nothing has read")
  func otherContainers() async {
    await expectFailures {
      withIsolatedContainer(overrides: .mustBeReleased) {
        DIContainer.override((any Analytics).self, with: AnalyticsImpl())
        DIContainer.withOverrides {
        } perform: {
          DIContainer.override((any Router).self, with: Lazy())
        }
        DIContainer.withCurrent(DIContainer()) {
          DIContainer.override((any Router).self, with: Lazy())
        }
        // The top of a copied chain has the override, and creates what it keeps.
        DIContainer.register(Shared(Lazy() as any Router))
        DIContainer.withCurrent(DIContainer(parent: .current)) {
          DIContainer.withOverrides {
          } perform: {
            DIContainer.override((any Router).self, with: DIContainer.resolve((any Router).self))
          }
        }
      }
    }
  }

  /// A mock that resolves in its `deinit`, with a property that nothing has read.
  private final class Manifold: Titled, Numbered, Dated, Paged, Failing, @unchecked Sendable {
    let page = 7
    @LazyInject var analytics: any Analytics
    private let ends: Calls<String>

    init(_ ends: Calls<String>) {
      self.ends = ends
    }

    deinit { ends(DIContainer.resolve(String.self)) }
  }

  @Test("pass for an override with an object of any type, whose deinit resolves from the test's container")
  func types() async {
    func override<Value>(_ type: Value.Type, _ makeMock: @autoclosure () -> Value, isExpected: (Value) -> Bool) {
      withIsolatedContainer(overrides: .mustBeReleased) {
        DIContainer.override(String.self, with: "test")
        DIContainer.override(type, with: makeMock())
        for _ in 0..<2 { #expect(isExpected(DIContainer.resolve(type))) }
        _ = DIContainer.resolve(String.self)
      }
    }
    let ends = Calls<String>()
    await expectFailures {
      override(Manifold.self, Manifold(ends)) { $0.page == 7 }
      override((any Titled).self, Manifold(ends)) { $0 is Manifold }
      override((any Titled & Numbered & Dated).self, Manifold(ends)) { $0 is Manifold }
      override((any Titled & Numbered & Dated & Failing).self, Manifold(ends)) { $0 is Manifold }
      override((any Paged<Int>).self, Manifold(ends)) { $0.page == 7 }
      override((any Error).self, PlainFailure()) { $0 is PlainFailure }
      override(Any.self, Manifold(ends)) { $0 is Manifold }
    }
    #expect(ends.all == Array(repeating: "test", count: 6))
  }

  @Test("pass after an asynchronous creation, whose task has let go of everything when it ends")
  func awaited() async {
    await expectFailures {
      for _ in 0..<1000 {
        await withIsolatedContainer(overrides: .mustBeReleased) {
          DIContainer.override((any Router).self, with: MockRouter())
          DIContainer.register(
            Shared { resolve in HomeViewModel(router: try await resolve.resolveAsync((any Router).self)) })
          #expect((try? await DIContainer.resolveAsync(HomeViewModel.self)) != nil)
        }
      }
    }
  }

  @Test("pass after a check of the registrations, whose threads have let go of everything when it ends")
  func verified() async {
    await expectFailures {
      for _ in 0..<100 {
        await withIsolatedContainer(overrides: .mustBeReleased) {
          DIContainer.override((any Router).self, with: MockRouter())
          await verifyRegistrations()
        }
      }
    }
  }

  @Test("pass while other tasks ask whether the test concerns them, because asking keeps nothing alive")
  func asked() async {
    await withTaskGroup { group in
      group.addTask {
        while !Task.isCancelled {
          // No test has a registration of this type, so all of them are asked.
          for _ in 0..<100 { _ = ActiveTests.current?.have(Key(Owner.self, named: nil), of: Owner.self) }
          await Task.yield()
        }
      }
      await expectFailures {
        for _ in 0..<1000 {
          withIsolatedContainer(overrides: .mustBeReleased) {
            DIContainer.override((any Router).self, with: MockRouter())
            _ = DIContainer.resolve((any Router).self)
          }
          await Task.yield()
        }
      }
      group.cancelAll()
    }
  }
}

private protocol Titled {}

private protocol Numbered {}

private protocol Dated {}

private protocol Failing: Error {}

private final class PlainFailure: Error {}

private protocol Paged<Page> {
  associatedtype Page
  var page: Page { get }
}
