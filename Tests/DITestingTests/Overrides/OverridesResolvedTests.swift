import DITesting
import DependencyInjection
import Testing

@Suite("expectOverridesResolved", .isolatedContainer(.empty) { appRegistrations })
struct OverridesResolvedTests {
  private let summary = "Expected every override to be resolved, but nothing asked for"

  @Test("passes without overrides, and when each was asked for")
  func passes() {
    expectOverridesResolved()
    DIContainer.override((any Router).self, with: MockRouter())
    DIContainer.override { New(AnalyticsImpl() as any Analytics) }
    _ = DIContainer.resolve(HomeViewModel.self)
    _ = DIContainer.resolve((any Analytics).self)
    expectOverridesResolved()
  }

  @Test("fails for each override that nothing asked for")
  func fails() {
    _ = DIContainer.resolve((any Router).self)
    let line = #line + 1
    DIContainer.override((any Router).self, with: MockRouter())
    let file = "DITestingTests/OverridesResolvedTests.swift"
    expectFailure("\(summary) this one:\n  Router (\(file):\(line))") { expectOverridesResolved() }
    DIContainer.override { Shared(RouterImpl(), as: RouterImpl.self, AnyObject.self) }
    expectFailure("\(summary) these:\n  Router (\(file):\(line))\n  RouterImpl, AnyObject (\(file):\(line + 3))") {
      expectOverridesResolved()
    }
    _ = DIContainer.resolve(AnyObject.self)
    _ = DIContainer.resolve((any Router).self)
    expectOverridesResolved()
  }

  @Test("fails for an override that another one has replaced before anything asked")
  func replaced() {
    let line = #line + 1
    DIContainer.override { New(MockRouter() as any Router) }
    DIContainer.override { New(MockRouter() as any Router) }
    _ = DIContainer.resolve((any Router).self)
    expectFailure("\(summary) this one:\n  Router (DITestingTests/OverridesResolvedTests.swift:\(line))") {
      expectOverridesResolved()
    }
  }

  @Test(
    "fails for what a trait has replaced, not for what it adds",
    .isolatedContainer {
      New(MockRouter() as any Router)
      New(7)
    })
  func traits() {
    let line = #line - 1  // where the macro of the test is expanded
    expectFailure("\(summary) this one:\n  Router (DITestingTests/OverridesResolvedTests.swift:\(line))") {
      expectOverridesResolved()
    }
  }
}
