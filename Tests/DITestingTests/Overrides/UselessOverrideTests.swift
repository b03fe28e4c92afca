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

  @Test("is a warning if the code asks for another name")
  func name() async {
    let line = #line + 11
    await expectFailures(
      """
      'Router (spar)' was overridden, but nothing else is registered for it, and nothing has resolved it.
        overridden \(file):\(line)
        note       override the name that the code asks for: it resolved 'Router (spare)' at \(file):\(line + 1)
      """
    ) {
      withIsolatedContainer {
        New(RouterImpl() as any Router, named: "spare")
      } perform: {
        DIContainer.override((any Router).self, named: "spar", with: MockRouter())
        _ = DIContainer.resolve((any Router).self, named: "spare")
      }
    }
  }

  @Test("is a warning where only the trait registers, too")
  func nowhereInTrait() async {
    let line = #line + 11
    await expectFailures(
      """
      'MockRouter' was overridden, but nothing else is registered for it, and nothing has resolved it.
        overridden \(file):\(line)
        note       override the type that the code asks for
      """
    ) {
      withIsolatedContainer(.empty) {
        appRegistrations
      } perform: {
        DIContainer.override(MockRouter.self, with: MockRouter())
        _ = DIContainer.resolve(HomeViewModel.self)
      }
    }
  }

  @Test("is none that puts back what was there, or that another container resolved")
  func putBack() async {
    await expectFailures {
      withIsolatedContainer {
        New(MockRouter("trait") as any Router)
      } perform: {
        _ = DIContainer.resolve(HomeViewModel.self)
        DIContainer.override((any Router).self, with: RouterImpl())
      }
      withIsolatedContainer {
        _ = DIContainer.resolve((any Router).self)
        let copy = DIContainer(copying: .current)
        copy.override((any Router).self, with: MockRouter())
        _ = copy.resolve((any Analytics).self)
      }
    }
  }

  @Test("is a warning if it must not be resolved and only its protocol is registered")
  func unexpected() async {
    let line = #line + 10
    await expectFailures(
      """
      Nothing is registered for 'MockRouter', but 'Router' was resolved.
        unexpected \(file):\(line)
        resolved   Router (\(file):\(line + 1))
        note       name the type that the code asks for
      """
    ) {
      withIsolatedContainer {
        DIContainer.override { Unexpected(MockRouter.self) }
        _ = DIContainer.resolve((any Router).self)
      }
    }
  }

  @Test("is a warning if a later registration of the app replaces it, in a list, in an inner trait and in the test")
  func replaced() async {
    // Of another module than the test's.
    let app = New(RouterImpl() as any Router, file: "App/App.swift", line: 7)
    func text(at line: Int) -> String {
      """
      A registration of 'Router' replaces the override of the test.
        overridden \(file):\(line)
        registered App/App.swift:7
        note       override what is registered already: put the override behind it
      """
    }
    let line = #line + 3
    await expectFailures(text(at: line), text(at: line + 6), text(at: line + 15)) {
      withIsolatedContainer(.empty) {
        New(MockRouter() as any Router)
        app
      } perform: {
        _ = DIContainer.resolve((any Router).self)
      }
      withIsolatedContainer(.empty) {
        New(MockRouter() as any Router)
      } perform: {
        withIsolatedContainer {
          app
        } perform: {
          _ = DIContainer.resolve((any Router).self)
        }
      }
      withIsolatedContainer {
        DIContainer.override((any Router).self, with: MockRouter())
        DIContainer.register(app)
        _ = DIContainer.resolve((any Router).self)
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
