import DITesting
import DependencyInjection
import Foundation
import Testing

private let file = "DITestingTests/UselessOverrideTests.swift"

private protocol Unregistered {}
private struct MockUnregistered: Unregistered {}

// A value, like many mocks.
protocol ShippingPolicy {}
private struct RealShippingPolicy: ShippingPolicy {}
private struct MockShippingPolicy: ShippingPolicy {}

protocol ReturnPolicy {}
private struct MockPolicies: ShippingPolicy, ReturnPolicy {}

private class Base {}
private final class Derived: Base {}

extension DIContainer {
  fileprivate static let otherRouter = Dependency<any Router> { RouterImpl() }
  fileprivate static let thirdRouter = Dependency<any Router> { RouterImpl() }
  fileprivate static let number = Dependency { 0 }
  fileprivate static let url = Dependency { URL(fileURLWithPath: "/") }
  fileprivate static let lock = Dependency { NSLock() }
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct UselessOverrideTests {
  @Test(
    "is a warning if the code asks for the protocol of a mock that is a value, also of what a list or `register` adds")
  func valueOfProtocol() async {
    func text(_ verb: String, at line: Int) -> String {
      """
      'MockShippingPolicy' was \(verb), but the test resolved 'ShippingPolicy'.
        \(verb) \(file):\(line)
        resolved   ShippingPolicy (\(file):\(resolution))
        note       use the type that the code asks for
      """
    }
    let resolution = #line + 1
    func resolve() { _ = DIContainer.resolve((any ShippingPolicy).self) }
    let app = Module { New(RealShippingPolicy() as any ShippingPolicy, file: "App/App.swift", line: 7) }
    let line = #line + 7
    await expectFailures(
      text("overridden", at: line), text("registered", at: line + 5), text("registered", at: line + 12)
    ) {
      withIsolatedContainer {
        app
      } perform: {
        DIContainer.override(MockShippingPolicy.self, with: MockShippingPolicy())
        resolve()
      }
      withIsolatedContainer {
        app
        New(MockShippingPolicy())
      } perform: {
        resolve()
      }
      withIsolatedContainer {
        app
      } perform: {
        DIContainer.register(New(MockShippingPolicy()))
        resolve()
      }
    }
    await expectFailures {
      withIsolatedContainer {
        app
        New(MockShippingPolicy())
      } perform: {
        _ = DIContainer.resolve(MockShippingPolicy.self)
        resolve()
      }
      withIsolatedContainer {
        New(MockShippingPolicy())
        New { resolve in resolve(MockShippingPolicy.self) as any ShippingPolicy }
      } perform: {
        resolve()
      }
    }
  }

  @Test("is a warning if it is of an optional, which nothing resolves")
  func optional() async {
    let line = #line + 10
    await expectFailures(
      """
      'Optional<Router>' was overridden, but the test resolved 'Router'.
        overridden \(file):\(line)
        resolved   Router (\(file):\(line + 1))
        note       use the type that the code asks for
      """
    ) {
      anew {
        DIContainer.override((any Router)?.self, with: MockRouter())
        _ = DIContainer.resolve((any Router)?.self)
      }
    }
  }

  @Test("is a warning if it must not be resolved by a name, or as a declaration, that the code does not use")
  func unexpectedTwin() async {
    let line = #line + 21
    func text(
      _ statement: String, _ resolved: String, at line: Int, _ note: String, _ request: String? = nil
    ) -> String {
      """
      \(statement), but the test resolved \(resolved).
        unexpected \(file):\(line)
        resolved   \(request ?? "Router (\(file):\(line + 1))")
        note       \(note)
      """
    }
    await expectFailures(
      text("'Router (spar)' was declared unexpected", "'Router'", at: line, "leave out the name, as the code does"),
      text(
        "'Router (spar)' was declared unexpected", "'Router (spare)'", at: line + 4,
        "use the name that the code asks for", "Router (spare) (\(file):\(line + 7))"),
      text(
        "'Router' was declared unexpected as a declared dependency", "it by its type", at: line + 10,
        "name the type as well: `Router.self`")
    ) {
      withIsolatedContainer {
        DIContainer.override { Unexpected((any Router).self, named: "spar") }
        _ = DIContainer.resolve((any Router).self)
      }
      withIsolatedContainer {
        DIContainer.override { Unexpected((any Router).self, named: "spar") }
        _ = DIContainer.resolve((any Router).self)
        DIContainer.register(New(RouterImpl() as any Router, named: .spare, file: "App/App.swift", line: 7))
        _ = DIContainer.resolve((any Router).self, named: .spare)
      }
      withIsolatedContainer {
        DIContainer.override { Unexpected(DIContainer.otherRouter) }
        _ = DIContainer.resolve((any Router).self)
      }
      // Something is registered with this name.
      withIsolatedContainer {
        DIContainer.register(New(RouterImpl() as any Router, named: .spare, file: "App/App.swift", line: 7))
        DIContainer.override { Unexpected((any Router).self, named: .spare) }
        _ = DIContainer.resolve((any Router).self)
      }
    }
  }

  @Test("is a warning if a later registration of the app replaces it, in a list, in an inner trait and in the test")
  func replaced() async {
    // Of another module than the test's.
    let app = New(RouterImpl() as any Router, file: "App/App.swift", line: 7)
    let other = New(RouterImpl() as any Router, file: "App/Other.swift", line: 8)
    let alias = New(RouterImpl(), as: (any Router).self, file: "App/App.swift", line: 7)
    func text(at line: Int, by registration: String = "App/App.swift:7") -> String {
      """
      A registration of 'Router' replaces the override of the test.
        overridden \(file):\(line)
        registered \(registration)
        note       register first, then override
      """
    }
    let line = #line + 4
    await expectFailures(
      text(at: line + 2), text(at: line + 8), text(at: line + 19), text(at: line + 25, by: "App/Other.swift:8"),
      text(at: line + 33), text(at: line + 43), text(at: line + 49)
    ) {
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
        // Each line is reported once.
        for _ in 0..<2 {
          DIContainer.override((any Router).self, with: MockRouter())
          DIContainer.register(app)
          _ = DIContainer.resolve((any Router).self)
        }
      }
      withIsolatedContainer(.empty) {
        New(MockRouter() as any Router)
        app
        other
      } perform: {
        _ = DIContainer.resolve((any Router).self)
      }
      // The last one of an enclosing test is replaced.
      withIsolatedContainer(.empty) {
        New(MockRouter() as any Router)
      } perform: {
        DIContainer.override((any Router).self, with: MockRouter())
        withIsolatedContainer {
          app
        } perform: {
          _ = DIContainer.resolve((any Router).self)
        }
      }
      withIsolatedContainer {
        DIContainer.override((any Router).self, with: MockRouter())
        DIContainer.register(alias)
        _ = DIContainer.resolve((any Router).self)
      }
      withIsolatedContainer {
        let child = DIContainer(parent: .current)
        child.override((any Router).self, with: MockRouter())
        child.register(app)
        _ = child.resolve((any Router).self)
      }
    }
  }

  @Test("is a warning if the code asks for the protocol, whoever registers that")
  func nowhere() async {
    func text(at line: Int) -> String {
      """
      'MockRouter' was overridden, but the test resolved 'Router'.
        overridden \(file):\(line)
        resolved   HomeViewModel → Router (DITestingTests/Fixtures.swift:\(lineOfRegistrations + 3))
        note       use the type that the code asks for
      """
    }
    func override() {
      DIContainer.override(MockRouter.self, with: MockRouter())
      _ = DIContainer.resolve(HomeViewModel.self)
    }
    let line = #line - 3
    await expectFailures(text(at: line), text(at: line)) {
      withIsolatedContainer(perform: override)
      withIsolatedContainer(.empty) {
        appRegistrations
      } perform: {
        override()
      }
    }
  }

  @Test("is none if a test does not reach it, a trait does, it puts back what was there, or the app replaces it")
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
      withIsolatedContainer {
        _ = DIContainer.resolve((any Router).self)
        let copy = DIContainer(copying: .current)
        copy.override((any Router).self, with: MockRouter())
        _ = copy.resolve((any Analytics).self)
      }
      withIsolatedContainer {
        DIContainer.override((any Router).self, with: MockRouter())
        _ = DIContainer.resolve((any Router).self)
        DIContainer.register(New(RouterImpl() as any Router, file: "App/App.swift", line: 7))
        _ = DIContainer.resolve((any Router).self)
      }
      withIsolatedContainer {
        New(RouterImpl() as any Router, file: "App/App.swift", line: 7)
      } perform: {
        withIsolatedContainer {
          New(RouterImpl() as any Router, file: "App/App.swift", line: 8)
        } perform: {
          _ = DIContainer.resolve((any Router).self)
        }
      }
      withIsolatedContainer {
        DIContainer.override((any Router).self, with: MockRouter())
        DIContainer.register(New(RouterImpl() as any Router, file: "App/App.swift", line: 7))
        DIContainer.override((any Router).self, with: MockRouter())
        _ = DIContainer.resolve((any Router).self)
        DIContainer.register(New(RouterImpl() as any Router, file: "App/App.swift", line: 8))
      }
    }
  }
}

@Suite(.expectingIssues)
struct UselessStatementTests {
  @Test("is a warning if the app replaces what is current around a test, unless that starts without it")
  func around() async {
    let app = New(RouterImpl() as any Router, file: "App/App.swift", line: 7)
    let line = #line + 10
    await expectFailures(
      """
      A registration of 'Router' replaces the override of the test.
        overridden \(file):\(line)
        registered App/App.swift:7
        note       what is current around a test comes first: override it in the test
      """
    ) {
      DIContainer.withOverrides {
        New(MockRouter() as any Router)
      } perform: {
        for (origin, list) in [
          (IsolationOrigin.registrations, app), (.empty, app), (.registrations, New(MockRouter() as any Router)),
        ] {
          withIsolatedContainer(origin) {
            list
          } perform: {
            _ = DIContainer.resolve((any Router).self)
          }
        }
      }
    }
  }

  private let app = New(RouterImpl(), as: (any Router).self, file: "App/App.swift", line: 7)

  @Test(
    "is a warning if the code asks for another type of the registration, or if it comes too late to replace another")
  func alias() async {
    // Is a warning if the code asks for the same registration under another one of its types.
    do {
      let line = #line + 12
      func text(_ statement: String, _ place: String? = nil) -> String {
        ([
          "'RouterImpl' was \(statement), but the test resolved 'Router'.", place,
          "  resolved   Router (\(file):\(line + 1))", "  note       use the type that the code asks for",
        ] as [String?]).compactMap(\.self).joined(separator: "\n")
      }
      await expectFailures(
        text("expected not to be resolved"), text("overridden", "  overridden \(file):\(line)")
      ) {
        withIsolatedApp(app) {
          expectNotResolved(RouterImpl.self)
          DIContainer.override(RouterImpl.self, with: RouterImpl())
          _ = DIContainer.resolve((any Router).self)
          expectNotResolved(RouterImpl.self)
        }
        withIsolatedApp(New(RouterImpl(), as: (any Router).self, (any Sendable).self, file: "App/App.swift", line: 8)) {
          _ = DIContainer.resolve((any Router).self)
          expectNotResolved((any Sendable).self)
        }
      }
    }
    // Is a warning if it comes too late to replace what a trait has registered, even if the test ends with it.
    for (isOfApp, isOfModule) in [(false, false), (false, true), (true, false), (true, true)] {
      let name = DependencyName("\(isOfApp) \(isOfModule)")
      let line = #line + 17
      await expectFailures(
        """
        'Router (\(name))' was overridden after it had been resolved, and nothing has resolved it since.
          overridden \(file):\(line)
          resolved   Router (\(name)) (\(file):\(line - 1))
          note       override first, then create what you test
        """
      ) {
        let app = DIContainer()
        if isOfApp { app.register(New(RouterImpl() as any Router, named: name, file: "App/App.swift", line: 7)) }
        let module = New(RouterImpl() as any Router, named: name, file: "App/App.swift", line: 8)
        DIContainer.withCurrent(app) {
          withIsolatedContainer {
            isOfModule ? module : New(MockRouter("trait") as any Router, named: name)
          } perform: {
            _ = DIContainer.resolve((any Router).self, named: name)
            DIContainer.override((any Router).self, named: name, with: MockRouter())
          }
        }
      }
    }
    // The same is true of the stub of a type that the trait declares unexpected.
    do {
      let line = #line + 18
      await expectFailures(
        """
        'Router' was resolved, but the test declares it unexpected.
          Router (\(file):\(line))
          declared   \(file):\(line - 2)
        """,
        """
        'Router' was overridden after it had been resolved, and nothing has resolved it since.
          overridden \(file):\(line + 1)
          resolved   Router (\(file):\(line))
          note       override first, then create what you test
        """
      ) {
        withIsolatedApp(New(RouterImpl() as any Router)) {
          withIsolatedContainer {
            Unexpected((any Router).self) { MockRouter() }
          } perform: {
            _ = DIContainer.resolve((any Router).self)
            DIContainer.override((any Router).self, with: MockRouter())
          }
        }
      }
    }
    // The same is true of what an enclosing test registered and the test decorated.
    do {
      let line = #line + 15
      await expectFailures(
        """
        'Router' was overridden after it had been resolved, and nothing has resolved it since.
          overridden \(file):\(line)
          resolved   Router (\(file):\(line - 1))
          note       override first, then create what you test
        """
      ) {
        let app = DIContainer()
        app.register(New(RouterImpl() as any Router))
        DIContainer.withCurrent(app) {
          withIsolatedContainer {
            DIContainer.decorate((any Router).self) { router, _ in router }
            _ = DIContainer.resolve((any Router).self)
            DIContainer.override((any Router).self, with: MockRouter())
          }
        }
      }
    }
    // Is a warning if it comes too late to replace another override, unless the test ends with it.
    do {
      let line = #line + 11
      await expectFailures(
        """
        'Router' was overridden after it had been resolved, and nothing has resolved it since.
          overridden \(file):\(line + 2)
          resolved   Router (\(file):\(line + 1))
          note       override first, then create what you test
        """
      ) {
        for isEnd in [false, true] {
          withIsolatedApp(app) {
            DIContainer.override((any Router).self, with: MockRouter("setUp"))
            _ = DIContainer.resolve((any Router).self)
            DIContainer.override((any Router).self, with: MockRouter("test"))
            if !isEnd { _ = DIContainer.resolve(RouterImpl.self) }
          }
        }
      }
    }
    // Of several that come too late, it is the last, whatever else is not resolved.
    do {
      let line = #line + 13
      await expectFailures(
        """
        'Router' was overridden after it had been resolved, and nothing has resolved it since.
          overridden \(file):\(line)
          resolved   Router (\(file):\(line - 2))
          note       override first, then create what you test
        """
      ) {
        withIsolatedApp(app) {
          DIContainer.override((any Analytics).self, with: AnalyticsImpl())
          _ = DIContainer.resolve((any Router).self)
          DIContainer.override((any Router).self, with: MockRouter("first"))
          DIContainer.override((any Router).self, with: MockRouter("last"))
        }
      }
    }
  }

  @Test("is a warning if a child or an unrelated container registers the type itself, unless the override answers")
  func hidden() async {
    let line = #line + 16
    func warning(_ owner: String, at resolution: Int) -> String {
      """
      'Router' was overridden, but \(owner)'s own registration answers for it.
        overridden \(file):\(line)
        registered App/Tenant.swift:3
        resolved   Router (\(file):\(line + resolution))
        note       override it in that container, or pass the mock to the code that creates it
      """
    }
    await expectFailures(warning("a child", at: 6), warning("another container", at: 6)) {
      for (isRelated, isAsked) in [(true, false), (false, false), (true, true), (false, true)] {
        withIsolatedApp(app) {
          let (empty, former) = (DIContainer(), DIContainer.snapshot())
          let tenant = isRelated ? DIContainer(parent: .current) : DIContainer()
          tenant.register(Shared(RouterImpl() as any Router, file: "App/Tenant.swift", line: 3))
          DIContainer.override((any Router).self, with: MockRouter())
          let latter = DIContainer.snapshot()
          // The override is back in the end, and not concerned by what happens elsewhere.
          for snapshot in [former, latter] { DIContainer.restore(snapshot) }
          empty.restore(empty.snapshot())
          // Whatever is current.
          DIContainer.withCurrent(tenant) { _ = DIContainer.resolve((any Router).self) }
          if isAsked { _ = DIContainer.resolve((any Router).self) }
        }
      }
    }
    // What replaces it on purpose does not hide it, and what the test has not stated itself may be for other tests.
    await expectFailures {
      func askTenant() {
        let tenant = DIContainer(parent: .current)
        tenant.register(Shared(RouterImpl() as any Router, file: "App/Tenant.swift", line: 3))
        DIContainer.withCurrent(tenant) { _ = DIContainer.resolve((any Router).self) }
      }
      withIsolatedApp(app) {
        withIsolatedContainer {
          New(MockRouter() as any Router)
        } perform: {
          askTenant()
        }
      }
      withIsolatedApp(app) {
        DIContainer.register(New(MockRouter() as any Router))
        askTenant()
      }
      withIsolatedApp(app) {
        DIContainer.override((any Router).self, with: MockRouter())
        withIsolatedContainer { askTenant() }
        _ = DIContainer.resolve((any Router).self)
      }
      withIsolatedApp(app) {
        let snapshot = DIContainer.snapshot()
        DIContainer.override((any Router).self, with: MockRouter())
        DIContainer.restore(snapshot)
        askTenant()
      }
      withIsolatedApp(app) {
        let own = DIContainer()
        own.register(Shared(RouterImpl() as any Router, file: "App/Tenant.swift", line: 3))
        _ = own.resolve((any Router).self)
        DIContainer.override((any Router).self, with: MockRouter())
      }
      withIsolatedApp(app) {
        let child = DIContainer(parent: .current)
        child.override((any Router).self, with: MockRouter())
        child.unregister((any Router).self)
        _ = child.resolve((any Router).self)
        DIContainer.override((any Router).self, with: MockRouter())
        let copy = DIContainer(copying: .current)
        copy.register(New(RouterImpl() as any Router, file: "App/App.swift", line: 7))
        _ = copy.resolve((any Router).self)
      }
      withIsolatedApp(app) {
        DIContainer.override((any Router).self, with: MockRouter())
        DIContainer.withOverrides {
          New(MockRouter("other") as any Router)
        } perform: {
          _ = DIContainer.resolve((any Router).self)
          _ = DIContainer(parent: .current).resolve((any Router).self)
        }
        let child = DIContainer(parent: .current)
        child.override((any Router).self, with: MockRouter("child"))
        _ = child.resolve((any Router).self)
      }
    }
  }

  @Test("is a warning if it is a registration that came too late, or has a misspelled name")
  func registration() async {
    let line = #line + 16
    await expectFailures(
      """
      'Router' was registered after it had been resolved, and nothing has resolved it since.
        registered \(file):\(line + 1)
        resolved   Router (\(file):\(line))
        note       register first, then create what you test
      """,
      """
      'Router (mian)' was registered, but the test resolved 'Router (main)'.
        registered \(file):\(line + 4)
        resolved   Router (main) (\(file):\(line + 5))
        note       use the name that the code asks for
      """
    ) {
      withIsolatedApp(app) {
        _ = DIContainer.resolve((any Router).self)
        DIContainer.register(New(MockRouter() as any Router))
      }
      withIsolatedApp(New(RouterImpl() as any Router, named: "main", file: "App/App.swift", line: 8)) {
        DIContainer.register(New(MockRouter() as any Router, named: "mian"))
        _ = DIContainer.resolve((any Router).self, named: "main")
      }
    }
    await expectFailures {
      withIsolatedApp(app) {
        DIContainer.register(New(MockRouter() as any Router, named: "spare"))
        DIContainer.register(New(MockRouter() as any Router))
        _ = DIContainer.resolve((any Router).self)
        DIContainer.register(New(MockRouter() as any Router))
      }
      withIsolatedApp(New(RouterImpl() as any Router, named: "main", file: "App/App.swift", line: 8)) {
        DIContainer.register(New(MockRouter() as any Router, named: "spare"))
        _ = DIContainer.resolve((any Router).self, named: "main")
      }
    }
  }

  @Test(
    "is a warning if another container or a descendant asks for something else, or has asked earlier")
  func elsewhere() async {
    let app = New(RealShippingPolicy() as any ShippingPolicy, file: "App/App.swift", line: 7)
    let main = New(RouterImpl() as any Router, named: "main", file: "App/App.swift", line: 8)
    func text(_ statement: String, _ label: String, at line: Int, _ resolved: String, _ note: String) -> String {
      """
      \(statement)
        \(label) \(file):\(line)
        resolved   \(resolved)
        note       \(note)
      """
    }
    let mock = "'MockShippingPolicy' was overridden, but the test resolved 'ShippingPolicy'."
    let useType = "use the type that the code asks for"
    let line = #line + 14
    await expectFailures(
      text(mock, "overridden", at: line, "ShippingPolicy (\(file):\(line + 3))", useType),
      text(
        "'Router (mian)' was registered, but the test resolved 'Router (main)'.", "registered", at: line + 7,
        "Router (main) (\(file):\(line + 8))", "use the name that the code asks for"),
      text(
        "'ShippingPolicy' was overridden after it had been resolved, and nothing has resolved it since.",
        "overridden", at: line + 12, "ShippingPolicy (\(file):\(line + 11))",
        "override first, then create what you test"),
      text(mock, "overridden", at: line + 16, "ShippingPolicy (\(file):\(line + 19))", useType)
    ) {
      withIsolatedContainer(.empty) {
        DIContainer.register(New(1, file: "App/App.swift", line: 9))
        DIContainer.override(MockShippingPolicy.self, with: MockShippingPolicy())
        let other = DIContainer()
        other.register(app)
        _ = other.resolve((any ShippingPolicy).self)
      }
      withIsolatedApp(main) {
        let child = DIContainer(parent: .current)
        child.register(New(MockRouter() as any Router, named: "mian"))
        _ = DIContainer(parent: child).resolve((any Router).self, named: "main")
      }
      withIsolatedApp(app) {
        _ = DIContainer(parent: .current).resolve((any ShippingPolicy).self)
        DIContainer.override { New(MockShippingPolicy() as any ShippingPolicy) }
      }
      withIsolatedApp(New(RouterImpl() as any Router, file: "App/App.swift", line: 9)) {
        DIContainer.override((any Router).self, with: MockRouter())
        DIContainer.override(MockShippingPolicy.self, with: MockShippingPolicy())
        let other = DIContainer()
        other.register(app)
        _ = other.resolve((any ShippingPolicy).self)
      }
    }
    // Where nothing else is registered, an override is how a test registers.
    await expectFailures {
      withIsolatedContainer(.empty) {
        DIContainer.override(MockShippingPolicy.self, with: MockShippingPolicy())
        let other = DIContainer()
        other.register(app)
        _ = other.resolve((any ShippingPolicy).self)
      }
    }
    // A nested test that asks for the protocol, too, does not repeat the warning.
    do {
      let line = #line + 4
      await expectFailures(text(mock, "overridden", at: line, "ShippingPolicy (\(file):\(line + 1))", useType)) {
        withIsolatedApp(app) {
          let ask = { _ = DIContainer.resolve((any ShippingPolicy).self) }
          DIContainer.override(MockShippingPolicy.self, with: MockShippingPolicy())
          _ = DIContainer.resolve((any ShippingPolicy).self)
          withIsolatedContainer(perform: ask)
        }
      }
    }
  }

  @Test("is none if the code asks for what the test overrides or registers, too, or for a dependency of another kind")
  func others() async {
    let app = self.app
    let main = New(RouterImpl() as any Router, named: "main", file: "App/App.swift", line: 8)
    let both = Module {
      app
      main
    }
    func resolveMain() { _ = DIContainer.resolve((any Router).self, named: "main") }
    await expectFailures {
      withIsolatedApp(app) {
        DIContainer.override((any Router).self, named: "spare", with: MockRouter())
        DIContainer.override { Unexpected(DIContainer.otherRouter) }
        _ = DIContainer.thirdRouter()
        expectNotResolved((any Router).self, named: nil)
      }
      withIsolatedApp(main) {
        DIContainer.override { Unexpected(DIContainer.otherRouter) }
        resolveMain()
      }
      withIsolatedApp(both) {
        DIContainer.override((any Router).self, with: MockRouter())
        // One of its types is enough.
        DIContainer.override { Shared(MockRouter(), as: (any Router).self) }
        resolveMain()
      }
      withIsolatedApp(main) {
        DIContainer.register(New(MockRouter() as any Router, named: "mian"))
        DIContainer.register(New(MockRouter() as any Router, named: "main"))
        resolveMain()
      }
      withIsolatedApp(main) {
        DIContainer.override((any Router).self, named: "spare", with: MockRouter())
        DIContainer.override((any Router).self, named: "main", with: MockRouter())
        resolveMain()
      }
      withIsolatedApp(app) {
        DIContainer.override(MockRouter.self, with: MockRouter())
        DIContainer.override((any Router).self, with: MockRouter())
        _ = DIContainer.resolve((any Router).self)
      }
      withIsolatedApp(main) {
        DIContainer.override { Shared(MockRouter(), as: (any Router).self, named: "new") }
        _ = DIContainer.resolve((any Router).self, named: "new")
        resolveMain()
      }
      withIsolatedApp(app) {
        DIContainer.override { Unexpected(DIContainer.otherRouter) }
        DIContainer.register(New(MockRouter() as any Router))
        _ = DIContainer.resolve((any Router).self)
      }
      withIsolatedApp(app) {
        _ = DIContainer.resolve((any Router).self)
        DIContainer.register(New(MockRouter(), as: (any Router).self))
        _ = DIContainer.resolve(MockRouter.self)
      }
      withIsolatedApp(app) {
        for _ in 0..<2 {
          DIContainer.register(New(MockRouter() as any Router))
          _ = DIContainer.resolve((any Router).self)
        }
        DIContainer.register(New(MockRouter() as any Router))
        _ = DIContainer.resolve(Int?.self)
        _ = DIContainer.thirdRouter()
      }
      for (name, other) in [("scale", "spare"), (nil, "spare"), ("spare", nil)] as [(DependencyName?, DependencyName?)]
      {
        withIsolatedApp(New(RouterImpl() as any Router, named: other, file: "App/App.swift", line: 8)) {
          DIContainer.register(New(MockRouter() as any Router, named: name))
          _ = DIContainer.resolve((any Router).self, named: other)
        }
      }
      // The app has this name, too.
      withIsolatedApp(
        Module {
          main
          New(RouterImpl() as any Router, named: "mian", file: "App/App.swift", line: 9)
        }
      ) {
        DIContainer.register(New(MockRouter() as any Router, named: "mian"))
        resolveMain()
      }
      // What the test expects was created, although the code asks for another of its types.
      withIsolatedApp(app) {
        _ = DIContainer.resolve((any Router).self)
        expectCreated(RouterImpl.self, times: ...1)
      }
      // The test repeats what a trait made, and ends by replacing that.
      withIsolatedApp(app) {
        let mock = Shared(MockRouter() as any Router)
        withIsolatedContainer {
          mock
        } perform: {
          DIContainer.override { mock }
          _ = DIContainer.resolve((any Router).self)
          DIContainer.override((any Router).self, with: MockRouter())
        }
      }
      withIsolatedContainer {
        New(RealShippingPolicy() as any ShippingPolicy)
      } perform: {
        withIsolatedContainer {
          DIContainer.register(New(MockShippingPolicy()))
          _ = DIContainer.resolve((any ShippingPolicy).self)
        }
      }
      withIsolatedApp(
        Module {
          app
          New(MockRouter(), file: "App/App.swift", line: 9)
        }
      ) {
        DIContainer.override(MockRouter.self, with: MockRouter())
        _ = DIContainer.resolve((any Router).self)
      }
      withIsolatedApp(app) {
        DIContainer.override((any Router).self, with: MockRouter())
        _ = DIContainer.number()
      }
      // Of types of the standard library and of Foundation, there may be many dependencies.
      withIsolatedApp(app) {
        DIContainer.override(Int.self, with: 1)
        DIContainer.override(URL.self, with: URL(fileURLWithPath: "/"))
        DIContainer.override(NSLock.self, with: NSLock())
        _ = (DIContainer.number(), DIContainer.url(), DIContainer.lock())
      }
      withIsolatedApp(New(Base(), file: "App/App.swift", line: 9)) {
        DIContainer.register(New(Derived()))
        _ = DIContainer.resolve(Base.self)
      }
      // The test overrides the type that the code asks for, along with another one.
      withIsolatedApp(Shared(RealShippingPolicy() as any ShippingPolicy, file: "App/App.swift", line: 9)) {
        DIContainer.override(MockShippingPolicy.self, with: MockShippingPolicy())
        DIContainer.override { Shared(MockPolicies(), as: (any ReturnPolicy).self, (any ShippingPolicy).self) }
        _ = DIContainer.resolve((any ShippingPolicy).self)
      }
      // What answers as one of its types need not answer as the others.
      withIsolatedApp(
        Shared(MockPolicies(), as: (any ShippingPolicy).self, (any ReturnPolicy).self, file: "App/App.swift", line: 9)
      ) {
        DIContainer.register(Shared(MockPolicies(), as: (any ShippingPolicy).self))
        _ = DIContainer.resolve((any ShippingPolicy).self)
        _ = DIContainer.resolve((any ReturnPolicy).self)
      }
      // Nobody registers the declaration of a dependency.
      withIsolatedApp(app) {
        _ = DIContainer.otherRouter()
        DIContainer.otherRouter.unregister()
        withIsolatedContainer {
          DIContainer.otherRouter.overridden(file: "App/App.swift", line: 9) { _ in RouterImpl() }
        } perform: {
          _ = DIContainer.otherRouter()
        }
      }
    }
  }
}
