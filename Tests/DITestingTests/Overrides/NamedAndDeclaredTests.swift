@testable import DITesting
import DependencyInjection
import Testing

extension DIContainer {
  fileprivate static let declaredRouter = Dependency<any Router>(.shared) { RouterImpl() }
}

private final class Visit: Sendable {}

private final class Dashboard {
  let router: any Router
  let spare: any Router

  init(router: any Router, spare: any Router) {
    self.router = router
    self.spare = spare
  }
}

@Suite(
  "Names, declared dependencies and other lifetimes", .expectingIssues,
  .isolatedContainer(.empty) {
    Shared(RouterImpl() as any Router, file: "App/App.swift", line: 1)
    Shared(MockRouter("real spare") as any Router, named: .spare)
    Scoped(in: .visit) { _ in Visit() }
    Weak(MockRouter(), file: "App/App.swift", line: 2)
    Shared { resolve in
      Dashboard(router: DIContainer.declaredRouter(from: resolve), spare: resolve((any Router).self, named: .spare))
    }
  })
struct NamedAndDeclaredTests {
  private func spare() -> any Router { DIContainer.resolve((any Router).self, named: .spare) }

  @Test("A name or a declared dependency is overridden, reported and unexpected on its own")
  func name() {
    // A name or a declared dependency is overridden alone, and what was built from it is built anew.
    withIsolatedContainer {
      let dashboard = DIContainer.resolve(Dashboard.self)
      let mock = MockRouter()
      DIContainer.override((any Router).self, named: .spare, with: mock)
      expectFailure(
        """
        Expected every override to be resolved, but nothing resolved this one:
          Router (spare) (DITestingTests/NamedAndDeclaredTests.swift:\(#line - 4))
        """
      ) { expectOverridesResolved() }
      #expect(spare() === mock && DIContainer.resolve((any Router).self).name == "real")
      #expect(DIContainer.resolve(Dashboard.self).spare === mock && DIContainer.resolve(Dashboard.self) !== dashboard)
      expectOverridesResolved()
      do {
        let dashboard = DIContainer.resolve(Dashboard.self)
        let mock = MockRouter()
        DIContainer.override(DIContainer.declaredRouter, with: mock)
        #expect(DIContainer.declaredRouter() === mock && DIContainer.resolve((any Router).self).name == "real")
        #expect(
          DIContainer.resolve(Dashboard.self).router === mock && DIContainer.resolve(Dashboard.self) !== dashboard)
        expectOverridesResolved()
      }
    }
    // A resolution has the name, and a declared dependency alone is unexpected, until it is overridden.
    withIsolatedContainer {
      _ = spare()
      _ = DIContainer.declaredRouter()
      let resolutions = DIContainer.resolutions(of: (any Router).self)
      #expect((resolutions.map(\.name), resolutions.first?.path) == ([.spare, nil], ["Router (spare)"]))
      DIContainer.override { Unexpected(DIContainer.declaredRouter) }
      let line = #line - 1
      _ = DIContainer.resolve((any Router).self)
      let file = "DITestingTests/NamedAndDeclaredTests.swift"
      expectFailure(
        """
        'Router' was resolved, but the test declares it unexpected.
          Router (\(file):\(#line + 3))
          declared   \(file):\(line)
        """
      ) { _ = DIContainer.declaredRouter() }
      DIContainer.declaredRouter.register { MockRouter() }
      _ = DIContainer.declaredRouter()
    }
  }

  @Test("A snapshot covers names, declared dependencies, scopes and weak instances, and a copy has none of them")
  func snapshot() {
    let name = spare()
    let declared = DIContainer.declaredRouter()
    let visit = DIContainer.resolve(Visit.self)
    let weakly = DIContainer.resolve(MockRouter.self)
    let snapshot = DIContainer.snapshot()

    DIContainer.override((any Router).self, named: .spare, with: MockRouter())
    DIContainer.declaredRouter.register { MockRouter() }
    DIContainer.reset(.visit)
    DIContainer.register(Weak(MockRouter()))
    #expect(
      spare() !== name && DIContainer.declaredRouter() !== declared && DIContainer.resolve(Visit.self) !== visit
        && DIContainer.resolve(MockRouter.self) !== weakly)

    DIContainer.restore(snapshot)
    #expect(
      spare() === name && DIContainer.declaredRouter() === declared && DIContainer.resolve(Visit.self) === visit
        && DIContainer.resolve(MockRouter.self) === weakly)
    do {
      let weakly = DIContainer.resolve(MockRouter.self)
      let copy = DIContainer(copying: DIContainer.current.registry, withObservers: false)
      #expect(
        copy.resolve((any Router).self, named: .spare) !== spare()
          && DIContainer.declaredRouter(from: copy) !== DIContainer.declaredRouter())
      #expect(copy.resolve(Visit.self) !== DIContainer.resolve(Visit.self) && copy.resolve(MockRouter.self) !== weakly)
    }
  }
}
