import DITesting
import DependencyInjection
import Testing

typealias HomeViewModel = Injecting.HomeViewModel

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
