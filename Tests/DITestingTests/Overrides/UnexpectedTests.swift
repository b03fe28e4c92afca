@testable import DITesting
import DependencyInjection
import Testing

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct UnexpectedTests {
  /// The text of the report of a resolution.
  private func text(_ name: String, at line: Int, since declared: Int) -> String {
    """
    '\(name)' was resolved, but the test declares it unexpected.
      \(name) (DITestingTests/UnexpectedTests.swift:\(line))
      declared   DITestingTests/UnexpectedTests.swift:\(declared)
    """
  }

  @Test("is reported once where it is resolved, and is expected where a child or a copy has something of its own")
  func isReported() {
    // Is reported once where it is resolved, and answered all the same, by an instance that is created anew.
    anew {
      let former = DIContainer.resolve((any Router).self)
      var real: (any Router)?
      let line = #line + 1
      DIContainer.override { Unexpected((any Router).self) }
      expectFailure(text("Router", at: #line, since: line)) { real = DIContainer.resolve((any Router).self) }
      expectFailure(text("Router", at: #line + 1, since: line)) {
        #expect(DIContainer.resolve((any Router)?.self) === real)
      }
      expectFailure(text("Router", at: #line + 1, since: line)) {
        #expect((try? DIContainer.tryResolve((any Router).self)) === real)
      }
      #expect(real?.name == "real" && real !== former)
      expectResolved((any Router).self, times: 4)
      anew {
        for _ in 0..<3 { DIContainer.override { Unexpected((any Router).self) } }
        let reports = issues { _ = DIContainer.resolve((any Router).self) }
        #expect(reports.count == 1)
      }
    }
    // In a parent is expected where a child or a copy has something of its own, and stays unexpected in a child.
    anew {
      let line = #line + 1
      DIContainer.override { Unexpected((any Router).self) }
      let child = DIContainer(parent: .current)
      child.register(New(MockRouter() as any Router))
      _ = child.resolve((any Router).self)
      DIContainer.withOverrides {
        New(MockRouter() as any Router)
      } perform: {
        _ = DIContainer.resolve((any Router).self)
      }
      expectFailure(text("Router", at: #line, since: line)) { _ = DIContainer.resolve((any Router).self) }
      anew {
        let child = DIContainer(parent: .current)
        let line = #line + 1
        child.register(Unexpected((any Router).self))
        DIContainer.register(New(MockRouter() as any Router))
        expectFailure(text("Router", at: line + 2, since: line)) { _ = child.resolve((any Router).self) }
        child.register(New(MockRouter() as any Router))
        _ = child.resolve((any Router).self)
      }
    }
  }

  @Test("is reported, and returns the stub where there would be nothing, even for a declared dependency or a name")
  func stub() {
    do {
      struct Missing: Equatable { var number = 1 }
      let line = #line + 1
      DIContainer.override { Unexpected(Missing.self) { Missing(number: 2) } }
      expectFailure(text("Missing", at: #line, since: line)) { #expect(DIContainer.resolve(Missing.self).number == 2) }
      expectFailure(text("Missing", at: #line + 1, since: line)) {
        #expect(DIContainer.resolve(Missing.self, arguments: { "any" }).number == 2)
      }
      DIContainer.override(Missing.self, with: Missing(number: 3))
      #expect(DIContainer.resolve(Missing.self).number == 3)
      expectOverridesResolved()
    }
    let dependency = Dependency<Int> { 1 }
    let line = #line + 2
    DIContainer.override {
      Unexpected(dependency, line: UInt(line)) { 2 }
      Unexpected(Int.self, named: "name", line: UInt(line)) { 3 }
    }
    expectFailure(text("Int", at: line + 3, since: line)) { #expect(dependency() == 2) }
    expectFailure(
      """
      'Int (name)' was resolved, but the test declares it unexpected.
        Int (name) (DITestingTests/UnexpectedTests.swift:\(line + 10))
        declared   DITestingTests/UnexpectedTests.swift:\(line)
      """
    ) { #expect(DIContainer.resolve(Int.self, named: "name") == 3) }
    expectOverridesResolved()
  }

  @Test("is reported with the path that leads to it, even for existing instances, and inside withOverrides only")
  func path() {
    anew {
      // At once, because Swift Testing runs other tests beside this one, and does not interrupt the factory.
      let line = #line + 1
      DIContainer.override { Unexpected((any Router).self) }
      DIContainer.register(
        New { resolve in
          let reports = issues { _ = resolve((any Router).self) }
          return reports.map(\.sourceLocation?.line)
        })
      #expect(DIContainer.resolve([Int?].self) == [line])
    }
    DIContainer.register(Shared { resolve in HomeViewModel(router: resolve()) })
    _ = DIContainer.resolve(HomeViewModel.self)
    let line = #line + 1
    DIContainer.override { Unexpected((any Router).self) }
    expectFailure(
      """
      'Router' was resolved, but the test declares it unexpected.
        HomeViewModel → Router (DITestingTests/UnexpectedTests.swift:\(line - 3))
        declared   DITestingTests/UnexpectedTests.swift:\(line)
      """
    ) { _ = DIContainer.resolve(HomeViewModel.self) }
    anew {
      let registered = #line + 1
      DIContainer.register(Shared { resolve in HomeViewModel(router: resolve()) })
      let model = DIContainer.resolve(HomeViewModel.self)
      let line = #line + 2
      DIContainer.withOverrides {
        Unexpected((any Router).self) { MockRouter() }
      } perform: {
        expectFailure(
          """
          'Router' was resolved, but the test declares it unexpected.
            HomeViewModel → Router (DITestingTests/UnexpectedTests.swift:\(registered))
            declared   DITestingTests/UnexpectedTests.swift:\(line)
          """
        ) {
          #expect(DIContainer.resolve(HomeViewModel.self).router.name == "mock")
        }
      }
      #expect(
        DIContainer.resolve(HomeViewModel.self) === model && DIContainer.resolve((any Router).self) === model.router)
      expectOverridesResolved()
      // Existing instances are dropped where it is registered, too, and not only where it overrides.
      DIContainer.register { Unexpected((any Router).self) }
      expectFailure(
        """
        'Router' was resolved, but the test declares it unexpected.
          HomeViewModel → Router (DITestingTests/UnexpectedTests.swift:\(registered))
          declared   DITestingTests/UnexpectedTests.swift:\(#line - 5)
        """
      ) { _ = DIContainer.resolve(HomeViewModel.self) }
    }
  }

  @Test("of a type allows its names, and of a name only that name")
  func names() {
    DIContainer.register {
      New(1)
      New(2, named: "second")
      New(3, named: "third")
    }
    let line = #line + 1
    DIContainer.override { Unexpected(Int.self) }
    #expect(DIContainer.resolve(Int.self, named: "second") == 2)
    expectFailure(text("Int", at: #line, since: line)) { #expect(DIContainer.resolve(Int.self) == 1) }
    DIContainer.override { Unexpected(Int.self, named: "second") }
    #expect(DIContainer.resolve(Int.self, named: "third") == 3)
    #expect(issues { _ = DIContainer.resolve(Int.self, named: "second") }.count == 1)
  }

  @Test("is reported if nothing is registered for it, and wherever it stands in a list that registers the type")
  func missing() async {
    // Is reported if nothing is registered for it, or it cannot be created, unless an override hides it.
    await anew {
      let line = #line + 1
      DIContainer.override { Unexpected(Int.self) }
      expectFailure(text("Int", at: #line, since: line)) { #expect(DIContainer.resolve(Int?.self) == nil) }
      expectFailure(text("Int", at: #line, since: line)) { #expect((try? DIContainer.tryResolve(Int.self)) == nil) }
      expectFailure(text("Int", at: #line, since: line)) { #expect(DIContainer.resolveAll(Int.self).isEmpty) }
      anew {
        DIContainer.override {
          Unexpected(Int.self, named: "name")
          Unexpected(Dependency<Int> { 1 })
        }
        let reports = issues { _ = DIContainer.resolveAll(Int.self) }
        #expect(reports.isEmpty, "which asks for the type")
      }
      DIContainer.override {
        Shared { () async throws -> Int in throw CancellationError() }
        Unexpected(Int.self, line: UInt(line))
      }
      await expectFailures(text("Int", at: #line + 1, since: line)) {
        await #expect(throws: ResolutionError.self) { try await DIContainer.resolveAsync(Int.self) }
      }
      DIContainer.override { Unexpected(Int.self) }
      await DIContainer.withOverrides {
        Shared { () async throws -> Int in throw CancellationError() }
      } perform: {
        _ = await #expect(throws: ResolutionError.self) { try await DIContainer.resolveAsync(Int.self) }
      }
    }
    // Is unexpected wherever it stands in a list that registers the type, and no duplicate where those are rejected.
    anew {
      do {
        let container = DIContainer()
        container.rejectsDuplicates = true
        container.register(appRegistrations)
        container.register(Unexpected((any Router).self))
        // Neither is an override.
        container.override { New(MockRouter() as any Router) }
        #expect(container.resolve((any Router).self).name == "mock")
      }
      let line = #line + 1
      DIContainer.override {
        Unexpected((any Router).self, line: UInt(line))
        New(MockRouter() as any Router)
      }
      expectFailure(text("Router", at: #line + 1, since: line)) {
        #expect(DIContainer.resolve((any Router).self).name == "mock")
      }
    }
  }

  @Test("is expected again after another registration, unregister, or a snapshot, and passes if nothing asks for it")
  func ends() {
    let snapshot = DIContainer.snapshot()
    DIContainer.override { Unexpected((any Router).self) }
    DIContainer.restore(snapshot)
    _ = DIContainer.resolve((any Router).self)
    DIContainer.override { Unexpected((any Router).self) }
    DIContainer.override { New(MockRouter() as any Router) }
    _ = DIContainer.resolve((any Router).self)
    DIContainer.override { Unexpected((any Router).self) }
    DIContainer.current.unregister((any Router).self)
    let found: (any Router)? = DIContainer.resolve()
    #expect(found == nil)
    anew {
      let registration = New(MockRouter() as any Router)
      DIContainer.override { registration }
      DIContainer.override { Unexpected((any Router).self) }
      DIContainer.override { registration }
      _ = DIContainer.resolve((any Router).self)
    }
    // A snapshot that has it keeps it, and brings it back.
    anew {
      let line = #line + 1
      DIContainer.override { Unexpected((any Router).self) }
      let snapshot = DIContainer.snapshot()
      for isAllowed in [false, true] {
        if isAllowed { DIContainer.override((any Router).self, with: MockRouter()) }
        DIContainer.restore(snapshot)
        expectFailure(text("Router", at: #line, since: line)) { _ = DIContainer.resolve((any Router).self) }
      }
    }
    anew {
      let (parent, snapshot) = (DIContainer.current, DIContainer.snapshot())
      let child = DIContainer(parent: parent)
      parent.override { Unexpected((any Router).self) }
      let childSnapshot = child.snapshot()
      parent.restore(snapshot)
      child.restore(childSnapshot)
      _ = child.resolve((any Router).self)
    }
    anew {
      DIContainer.override {
        Unexpected((any Analytics).self)
        Unexpected(Int.self) { 1 }
      }
      _ = DIContainer.resolve(HomeViewModel.self)
      expectNotResolved((any Analytics).self)
      expectOverridesResolved()
    }
  }

  /// Declares a type unexpected while other code declares it, once.
  private final class Declaring: ResolutionObserver {
    private let hasDeclared = Locked(false)

    func didResolve(_: ResolutionEvent, for _: Definition?, from _: Definition?) {}

    func didChange(_: Set<Key>, replacing _: Set<Key>, in container: DIContainer) {
      if hasDeclared.withLock({ exchange(&$0, with: true) }) { return }
      container.override { Unexpected((any Router).self) { MockRouter() } }
    }
  }

  @Test("is reported once, even if it was declared while it was declared, or on several threads at the same time")
  func declaredAtOnce() async {
    let container = DIContainer()
    container.addObserver(Declaring())
    container.override { Unexpected((any Router).self) { MockRouter() } }
    #expect(container.ownUnexpectedResolutions.count == 1)
    for _ in 0..<300 {
      let container = DIContainer()
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask { container.override { Unexpected((any Router).self) { MockRouter() } } }
        }
      }
      #expect(container.ownUnexpectedResolutions.count == 1)
    }
  }

  @Test("is unexpected in nested traits too", .isolatedContainer { Unexpected((any Analytics).self) })
  func traits() async {
    let declared = #line - 1  // where the macro of the test is expanded
    expectFailure(text("Analytics", at: #line, since: declared)) { _ = DIContainer.resolve((any Analytics).self) }
    await DIContainer.withCurrent(DIContainer(parent: .current)) {
      await isolated("test") {
        expectFailure(text("Analytics", at: #line, since: declared)) { _ = DIContainer.resolve((any Analytics).self) }
      }
    }
    // Not in one that starts with nothing of the outer one.
    withIsolatedContainer(.empty) { #expect(DIContainer.resolve((any Analytics)?.self) == nil) }
  }

  @Test("is reported each time, for a closure with withOverrides and where nothing is recorded, too")
  func table() {
    do {
      let container = DIContainer()
      container.register {
        Shared(RouterImpl() as any Router)
        New(AnalyticsImpl() as any Analytics)
      }
      for _ in 0..<3 {
        _ = container.resolve((any Router).self)
        _ = container.resolve((any Analytics).self)
        _ = container.resolve(RouterImpl?.self)
      }
      let declared = #line + 2
      container.override {
        Unexpected((any Router).self)
        Unexpected((any Analytics).self, line: UInt(declared))
      }
      for _ in 0..<3 {
        expectFailure(text("Router", at: #line, since: declared)) { _ = container.resolve((any Router).self) }
        expectFailure(text("Analytics", at: #line, since: declared)) { _ = container.resolve((any Analytics).self) }
      }
      container.unregister((any Router).self)
    }
    let container = DIContainer()
    container.register(appRegistrations)
    DIContainer.withCurrent(container) {
      let declared = #line + 2
      DIContainer.withOverrides {
        Unexpected((any Router).self)
      } perform: {
        expectFailure(text("Router", at: #line, since: declared)) { _ = DIContainer.resolve((any Router).self) }
      }
      _ = DIContainer.resolve((any Router).self)
    }
  }

  @Test("stays unexpected in a copy, also of a child, whichever container has the registration, and is reported once")
  func copied() {
    let line = #line + 1
    DIContainer.override { Unexpected((any Router).self) }
    DIContainer.withOverrides {
      New(7)
    } perform: {
      expectFailure(text("Router", at: #line + 1, since: line)) {
        #expect(DIContainer.resolve((any Router).self).name == "real")
      }
    }
    for hasStub in [false, true] {
      anew {
        let child = DIContainer(parent: .current)
        child.register(Shared(MockRouter("child") as any Router))
        DIContainer.withCurrent(child) {
          let line = #line
          DIContainer.withOverrides {
            if hasStub {
              Unexpected((any Router).self, line: UInt(line)) { MockRouter("stub") }
            } else {
              Unexpected((any Router).self, line: UInt(line))
            }
          } perform: {
            expectFailure(text("Router", at: #line + 1, since: line)) {
              #expect(DIContainer.resolve((any Router).self).name == (hasStub ? "stub" : "child"))
            }
          }
          #expect(DIContainer.resolve((any Router).self).name == "child")
        }
      }
    }
    anew {
      let child = DIContainer(parent: .current)
      let line = #line + 1
      child.register(Unexpected((any Router).self))
      DIContainer.withCurrent(child) {
        DIContainer.withOverrides {
          Unexpected(Int.self)
        } perform: {
          expectFailure(text("Router", at: #line + 1, since: line)) {
            #expect(DIContainer.resolve((any Router).self).name == "real")
          }
        }
        DIContainer.withOverrides {
          New(MockRouter() as any Router)
        } perform: {
          #expect(DIContainer.resolve((any Router).self).name == "mock")
        }
      }
    }
  }

  @Test("stays unexpected in the container that declares it, also in a copy of a child that has something of its own")
  func copiedBelow() async {
    let line = #line + 1
    DIContainer.override { Unexpected((any Router).self) }
    let child = DIContainer(parent: .current)
    child.register(New(MockRouter("child") as any Router))
    // By another declaration, by a snapshot, in a grandchild, and in a nested test.
    DIContainer.withCurrent(child) {
      DIContainer.withOverrides {
        Unexpected(Int.self)
      } perform: {
        #expect(DIContainer.resolve((any Router).self).name == "child")
      }
      DIContainer.withOverrides {
      } perform: {
        DIContainer.restore(DIContainer.snapshot())
        #expect(DIContainer.resolve((any Router).self).name == "child")
        #expect(DIContainer(parent: .current).resolve((any Router).self).name == "child")
      }
    }
    await expectFailures {
      DIContainer.withCurrent(child) {
        withIsolatedContainer { #expect(DIContainer.resolve((any Router).self).name == "child") }
      }
    }
    // What the copy registers itself and removes again changes nothing above it.
    for isOfGrandchild in [false, true] {
      let copy = DIContainer(copying: isOfGrandchild ? DIContainer(parent: child) : child)
      copy.register(New(MockRouter("copy") as any Router))
      #expect(copy.resolve((any Router).self).name == "copy")
      copy.unregister((any Router).self)
      if isOfGrandchild {
        #expect(copy.resolve((any Router).self).name == "child")
        continue
      }
      expectFailure(text("Router", at: #line + 1, since: line)) {
        #expect(copy.resolve((any Router).self).name == "real")
      }
    }
  }

  @Test("is expected after unregister, whatever was registered, but not after a decorator, not even that of a child")
  func changes() {
    let dependency = Dependency<Int> { 1 }
    DIContainer.override {
      Unexpected(dependency)
      Unexpected(String.self)
    }
    dependency.unregister()
    DIContainer.unregister(String.self)
    #expect(dependency() == 1 && DIContainer.resolve(String?.self) == nil)

    let line = #line + 1
    DIContainer.override { Unexpected((any Router).self) }
    DIContainer.decorate((any Router).self) { router, _ in MockRouter("around " + router.name) }
    expectFailure(text("Router", at: #line + 1, since: line)) {
      #expect(DIContainer.resolve((any Router).self).name == "around real")
    }
    let child = DIContainer(parent: .current)
    child.decorate((any Router).self) { router, _ in router }
    expectFailure(text("Router", at: #line, since: line)) { _ = child.resolve((any Router).self) }
    DIContainer.register(New(MockRouter() as any Router))
    _ = (DIContainer.resolve((any Router).self), child.resolve((any Router).self))
  }

  @Test("is expected again after the same registration, whatever decorates it", arguments: [false, true])
  func sameAgain(isOverride: Bool) {
    let same = Module(Shared(MockRouter("same") as any Router))
    DIContainer.register(same)
    DIContainer.decorate((any Router).self) { router, _ in router }
    let line = #line + 1
    DIContainer.override { Unexpected((any Router).self) }
    expectFailure(text("Router", at: #line, since: line)) { _ = DIContainer.resolve((any Router).self) }
    if isOverride {
      DIContainer.override {
        same
        Decorated((any Router).self) { router, _ in router }
      }
    } else {
      DIContainer.register(same)
    }
    #expect(DIContainer.resolve((any Router).self).name == "same")
  }

  @Test("stays unexpected if a child that inherits it, or a copy of a child, decorates it")
  func decoratedElsewhere() {
    let child = DIContainer(parent: .current)
    let line = #line + 1
    child.register(Unexpected((any Router).self))
    for _ in 0..<2 {
      child.decorate((any Router).self) { router, _ in router }
      expectFailure(text("Router", at: #line, since: line)) { _ = child.resolve((any Router).self) }
      DIContainer.register(New(MockRouter() as any Router))
    }
    child.unregister((any Router).self)
    _ = child.resolve((any Router).self)

    DIContainer.withCurrent(DIContainer(parent: .current)) {
      DIContainer.withOverrides {
      } perform: {
        let line = #line + 1
        DIContainer.override { Unexpected((any Router).self) }
        DIContainer.override { Decorated((any Router).self) { router, _ in router } }
        expectFailure(text("Router", at: #line, since: line)) { _ = DIContainer.resolve((any Router).self) }
        DIContainer.override { New(MockRouter() as any Router) }
        _ = DIContainer.resolve((any Router).self)
      }
    }
  }

  @Test("stays unexpected in a copy of a child for everything in it, also for what the copy overrides or decorates")
  func copiedChild() {
    let child = DIContainer(parent: .current)
    let line = #line + 1
    child.register(Unexpected((any Router).self) { MockRouter("stub") })
    DIContainer.withCurrent(child) {
      // The factory of an override runs where all containers of the copy find it.
      DIContainer.withOverrides {
        Shared { resolve in HomeViewModel(router: resolve()) }
      } perform: {
        let reports = issues { _ = DIContainer.resolve(HomeViewModel.self) }
        #expect(reports.map(\.sourceLocation?.line) == [line])
      }
      withIsolatedContainer {
        Decorated((any Router).self) { router, _ in MockRouter("around " + router.name) }
      } perform: {
        expectFailure(text("Router", at: #line + 1, since: line)) {
          #expect(DIContainer.resolve((any Router).self).name == "around stub")
        }
      }
    }
  }

  @Test("stays unexpected if the child that declares it decorates it, and a child of that one, too")
  func decoratedTwice() {
    let child = DIContainer(parent: .current)
    child.decorate((any Router).self) { router, _ in router }
    let line = #line + 1
    child.register(Unexpected((any Router).self))
    let grandchild = DIContainer(parent: child)
    grandchild.decorate((any Router).self) { router, _ in router }
    expectFailure(text("Router", at: #line, since: line)) { _ = grandchild.resolve((any Router).self) }
    grandchild.register(New(MockRouter() as any Router))
    _ = grandchild.resolve((any Router).self)
  }

  @Test("stays unexpected if it is a declared dependency that is decorated, until it is unregistered")
  func decoratedDependency() {
    for hasResolved in [false, true] {
      let dependency = Dependency<Int> { 1 }
      if hasResolved { #expect(dependency() == 1) }
      let line = #line + 1
      DIContainer.override { Unexpected(dependency) }
      DIContainer.register(Decorated(dependency) { number, _ in number + 1 })
      expectFailure(text("Int", at: #line, since: line)) { #expect(dependency() == 2) }
      DIContainer.override { Decorated(dependency) { number, _ in number + 2 } }
      expectFailure(text("Int", at: #line, since: line)) { #expect(dependency() == 4) }
      dependency.unregister()
      #expect(dependency() == 1)
    }
  }

  @Test("fails the test even where code has only its container, and `.unexpected` allows what the trait has")
  func elsewhere() async {
    let line = #line + 3
    await expectFailures(text("Router", at: line + 1, since: line)) {
      await withIsolatedContainer {
        DIContainer.override { Unexpected((any Router).self) }
        let resolve = DIContainer.escaping { _ = DIContainer.resolve((any Router).self) }
        await Task.detached { resolve() }.value
      }
    }
    // Also if a factory asks that runs in the parent of the container, which was copied with it.
    let factory = #line + 9
    await expectFailures(
      """
      'Router' was resolved, but the test declares it unexpected.
        HomeViewModel → Router (DITestingTests/UnexpectedTests.swift:\(factory))
        declared   DITestingTests/UnexpectedTests.swift:\(factory + 4)
      """
    ) {
      let app = DIContainer()
      app.register(Shared { resolve in HomeViewModel(router: resolve()) })
      app.register(Shared(RouterImpl() as any Router))
      await DIContainer.withCurrent(DIContainer(parent: app)) {
        await withIsolatedContainer {
          Unexpected((any Router).self)
        } perform: {
          let resolve = DIContainer.escaping { _ = DIContainer.resolve(HomeViewModel.self) }
          await Task.detached { resolve() }.value
        }
      }
    }
    await expectFailures {
      withIsolatedContainer(.unexpected) {
        appRegistrations
      } perform: {
        _ = DIContainer.resolve(HomeViewModel.self)
        withIsolatedContainer { _ = DIContainer.resolve(HomeViewModel.self) }
      }
      // A stub is no registration that comes too late.
      withIsolatedContainer {
        _ = DIContainer.resolve((any Router).self)
        DIContainer.override { Unexpected((any Router).self) { MockRouter() } }
      }
    }
  }
}
