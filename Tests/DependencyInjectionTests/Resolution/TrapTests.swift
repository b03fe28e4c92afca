internal import DependencyInjection
internal import Testing

struct TrapTests {
  typealias Result = ExitTest.Result?

  /// Checks that a process trapped at a line with the text for a router that is missing.
  private func expectMissing(_ result: Result, source: SourceLocation = #_sourceLocation) {
    #expect(
      result?.trapped(
        with: "No registration for 'Router'.\n  resolving  Router\n  asked at   \(place(result?.expectedLine ?? 0))")
        == true,
      "\(result?.message ?? "")", sourceLocation: source)
  }

  @Test("resolve traps at the caller, of a container or static, with the path and the arguments", .exitTest)
  func resolve() async {
    expectMissing(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { Trapping.container() })
    expectMissing(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { Trapping.staticResolve() })
    expectMissing(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { Trapping.currentResolve() })
    expectMissing(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { Trapping.arguments() })
    let inFactory = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.resolver()
    }
    let path = "ViewModel → Router\n  asked at   \(place(inFactory?.expectedLine ?? 0))"
    #expect(inFactory?.trapped(with: "No registration for 'Router'.\n  resolving  \(path)") == true)
  }

  @Test("The wrappers trap at the property, and the lazy ones when it is accessed", .exitTest)
  func wrappers() async {
    expectMissing(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { Trapping.inject() })
    expectMissing(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { Trapping.lazyInject() })
    expectMissing(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { Trapping.mutableWrappersEager() }
    )
    expectMissing(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { Trapping.mutableWrappersLazy() })
  }
}

// What ends a process. Not in the closures of the exit tests, because lines do not count there.
private enum Trapping {
  static func container() {
    expectTrap(atLine: #line + 1)
    _ = DIContainer().resolve((any Router).self)
  }

  static func staticResolve() {
    expectTrap(atLine: #line + 1)
    let router: any Router = DIContainer.resolve()
    _ = router
  }

  static func currentResolve() {
    DIContainer.withCurrent(DIContainer()) {
      expectTrap(atLine: #line + 1)
      _ = DIContainer.resolve((any Router).self)
    }
  }

  static func arguments() {
    expectTrap(atLine: #line + 1)
    _ = DIContainer.resolve((any Router).self) { "id" }
  }

  static func resolver() {
    let container = DIContainer()
    expectTrap(atLine: #line + 2)
    container.register {
      Shared({ resolve in ConcreteViewModel(id: "\(resolve.resolve((any Router).self))") }, as: (any ViewModel).self)
    }
    _ = container.resolve((any ViewModel).self)
  }

  static func inject() {
    expectTrap(atLine: #line + 2)
    struct Owner {
      @Inject var router: any Router
    }
    _ = Owner()
  }

  static func lazyInject() {
    expectTrap(atLine: #line + 2)
    struct Owner {
      @LazyInject var router: any Router
    }
    let owner = Owner()
    _ = owner.router
  }

  static func mutableWrappersEager() {
    expectTrap(atLine: #line + 2)
    struct Owner {
      @MutableInject var router: any Router
    }
    _ = Owner()
  }

  static func mutableWrappersLazy() {
    expectTrap(atLine: #line + 2)
    struct Owner {
      @MutableLazyInject(from: DIContainer()) var router: any Router
    }
    _ = Owner().router
  }
}
