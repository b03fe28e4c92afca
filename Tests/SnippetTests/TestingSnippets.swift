// snippet: swift-testing
import DITesting
import DependencyInjection
import Testing

@Suite(.isolatedContainer)
struct HomeViewModelTests {
  @Test func opensSettings() {
    let router = MockRouter()
    DIContainer.override(Router.self, with: router)

    HomeViewModel().showSettings()

    #expect(router.opened == ["/settings"])
    expectResolved(Router.self, times: 1)
    expectNotResolved(AppConfiguration.self)
  }

  @Test(.isolatedContainer { New(MockRouter() as Router) })
  func resolvesOnce() {
    _ = HomeViewModel()

    #expect(DIContainer.resolveCount(of: Router.self) == 1)
  }

  @Test(.isolatedContainer(.empty) { Shared(MockRouter() as Router) })
  func needsNothingElse() {
    HomeViewModel().showSettings()
  }
}
// end

typealias HomeViewModel = Injecting.HomeViewModel

@Suite("README: testing")
struct TestingSnippets {
  @Test("snapshots", .isolatedContainer { New(RouterImpl() as Router) })
  func snapshot() {
    // snippet: snapshot
    let snapshot = DIContainer.snapshot()
    DIContainer.override { New(MockRouter() as Router) }
    HomeViewModel().showSettings()
    DIContainer.restore(snapshot)
    // end
    #expect(DIContainer.resolve(Router.self) is RouterImpl)
  }
}
