import DITesting
import DependencyInjection
import Testing

private let file = "DITestingTests/UselessOverrideTests.swift"

private protocol Unregistered {}
private struct MockUnregistered: Unregistered {}

@Suite("An override that nothing resolves", .isolatedContainer(.empty) { appRegistrations })
struct UselessOverrideTests {
  @Test("is a warning at the end of the test if it came too late, with both places")
  func late() async {
    let line = #line + 8
    await expectFailures(
      """
      'Router' was overridden after it had been resolved, and nothing has resolved it since.
        overridden \(file):\(line + 3)
        resolved   HomeViewModel → Router (DITestingTests/Fixtures.swift:\(lineOfRegistrations + 3))
        note       override first, then create what you test
      """
    ) {
      withIsolatedContainer {
        _ = DIContainer.resolve(HomeViewModel.self)
        DIContainer.override((any Router).self, with: MockRouter())
      }
    }
  }

  @Test("is a warning if it replaced nothing, which is often a wrong type")
  func nowhere() async {
    let line = #line + 9
    await expectFailures(
      """
      'MockRouter' was overridden, but nothing else is registered for it, and nothing has resolved it.
        overridden \(file):\(line)
        note       override the type that the code asks for
      """
    ) {
      withIsolatedContainer {
        DIContainer.override(MockRouter.self, with: MockRouter())
        _ = DIContainer.resolve(HomeViewModel.self)
      }
    }
  }

  @Test("is none if a test does not reach what it overrides, or a trait does")
  func innocent() async {
    await expectFailures {
      withIsolatedContainer {
        DIContainer.override((any Router).self, with: MockRouter())
        DIContainer.override((any Unregistered).self, with: MockUnregistered())
      }
      withIsolatedContainer {
        DIContainer.override((any Router).self, with: MockRouter())
        _ = DIContainer.resolve((any Router).self)
        DIContainer.override((any Router).self, with: RouterImpl())
      }
      withIsolatedContainer {
        New(MockRouter() as any Router)
        New(7)
      } perform: {
        _ = DIContainer.resolve((any Analytics).self)
      }
      withIsolatedContainer {
        DIContainer.override(MockRouter.self, with: MockRouter())
        _ = DIContainer.resolve(MockRouter.self)
        _ = DIContainer.resolve((any Router).self)
        DIContainer.override((any Router).self, with: MockRouter())
        _ = DIContainer.resolve((any Router).self)
      }
    }
  }
}
