import DITesting
import DependencyInjection
import Testing
import XCTest

@Suite(
  .isolatedContainer {
    Home.module
    Shared(AppConfig(), named: .other)
  })
struct InjectionTests {
  @Test func wrappersInject() {
    let screen = Screen()
    let router = DIContainer.resolve(Router.self)
    #expect(screen.routers.allSatisfy { $0 === router })
    #expect(screen.declaredRouters.allSatisfy { $0 === DIContainer.router() })
    #expect(screen.cache == nil)
    screen.mutableRouter = MockRouter()
    #expect(screen.mutableRouter is MockRouter)
  }

  @Test func declaredDependenciesAreOverridden() async throws {
    #expect(DIContainer.item("7").id == "7")
    #expect(try await DIContainer.router.resolveAsync() is AppRouter)
    DIContainer.router.register { @MainActor _ in MockRouter() }
    #expect(DIContainer.router() is MockRouter)
    DIContainer.register { DIContainer.router.overridden(MockRouter.init) }
    #expect(DIContainer.router() is MockRouter && DIContainer.mockRouter() is MockRouter)
  }

  @Test func overridesEndWithTheirScope() async throws {
    DIContainer.withOverrides {
      New(MockRouter() as Router)
    } perform: {
      #expect(DIContainer.resolve(Router.self) is MockRouter)
    }
    await DIContainer.withOverrides {
      New(MockRouter() as Router)
    } perform: {
      await Task.yield()
      #expect(DIContainer.resolve(Router.self) is MockRouter)
    }
    #expect(DIContainer.resolve(Router.self) is AppRouter)
  }

  @Test func everythingCanBeResolved() async throws {
    try await DIContainer.current.verify(arguments: { _ in "7" })
  }
}

@Suite(.isolatedContainer { Home.module })
struct HomeViewModelTests {
  @Test func opensTheHomePage() {
    let router = MockRouter()
    DIContainer.override(Router.self, with: router)
    DIContainer.resolve(HomeViewModel.self).open()
    #expect(router.opened == ["/home"])
    expectResolved(Router.self, times: 1)
    expectResolved(HomeViewModel.self, times: 1) { _ = DIContainer.resolve(HomeViewModel.self) }
  }

  @Test(.isolatedContainer { New(MockRouter() as Router) })
  func usesTheOverrideOfATrait() async {
    await Task.yield()
    #expect(DIContainer.resolve(Router.self) is MockRouter)
    #expect(DIContainer.cost { _ = DIContainer.resolve(HomeViewModel.self) }.creations == 2)
  }
}

@Test(.isolatedContainer { New(MockRouter() as Router) })
func theOverrideOfATraitIsResolved() {
  #expect(DIContainer.resolve(Router.self) is MockRouter)
  expectOverridesResolved()
}

// `XCTestCase` is not isolated, so its subclasses cannot be.
nonisolated final class HomeViewModelXCTests: DITestCase {
  override var registrations: Module {
    Module {
      New(MockRouter() as Router)
      New(HomeViewModel())
    }
  }

  @MainActor func testOpensTheHomePage() {
    let router = MockRouter()
    DIContainer.override(Router.self, with: router)
    DIContainer.resolve(HomeViewModel.self).open()
    XCTAssertEqual(router.opened, ["/home"])
    XCTAssertResolved(Router.self, times: 1)
  }

  @MainActor func testOpensAsynchronously() async {
    await Task.yield()
    DIContainer.resolve(HomeViewModel.self).open()
    XCTAssertResolved(Router.self, times: 1)
  }
}
