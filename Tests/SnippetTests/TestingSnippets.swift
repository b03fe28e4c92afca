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

  @Test("more to expect", .isolatedContainer(.empty) { Module.app })
  func more() {
    // snippet: testing-more
    DIContainer.override { Unexpected(AppConfiguration.self) }  // resolving it fails the test
    DIContainer.override(Router.self, with: MockRouter())

    expectResolved(Router.self, times: 1) { _ = HomeViewModel() }  // counts inside the closure only
    let model = DIContainer.resolve(HomeViewModel.self)
    expectResolvedInOrder(Router.self, HomeViewModel.self)
    expectOverridesResolved()  // fails for an override that nothing resolved
    // end
    model.showSettings()
  }
}
