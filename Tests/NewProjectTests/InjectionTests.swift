import DITesting
import DependencyInjection
import Testing
import XCTest

#if swift(>=6)
  @testable import NewProjectApp
#else
  @testable import NewProjectSwift5App
#endif

final class MockRouter: Router, DeeplinkHandler {
  private(set) var opened: [String] = []
  init() {}
  func open(_ path: String) { opened.append(path) }
}

nonisolated protocol Analytics: AnyObject, Sendable {}

nonisolated final class MockAnalytics: Analytics {}

final class Tracker {
  @Inject private var analytics: Analytics
}

extension DIContainer {
  #if swift(>=6)
    static let mockRouter = Dependency<Router>(MockRouter.init)
  #else
    // In the Swift 5 language mode, the compiler warns that the initializer above loses its isolation.
    static let mockRouter = Dependency<Router> { @MainActor in MockRouter() }
  #endif
}

@Suite(
  .isolatedContainer {
    Module.home
    MainShared(AppConfig(), named: .other)
  })
struct InjectionTests {
  @Test func wrappersInjectWhatIsDeclaredAndOverridden() async throws {
    let screen = Screen()
    let router = DIContainer.resolve(Router.self)
    #expect(
      screen.routers.allSatisfy { $0 === router } && screen.declaredRouters.allSatisfy { $0 === DIContainer.router() }
        && screen.cache == nil)
    screen.mutableRouter = MockRouter()
    #expect(screen.mutableRouter is MockRouter)
    #expect(DIContainer.item("7").id == "7")
    #expect(try await DIContainer.router.resolveAsync() is AppRouter)
    DIContainer.router.register { @MainActor _ in MockRouter() }
    #expect(DIContainer.router() is MockRouter)
    DIContainer.register { DIContainer.router.overridden(MockRouter.init) }
    #expect(DIContainer.router() is MockRouter && DIContainer.mockRouter() is MockRouter)
  }

  @Test func unexpectedTypeHasStub() {
    // snippet: new-project-stub
    let router = MockRouter()
    DIContainer.override { Unexpected(Router.self) { router } }
    // end
    withKnownIssue {
      #expect(DIContainer.resolve(Router.self) === router)
    } matching: { issue in
      issue.comments.contains { $0.rawValue.contains("Router") }
    }
  }

  // Off the main actor, which runs the `deinit` of `Tracker` after the container has ended.
  @Test @concurrent func mainActorReleasesBeforeReleasesAreChecked() async throws {
    for _ in 0..<20 {
      try await withIsolatedContainer(overrides: .mustBeReleased) {
        MainShared(Tracker())
      } perform: {
        DIContainer.override(Analytics.self, with: MockAnalytics())
        _ = try await DIContainer.resolveAsync(Tracker.self)
      }
    }
  }

  @Test func overridesEndWithTheirScope() async throws {
    DIContainer.withOverrides {
      MainNew(MockRouter() as Router)
    } perform: {
      #expect(DIContainer.resolve(Router.self) is MockRouter)
    }
    await DIContainer.withOverrides {
      MainNew(MockRouter() as Router)
    } perform: {
      await Task.yield()
      #expect(DIContainer.resolve(Router.self) is MockRouter)
    }
    #expect(DIContainer.resolve(Router.self) is AppRouter)
  }

  @Test func namesAndScopesAreIsolatedToNothing() async {
    await Task.detached {
      let container = DIContainer()
      container.register { Background().makeModule() }
      #expect(container.resolve(Clock.self).hour == 1 && container.resolve(Clock.self, named: .other).hour == 2)
      #expect(DIContainer.noon(from: container).hour == 3)
      container.reset(Background().scope)
      container.register { Module.background }
      #expect(container.resolve(Clock.self).hour == 1)
    }.value
  }

  @Test func everythingCanBeResolved() async throws {
    try await DIContainer.current.verify(arguments: { _ in "7" })
  }
}

@Suite(.isolatedContainer)
struct ShopAppTests {
  @Test func registersWhatItNeeds() async {
    _ = ShopApp()
    await verifyRegistrations(arguments: { _ in "7" })
  }
}

@Suite(.isolatedContainer { Module.home })
struct HomeViewModelTests {
  @Test func opensTheHomePage() {
    let router = MockRouter()
    DIContainer.override(Router.self, with: router)
    DIContainer.resolve(HomeViewModel.self).open()
    #expect(router.opened == ["/home"])
    expectResolved(Router.self, times: 1)
    expectResolved(HomeViewModel.self, times: 1) { _ = DIContainer.resolve(HomeViewModel.self) }
  }

  @Test(.isolatedContainer { MainNew(MockRouter() as Router) })
  func usesTheOverrideOfATrait() async {
    await Task.yield()
    #expect(DIContainer.resolve(Router.self) is MockRouter)
    #expect(DIContainer.cost { _ = DIContainer.resolve(HomeViewModel.self) }.creations == 2)
    expectOverridesResolved()
  }
}

// snippet: new-project-test-case
nonisolated final class HomeTests: DITestCase {
  override var registrations: Module { Module.home }

  @MainActor override func setUp() async throws {
    DIContainer.override(Router.self, with: MockRouter())
  }

  @MainActor func testOpensTheHomePage() {
    DIContainer.resolve(HomeViewModel.self).open()

    let router = DIContainer.resolve(Router.self) as? MockRouter
    XCTAssertEqual(router?.opened, ["/home"])
  }

  @MainActor func testOpensAsynchronously() async {
    await Task.yield()
    DIContainer.resolve(HomeViewModel.self).open()
    XCTAssertResolved(Router.self, times: 1)
  }
}
// end

nonisolated final class OverridingTests: DITestCase {
  override var registrations: Module {
    Module {
      Module.home
      MainNew(MockRouter() as Router)
    }
  }

  @MainActor func testReplacesTheRouter() async {
    XCTAssert(DIContainer.resolve(Router.self) is MockRouter)
  }
}
