import DITesting
import DependencyInjection
import Testing

extension DIContainer {
  fileprivate static let navigation = Dependency<any Router>(.shared) { RouterImpl() }
  fileprivate static let remote = Dependency<any Router>(.shared) { () async throws -> any Router in RouterImpl() }
}

@Suite(.expectingIssues, .isolatedContainer(.empty))
struct OverriddenDependencyTests {
  @Test("is overridden by a trait", .isolatedContainer { DIContainer.navigation.overridden { MockRouter() } })
  func trait() {
    #expect(DIContainer.navigation().name == "mock")
    expectOverridesResolved()
  }

  @Test("is overridden in a module, an override and withOverrides, also by an asynchronous factory")
  func builders() async throws {
    DIContainer.register(Module { DIContainer.navigation.overridden { MockRouter("module") } })
    #expect(DIContainer.navigation().name == "module" && DIContainer.navigation() === DIContainer.navigation())
    DIContainer.override { DIContainer.navigation.overridden(.new) { MockRouter("override") } }
    #expect(DIContainer.navigation().name == "override" && DIContainer.navigation() !== DIContainer.navigation())
    DIContainer.withOverrides {
      DIContainer.navigation.overridden { _ in MockRouter("scope") }
    } perform: {
      #expect(DIContainer.navigation().name == "scope")
    }
    expectOverridesResolved()
    DIContainer.override { DIContainer.remote.overridden { () async throws -> any Router in MockRouter("remote") } }
    #expect(try await DIContainer.remote.resolveAsync().name == "remote")
    DIContainer.override {
      DIContainer.remote.overridden { resolve async throws -> any Router in
        try await resolve.resolveAsync(MockRouter.self)
      }
      Shared(MockRouter("resolved"))
    }
    #expect(try await DIContainer.remote.resolveAsync().name == "resolved")
  }
}
