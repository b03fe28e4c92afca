import DITesting
import DependencyInjection
import Testing

/// A router around another one.
private final class LoudRouter: Router {
  let inner: any Router
  var name: String { "loud \(inner.name)" }

  init(_ inner: any Router) { self.inner = inner }
}

private final class Page: Sendable {}

private let declaration = #line + 3

extension DIContainer {
  fileprivate static let declaredPage = Dependency { Page() }
  fileprivate static let declaredRouter = Dependency<any Router>(.shared) { RouterImpl() }
}

@Suite(
  "Decorated in a test", .expectingIssues,
  .isolatedContainer(.empty) {
    appRegistrations
    Shared(MockRouter("spare") as any Router, named: .spare)
  })
struct DecoratedTests {
  private var router: any Router { DIContainer.resolve((any Router).self) }

  @Test(
    "in a trait wraps what the container starts with and what the test registers later, in copies, too",
    .isolatedContainer {
      Decorated((any Router).self) { router, _ in LoudRouter(router) }
      Decorated(Int.self) { number, _ in number * 2 }
    })
  func trait() {
    let loud = router
    #expect(loud.name == "loud real")
    #expect(DIContainer.resolve(HomeViewModel.self).router === loud, "one wrapper")
    DIContainer.register(New(21))
    #expect(DIContainer.resolve(Int.self) == 42)
    DIContainer.withOverrides {
      New("text")
    } perform: {
      #expect(router.name == "loud real" && router !== loud && DIContainer.resolve(Int.self) == 42)
    }
    // A decorator is no override.
    expectOverridesResolved()
  }

  @Test("is a warning if the code asks for the declared dependency, or for another name")
  func otherForm() async {
    let line = #line + 17
    await expectFailures(
      """
      'Page' was decorated by its type, but the test resolved it as a declared dependency.
        decorated  \(#fileID):\(line)
        resolved   Page (\(#fileID):\(line + 1))
        declared   \(#fileID):\(declaration)
        note       name the declaration, as in `DIContainer.api`, and not its type
      """,
      """
      'Router (spar)' was decorated, but the test resolved 'Router (spare)'.
        decorated  \(#fileID):\(line + 4)
        resolved   Router (spare) (\(#fileID):\(line + 5))
        note       use the name that the code asks for
      """
    ) {
      withIsolatedContainer {
        DIContainer.override { Decorated(Page.self) { page, _ in page } }
        _ = DIContainer.declaredPage()
      }
      withIsolatedContainer {
        DIContainer.override { Decorated((any Router).self, named: "spar") { router, _ in LoudRouter(router) } }
        _ = DIContainer.resolve((any Router).self, named: .spare)
      }
    }
    // None if it is the app that decorates, or if there is what the test decorates.
    await expectFailures {
      withIsolatedContainer {
        DIContainer.override { Decorated((any Router).self) { router, _ in LoudRouter(router) } }
        _ = DIContainer.resolve((any Router).self, named: .spare)
      }
      withIsolatedContainer {
        DIContainer.override { Decorated(Page.self, file: "App/App.swift", line: 7) { page, _ in page } }
        _ = DIContainer.declaredPage()
      }
    }
  }

  @Test("stays when another registration comes, goes with an override, and lasts for a closure with withOverrides")
  func replaced() {
    do {
      DIContainer.register(Decorated((any Router).self) { router, _ in LoudRouter(router) })
      DIContainer.register(New(MockRouter("registered") as any Router))
      #expect(router.name == "loud registered")
      let mock = MockRouter()
      DIContainer.override((any Router).self, with: mock)
      #expect(router === mock)
      DIContainer.override {
        Shared(MockRouter("override") as any Router)
        Decorated((any Router).self) { router, _ in LoudRouter(router) }
      }
      #expect(router.name == "loud override")
      expectOverridesResolved()
    }
    anew {
      let real = router
      DIContainer.withOverrides {
        Decorated((any Router).self) { router, _ in LoudRouter(router) }
      } perform: {
        let loud = router as? LoudRouter
        #expect(loud?.name == "loud real" && loud?.inner !== real)
        expectResolved((any Router).self, times: 1, in: .current)
        DIContainer.withOverrides {
          New(MockRouter() as any Router)
        } perform: {
          #expect(router.name == "mock", "an override replaces the decorators")
        }
      }
      #expect(router === real)
    }
  }

  @Test("wraps one name or one declared dependency alone, may await, and counts as what it wraps, once")
  func alone() async throws {
    try await withIsolatedContainer {
      DIContainer.override {
        Decorated((any Router).self, named: .spare) { router, _ in LoudRouter(router) }
        Decorated(DIContainer.declaredRouter) { router, _ in LoudRouter(router) }
      }
      #expect(
        (DIContainer.resolve((any Router).self, named: .spare).name, DIContainer.declaredRouter().name, router.name)
          == (
            "loud spare", "loud real", "real"
          ))
      expectResolved(DIContainer.declaredRouter, times: 1)
      expectResolved((any Router).self, named: .spare, times: 1)
      try await anew {
        DIContainer.override {
          Decorated((any Router).self) { router, _ in
            await Task.yield()
            return LoudRouter(router)
          }
        }
        let loud = try await DIContainer.resolveAsync((any Router).self)
        #expect(loud.name == "loud real")
        expectResolved((any Router).self, times: 1)
      }
    }
    // Counts as what it wraps, once, and what it resolves counts as well.
    withIsolatedContainer {
      DIContainer.override {
        Decorated((any Router).self) { router, resolve in
          _ = resolve((any Analytics).self)
          return LoudRouter(router)
        }
      }
      _ = DIContainer.resolve(HomeViewModel.self)
      expectResolved((any Router).self, times: 1)
      expectCreated((any Router).self, times: 1)
      expectResolvedInOrder((any Analytics).self, (any Router).self, HomeViewModel.self)
      let paths = DIContainer.resolutions(of: (any Analytics).self).map(\.path)
      #expect(paths == [["HomeViewModel", "Router", "Analytics"]])
    }
  }

  @Test("in an override wraps what is registered, reaches what was built without it, and goes with a snapshot")
  func override() {
    do {
      let real = router
      let snapshot = DIContainer.snapshot()
      DIContainer.override { Decorated((any Router).self) { router, _ in LoudRouter(router) } }
      #expect(router.name == "loud real")
      DIContainer.restore(snapshot)
      #expect(router === real)
    }
    DIContainer.register(Shared { resolve in HomeViewModel(router: resolve()) })
    let model = DIContainer.resolve(HomeViewModel.self)
    DIContainer.override { Decorated((any Router).self) { router, _ in LoudRouter(router) } }
    #expect(
      DIContainer.resolve(HomeViewModel.self) !== model
        && DIContainer.resolve(HomeViewModel.self).router.name == "loud real")
    DIContainer.override { Decorated((any Router).self) { router, _ in LoudRouter(router) } }
    #expect(DIContainer.resolve(HomeViewModel.self).router.name == "loud loud real", "the second wraps the first")
  }
}
