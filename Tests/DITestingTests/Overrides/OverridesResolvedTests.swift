import DITesting
import DependencyInjection
import Testing

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct OverridesResolvedTests {
  private let summary = "Expected every override to be resolved, but nothing resolved"

  @Test("passes without overrides, or if each was requested, and fails for each that was not")
  func passes() {
    expectOverridesResolved()
    DIContainer.override((any Router).self, with: MockRouter())
    DIContainer.override { New(AnalyticsImpl() as any Analytics) }
    _ = DIContainer.resolve(HomeViewModel.self)
    _ = DIContainer.resolve((any Analytics).self)
    expectOverridesResolved()
    anew {
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
    // Those of a closure do not count, inside and outside of it.
    anew {
      final class Owner {
        @Inject var router: any Router
        @LazyInject var later: any Router
      }
      let owner = Owner()
      DIContainer.withOverrides {
        Shared(MockRouter() as any Router)
      } perform: {
        #expect(owner.router.name == "real" && owner.later.name == "real")
        expectOverridesResolved()
      }
      expectOverridesResolved()
    }
    // One in a child does not replace that of its parent.
    anew {
      let line = #line + 1
      DIContainer.override((any Router).self, with: MockRouter())
      let child = DIContainer(parent: .current)
      child.override((any Router).self, with: MockRouter())
      _ = child.resolve((any Router).self)
      let file = "DITestingTests/OverridesResolvedTests.swift"
      expectFailure("\(summary) this one:\n  Router (\(file):\(line))") { expectOverridesResolved() }
    }
  }

  @Test("fails for a released override, even if another registration gets its memory")
  func gone() {
    // In any of the rounds, it may get other memory.
    for _ in 0..<10 {
      anew {
        let line = #line + 1
        DIContainer.override((any Router).self, with: MockRouter())
        DIContainer.removeAll()
        DIContainer.register(New(RouterImpl() as any Router))
        _ = DIContainer.resolve((any Router).self)
        expectFailure("\(summary) this one:\n  Router (DITestingTests/OverridesResolvedTests.swift:\(line))") {
          expectOverridesResolved()
        }
      }
    }
  }

  @Test("passes in a nested test if a replaced override was released, even if another registration gets its memory")
  func goneAround() {
    // In any of the rounds, it may get other memory.
    for _ in 0..<10 {
      anew {
        for _ in 0..<2 { DIContainer.override { Shared(MockRouter() as any Router) } }
        DIContainer.register(Shared(RouterImpl() as any Router))
        withIsolatedContainer { expectOverridesResolved() }
      }
    }
  }

  @Test("fails for one that answers again after a restore, and for the one that replaced it meanwhile")
  func restored() {
    let line = #line + 1
    DIContainer.override((any Router).self, with: MockRouter())
    let snapshot = DIContainer.snapshot()
    DIContainer.override((any Router).self, with: MockRouter())
    _ = DIContainer.resolve((any Router).self)
    DIContainer.override((any Router).self, with: MockRouter())
    let last = DIContainer.snapshot()
    DIContainer.restore(snapshot)
    let file = "DITestingTests/OverridesResolvedTests.swift"
    expectFailure("\(summary) these:\n  Router (\(file):\(line))\n  Router (\(file):\(line + 4))") {
      expectOverridesResolved()
    }
    DIContainer.restore(last)
    expectFailure("\(summary) this one:\n  Router (\(file):\(line + 4))") { expectOverridesResolved() }
    _ = DIContainer.resolve((any Router).self)
    expectOverridesResolved()
    // What a restoration undid still replaces what else it undid.
    anew {
      let snapshot = DIContainer.snapshot()
      for _ in 0..<2 { DIContainer.override((any Router).self, with: MockRouter()) }
      _ = DIContainer.resolve((any Router).self)
      DIContainer.restore(snapshot)
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

  @Test("fails for what a trait registers after the module of the app, and for an override of a declared dependency")
  func oneList() {
    let dependency = Dependency<Int> { 1 }
    let file = "DITestingTests/OverridesResolvedTests.swift"
    let line = #line + 3
    withIsolatedContainer(.empty) {
      appRegistrations
      New(MockRouter() as any Router)
    } perform: {
      expectFailure("\(summary) this one:\n  Router (\(file):\(line))") { expectOverridesResolved() }
    }
    withIsolatedContainer {
      dependency.overridden { 2 }
    } perform: {
      expectFailure("\(summary) this one:\n  Int (\(file):\(line + 5))") { expectOverridesResolved() }
      #expect(dependency() == 2)
      expectOverridesResolved()
    }
  }

  @Test("fails for what an outer trait has replaced, unless the test or an inner trait replaces that or leaves it out")
  func outerTraits() {
    withIsolatedContainer {
      New(MockRouter() as any Router)
      New(MockRouter() as any Router, named: "same type")
    } perform: {
      let line = #line - 3
      withIsolatedContainer {
        New(AnalyticsImpl() as any Analytics)
      } perform: {
        _ = DIContainer.resolve((any Analytics).self)
        expectFailure("\(summary) this one:\n  Router (DITestingTests/OverridesResolvedTests.swift:\(line))") {
          expectOverridesResolved()
        }
        _ = DIContainer.resolve((any Router).self)
        expectOverridesResolved()
      }
    }
    withIsolatedContainer {
      New(MockRouter() as any Router)
    } perform: {
      DIContainer.override((any Router).self, with: MockRouter())
      _ = DIContainer.resolve((any Router).self)
      expectOverridesResolved()
    }
    withIsolatedContainer {
      New(MockRouter() as any Router)
    } perform: {
      withIsolatedContainer {
        New(MockRouter("inner") as any Router)
      } perform: {
        _ = DIContainer.resolve((any Router).self)
        expectOverridesResolved()
      }
      withIsolatedContainer(.empty) { expectOverridesResolved() }
    }
    // A nested test resolves an override that a child decorates.
    anew {
      DIContainer.override((any Router).self, with: MockRouter())
      let child = DIContainer(parent: .current)
      child.decorate((any Router).self) { router, _ in router }
      DIContainer.withCurrent(child) {
        withIsolatedContainer { #expect(DIContainer.resolve((any Router).self).name == "mock") }
      }
      expectOverridesResolved()
    }
    // A trait that registers the module of the app again overrides nothing, even if a child decorates it.
    do {
      let module = Module { New(RouterImpl() as any Router) }
      let app = DIContainer()
      app.register(module)
      let child = DIContainer(parent: app)
      child.decorate((any Router).self) { router, _ in router }
      DIContainer.withCurrent(child) {
        withIsolatedContainer {
          module
        } perform: {
          expectOverridesResolved()
        }
      }
    }
    // A nested test replaces no override that does not answer where it begins.
    anew {
      let line = #line + 1
      DIContainer(parent: .current).override((any Router).self, with: MockRouter())
      for origin in [IsolationOrigin.registrations, .empty] {
        withIsolatedContainer(origin) { expectOverridesResolved() }
        expectFailure("\(summary) this one:\n  Router (DITestingTests/OverridesResolvedTests.swift:\(line))") {
          expectOverridesResolved()
        }
      }
    }
  }
}

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct LateRegistrationTests {
  init() { DIContainer.register(Shared(MockRouter("init") as any Router)) }
  private static let line = #line - 1

  private static func text(_ trait: Int) -> String {
    """
    A registration of 'Router' replaces one that a trait made.
      trait      DITestingTests/OverridesResolvedTests.swift:\(trait)
      registered DITestingTests/OverridesResolvedTests.swift:\(line)
      note       register in the trait what all tests of a suite need; to replace it in one test, use `DIContainer.override`
    """
  }

  @Test("is a warning, once, with both places, unless it is an override, the same again, a decorator, or in a copy")
  func warns() async {
    do {
      let line = #line + 3
      let found = issues {
        withIsolatedContainer {
          Shared(MockRouter("trait") as any Router)
        } perform: {
          for _ in 0..<2 { _ = LateRegistrationTests() }
          #expect(DIContainer.resolve((any Router).self).name == "init")
        }
      }
      #expect((found.map(\.text), found.map(\.severity)) == ([Self.text(line)], [.warning]))
    }
    // What the trait of a nested test only adds is for the tests of its suite, too.
    do {
      let line = #line + 10
      await expectFailures(
        """
        A registration of 'Analytics' replaces one that a trait made.
          trait      \(#fileID):\(line)
          registered \(#fileID):\(line + 2)
          note       register in the trait what all tests of a suite need; to replace it in one test, use `DIContainer.override`
        """
      ) {
        withIsolatedContainer {
          New(AnalyticsImpl() as any Analytics, named: .spare)
        } perform: {
          DIContainer.register(New(AnalyticsImpl(), as: (any Analytics).self, named: .spare))
        }
      }
    }
    // Is none if it is an override, the same once more, a decorator, in a copy, or what it replaces was none.
    do {
      await expectFailures {
        withIsolatedContainer {
          Shared(MockRouter("trait") as any Router)
        } perform: {
          DIContainer.override((any Router).self, with: MockRouter())
          DIContainer.register(Shared(AnalyticsImpl() as any Analytics))
          DIContainer.override { Shared(MockRouter() as any Router) }
          DIContainer.register(Shared(1))
        }
        withIsolatedContainer {
          DIContainer.declared.overridden { MockRouter("trait") }
        } perform: {
          DIContainer.declared.register { MockRouter("test") }
          #expect(DIContainer.declared().name == "test")
        }
      }
      await expectFailures {
        let registration = Shared(MockRouter("trait") as any Router)
        withIsolatedContainer {
          registration
        } perform: {
          let router = DIContainer.resolve((any Router).self)
          DIContainer.register(registration)
          #expect(DIContainer.resolve((any Router).self) === router)
          DIContainer.withOverrides {
            Shared(MockRouter("closure") as any Router)
          } perform: {
            #expect(DIContainer.resolve((any Router).self).name == "closure")
          }
          DIContainer.register(Decorated((any Router).self) { router, _ in router })
          #expect(DIContainer.resolve((any Router).self).name == "trait")
        }
      }
      // A decorator in the copy of a child, too.
      await expectFailures {
        let app = DIContainer()
        app.register(New(RouterImpl() as any Router))
        DIContainer.withCurrent(DIContainer(parent: app)) {
          withIsolatedContainer {
            Shared(MockRouter("trait") as any Router)
          } perform: {
            DIContainer.decorate((any Router).self) { router, _ in router }
            #expect(DIContainer.resolve((any Router).self).name == "trait")
          }
        }
      }
    }
  }
}

extension DIContainer {
  fileprivate static let declared = Dependency<any Router> { RouterImpl() }
}
private let declaration = #line - 2

extension DIContainer {
  fileprivate static var computed: Dependency<any Router> { Dependency { RouterImpl() } }
}
private let computedDeclaration = #line - 2

private func computed(_ verb: String, _ label: String, at line: Int, resolvedAt resolution: Int) -> String {
  """
  'Router' was \(verb) as a declared dependency, but the test resolved another one that is declared at the same line.
    \(label) \(#fileID):\(line)
    resolved   Router (\(#fileID):\(resolution))
    declared   \(#fileID):\(computedDeclaration)
    note       write `static let`: a computed property declares a new dependency at each access
  """
}

private func byType(at line: Int, resolvedAt resolution: Int, _ verb: String = "overridden") -> String {
  """
  'Router' was \(verb) by its type, but the test resolved it as a declared dependency.
    \(verb) \(#fileID):\(line)
    resolved   Router (\(#fileID):\(resolution))
    declared   \(#fileID):\(declaration)
    note       name the declaration, as in `DIContainer.api`, and not its type
  """
}

private func asDeclared(at line: Int, resolvedAt resolution: Int, _ verb: String = "overridden") -> String {
  """
  'Router' was \(verb) as a declared dependency, but the test resolved it by its type.
    \(verb) \(#fileID):\(line)
    resolved   Router (\(#fileID):\(resolution))
    note       name the type as well: `Router.self`
  """
}

@Suite(.expectingIssues)
struct OverrideByTypeTests {
  @Test("is a warning if a computed property declares the dependency, which is another one at each access")
  func warnsOfComputed() async {
    let line = #line + 6
    await expectFailures(
      computed("overridden", "overridden", at: line, resolvedAt: line + 1),
      computed("declared unexpected", "unexpected", at: line + 4, resolvedAt: line + 5)
    ) {
      withIsolatedContainer {
        DIContainer.override(DIContainer.computed, with: MockRouter())
        #expect(DIContainer.computed().name == "real")
      }
      withIsolatedContainer {
        DIContainer.override { Unexpected(DIContainer.computed) }
        #expect(DIContainer.computed().name == "real")
      }
      // A dependency of the same type that is declared elsewhere is another one on purpose.
      withIsolatedContainer {
        DIContainer.override(DIContainer.declared, with: MockRouter())
        #expect(DIContainer.computed().name == "real")
      }
    }
  }

  @Test("is a warning if a trait, register, `withOverrides` or a container of the test names the type, too")
  func warnsOfRegistration() async {
    for isTrait in [false, true] {
      let line = #line + (isTrait ? 7 : 3)
      await expectFailures(byType(at: line, resolvedAt: isTrait ? line - 3 : line + 1, "registered")) {
        func resolve() {
          if !isTrait { DIContainer.register(New(MockRouter() as any Router)) }
          #expect(DIContainer.declared().name == "real")
        }
        withIsolatedContainer {
          if isTrait { New(MockRouter() as any Router) }
        } perform: {
          resolve()
        }
      }
    }
    for isOfContainer in [false, true] {
      let line = #line + (isOfContainer ? 5 : 9)
      await expectFailures(byType(at: line, resolvedAt: line + (isOfContainer ? 1 : 2), "registered")) {
        withIsolatedContainer {
          if isOfContainer {
            let container = DIContainer()
            container.register(New(MockRouter() as any Router))
            return DIContainer.withCurrent(container) { _ = DIContainer.declared() }
          }
          DIContainer.withOverrides {
            New(MockRouter() as any Router)
          } perform: {
            _ = DIContainer.declared()
          }
          DIContainer.override((any Router).self, with: MockRouter())
          _ = DIContainer.resolve((any Router).self)
        }
      }
    }
  }

  @Test("is a warning even if a nested test overrode the declaration with a value")
  func warnsAroundTest() async {
    let line = #line + 4
    await expectFailures(byType(at: line, resolvedAt: line + 1)) {
      withIsolatedContainer {
        withIsolatedContainer { DIContainer.override(DIContainer.declared, with: MockRouter()) }
        DIContainer.override((any Router).self, with: MockRouter())
        #expect(DIContainer.declared().name == "real")
      }
    }
  }

  @Test("of the declaration is a warning if the test resolves the type, in `withOverrides`, too")
  func warnsOfType() async {
    let line = #line + 3
    await expectFailures(asDeclared(at: line, resolvedAt: line + 1)) {
      withIsolatedApp(New(RouterImpl() as any Router)) {
        DIContainer.override(DIContainer.declared, with: MockRouter())
        _ = DIContainer.resolve((any Router).self)
      }
    }
    do {
      let line = #line + 4
      await expectFailures(asDeclared(at: line, resolvedAt: line + 2, "registered")) {
        withIsolatedApp(New(RouterImpl() as any Router)) {
          DIContainer.withOverrides {
            DIContainer.declared.overridden { MockRouter() }
          } perform: {
            _ = DIContainer.resolve((any Router).self)
          }
          _ = DIContainer.declared()
        }
      }
    }
  }

  @Test("is none if the type or nothing was resolved, or both are overridden")
  func isNone() async {
    await expectFailures {
      withIsolatedContainer {
        DIContainer.override((any Router).self, with: MockRouter())
        _ = DIContainer.resolve((any Router).self)
        _ = DIContainer.declared()
      }
      withIsolatedContainer {
        New(RouterImpl() as any Router)
      } perform: {
        DIContainer.override((any Router).self, with: MockRouter())
      }
      withIsolatedContainer {
        DIContainer.override((any Router).self, with: MockRouter())
        DIContainer.override(DIContainer.declared, with: MockRouter())
        _ = DIContainer.declared()
      }
      withIsolatedContainer {
        New(RouterImpl() as any Router)
      } perform: {
        DIContainer.override(DIContainer.declared, with: MockRouter())
        DIContainer.override((any Router).self, with: MockRouter())
        _ = DIContainer.resolve((any Router).self)
      }
      withIsolatedContainer {
        for _ in 0..<2 { DIContainer.override((any Router).self, with: MockRouter()) }
        _ = DIContainer.declared()
        _ = DIContainer.resolve((any Router).self)
      }
    }
  }

  @Test("is none, but a warning once, if the type is unexpected")
  func unexpected() async {
    let line = #line + 11
    await expectFailures(
      """
      'Router' was declared unexpected by its type, but the test resolved it as a declared dependency.
        unexpected DITestingTests/OverridesResolvedTests.swift:\(line)
        resolved   Router (DITestingTests/OverridesResolvedTests.swift:\(line + 1))
        declared   DITestingTests/OverridesResolvedTests.swift:\(declaration)
        note       name the declaration, as in `DIContainer.api`, and not its type
      """
    ) {
      withIsolatedContainer {
        DIContainer.override { Unexpected((any Router).self) }
        for _ in 0..<2 { _ = DIContainer.declared() }
      }
      withIsolatedContainer {
        DIContainer.override { Unexpected((any Router).self) }
        DIContainer.override(DIContainer.declared, with: MockRouter())
        _ = DIContainer.declared()
      }
    }
    let file = "DITestingTests/OverridesResolvedTests.swift"
    await expectFailures(
      """
      'Router' was resolved, but the test declares it unexpected.
        Router (\(file):\(#line + 9))
        declared   \(file):\(#line + 6)
      """
    ) {
      withIsolatedContainer {
        DIContainer.override {
          Unexpected((any Router).self)
          Unexpected(DIContainer.declared)
        }
        _ = DIContainer.declared()
      }
    }
  }
}
