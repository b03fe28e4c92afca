internal import DependencyInjection
internal import Testing

@Suite("Traps")
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

  @Test("resolve of a container traps at the caller")
  func container() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.container()
    }
    expectMissing(result)
  }

  @Test("The static resolve traps at the caller")
  func staticResolve() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.staticResolve()
    }
    expectMissing(result)
  }

  @Test("The static resolve from a current container traps at the caller")
  func currentResolve() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.currentResolve()
    }
    expectMissing(result)
  }

  @Test("resolve with arguments traps at the caller")
  func arguments() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.arguments()
    }
    expectMissing(result)
    let wrong = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.argumentsWrong()
    }
    #expect(wrong?.trapped(with: "'ViewModel' takes arguments (String), got (Int).") == true)
  }

  @Test("A resolver traps in the factory, with the path", arguments: [0])
  func resolver(_: Int) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.resolver()
    }
    let line = result?.expectedLine ?? 0
    #expect(
      result?.trapped(
        with: "No registration for 'Router'.\n  resolving  ViewModel → Router\n  asked at   \(place(line))") == true)
  }

  @Test("@Inject traps at the property")
  func inject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.inject()
    }
    expectMissing(result)
  }

  @Test("@LazyInject traps at the property, when it is accessed")
  func lazyInject() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.lazyInject()
    }
    expectMissing(result)
  }

  @Test("The mutable wrappers trap at the property")
  func mutableWrappers() async {
    let eager = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.mutableWrappersEager()
    }
    expectMissing(eager)
    let lazy = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.mutableWrappersLazy()
    }
    expectMissing(lazy)
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

  static func argumentsWrong() {
    DIContainer.register(New { _, id in ConcreteViewModel(id: id) as any ViewModel })
    expectTrap(atLine: #line + 1)
    _ = DIContainer.resolve((any ViewModel).self) { 23 }
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
