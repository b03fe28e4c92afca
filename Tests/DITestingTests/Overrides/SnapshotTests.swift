import DITesting
import DependencyInjection
import Testing

@Suite(.expectingIssues, .isolatedContainer(.empty) { appRegistrations })
struct SnapshotTests {
  @Test("brings back registrations and instances, nests, and does not see what happens after it was taken")
  func restores() {
    let before = DIContainer.resolve((any Router).self)
    let snapshot = DIContainer.snapshot()

    DIContainer.register(Shared(MockRouter() as any Router))
    DIContainer.current.unregister((any Analytics).self)
    #expect(DIContainer.resolve((any Router).self).name == "mock")

    DIContainer.restore(snapshot)
    #expect(DIContainer.resolve((any Router).self) === before && (DIContainer.resolve() as (any Analytics)?) != nil)
    let container = DIContainer()
    let empty = container.snapshot()
    container.register(Shared(RouterImpl() as any Router))
    let real = container.snapshot()
    container.register(Shared(MockRouter() as any Router))

    for _ in 0..<2 {
      container.restore(real)
      #expect(container.resolve((any Router).self).name == "real")
      container.restore(empty)
      #expect((container.resolve() as (any Router)?) == nil)
    }
    do {
      let container = DIContainer()
      container.register(Shared(RouterImpl() as any Router))
      let snapshot = container.snapshot()
      let later = container.resolve((any Router).self)
      container.reset()
      container.restore(snapshot)
      #expect(container.resolve((any Router).self) !== later)
    }
  }

  @Test("releases what was created since when it is restored, and at once what existed before when it goes")
  func releases() {
    let container = DIContainer()
    let snapshot = container.snapshot()
    weak var created: MockRouter?
    do {
      let router = MockRouter()
      created = router
      container.override((any Router).self, with: router)
      #expect(container.resolve((any Router).self) === router)
    }
    #expect(created != nil)
    container.restore(snapshot)
    #expect(created == nil)
    for isRestored in [false, true] {
      final class Kept {}
      let container = DIContainer()
      weak var instance: Kept?
      do {
        let kept = Kept()
        instance = kept
        container.override(Kept.self, with: kept)
      }
      _ = container.resolve(Kept.self)
      var snapshot: DIContainer.Snapshot? = container.snapshot()
      container.unregister(Kept.self)
      #expect(instance != nil)
      if isRestored {
        container.restore(snapshot!)
        #expect(container.resolve(Kept?.self) === instance)
        container.unregister(Kept.self)
      }
      snapshot = nil
      #expect(instance == nil)
    }
  }

  /// What a child has although its parent has the registration.
  enum Inherited: CaseIterable { case scoped, decorated }

  @Test("of a child brings back what the child has of its parent's registrations, and that of a parent leaves it")
  func inherited() {
    for kind in Inherited.allCases {
      let (parent, child) = appAndChild(kind)
      let before = child.resolve(App.self)
      #expect(parent.resolve(App.self) !== before)
      let snapshot = child.snapshot()

      child.register(Shared(RouterImpl() as any Router))
      parent.register(Shared(2))
      #expect(child.resolve(App.self) === before, "a change of what it was built from leaves it")
      child.reset()
      #expect(child.resolve(App.self) !== before)
      child.restore(snapshot)
      #expect(child.resolve(App.self) === before && parent.resolve(Int.self) == 2)
      do {
        let (parent, child) = appAndChild(kind)
        let snapshot = parent.snapshot()
        let (parents, childs) = (parent.resolve(App.self), child.resolve(App.self))
        parent.restore(snapshot)
        #expect(parent.resolve(App.self) !== parents && child.resolve(App.self) === childs)
      }
    }
  }

  @Test(
    "does not bring back what a parent has replaced, and is not needed to start from the registrations of a container")
  func replacedInParent() {
    // Of a child does not bring back an instance of a registration that its parent has replaced since.
    anew {
      let (parent, child) = appAndChild(.scoped)
      weak let before = child.resolve(App.self)
      let snapshot = child.snapshot()
      parent.register(Scoped(in: .container) { resolve in App(resolve(), number: 2) })
      #expect(child.resolve(App.self).number == 2)
      child.restore(snapshot)
      #expect(child.resolve(App.self).number == 2)
      withExtendedLifetime(snapshot) { #expect(before != nil) }
    }
    anew {
      let real = DIContainer.resolve((any Router).self)
      let copy = DIContainer(copying: .current)
      #expect(copy.resolve((any Router).self) !== real && copy.resolve((any Router).self).name == "real")
      copy.register(Shared(MockRouter() as any Router))
      #expect(DIContainer.resolve((any Router).self) === real && copy.resolve((any Router).self) is MockRouter)
    }
  }

  @Test("of another container fails the test, with the location at which it was taken, and changes nothing")
  func ofAnotherContainer() {
    let text = """
      Nothing was restored, because the snapshot is of another container.
        taken at   DITestingTests/SnapshotTests.swift:\(#line + 4)
        note       to start from the registrations of a container, use a copy of it: `DIContainer(copying: container)`
      """
    let real = DIContainer.resolve((any Router).self)
    let snapshot = DIContainer.snapshot()
    DIContainer.withOverrides {
      Shared(MockRouter() as any Router)
    } perform: {
      let own = DIContainer.snapshot()
      expectFailure(text) { DIContainer.restore(snapshot) }
      #expect(DIContainer.resolve((any Router).self).name == "mock")
      DIContainer.register(Shared(RouterImpl() as any Router))
      DIContainer.restore(own)
      #expect(DIContainer.resolve((any Router).self).name == "mock")
    }
    expectFailure(text) { DIContainer(copying: .current).restore(snapshot) }
    #expect(DIContainer.resolve((any Router).self) === real)
  }

  /// Returns a container and a child that has an instance of its own of what the parent registers.
  private func appAndChild(_ kind: Inherited) -> (parent: DIContainer, child: DIContainer) {
    let parent = DIContainer()
    parent.register {
      Shared(RouterImpl() as any Router)
      Shared(1)
      switch kind {
      case .scoped: Scoped(in: .container) { resolve in App(resolve(), number: resolve()) }
      case .decorated: Shared { resolve in App(resolve(), number: resolve()) }
      }
    }
    let child = DIContainer(parent: parent)
    if kind == .decorated {
      child.register(Decorated(App.self) { app, _ in App(app.router, number: app.number) })
    }
    return (parent, child)
  }

  private final class App {
    let router: any Router
    let number: Int

    init(_ router: any Router, number: Int) {
      self.router = router
      self.number = number
    }
  }

  @Test("counts nothing that an instance resolves when restoring releases it")
  func deinitIsNotCounted() {
    final class Ended: Sendable {
      private let names: Calls<String>

      init(_ names: Calls<String>) {
        self.names = names
      }

      deinit { names(DIContainer.resolve((any Router).self).name) }
    }
    let names = Calls<String>()
    let snapshot = DIContainer.snapshot()
    DIContainer.register(Shared(Ended(names)))
    _ = DIContainer.resolve(Ended.self)
    DIContainer.restore(snapshot)
    #expect(names.all == ["real"])
    expectNotResolved((any Router).self)
  }

  @Test("undoes an override in a copy of a child, whose ancestors are copied with it")
  func copyOfChild() {
    DIContainer.withCurrent(DIContainer(parent: .current)) {
      DIContainer.withOverrides {
      } perform: {
        let before = DIContainer.resolve((any Router).self)
        let snapshot = DIContainer.snapshot()
        DIContainer.override { New(MockRouter() as any Router) }
        #expect(DIContainer.resolve((any Router).self) is MockRouter)
        DIContainer.restore(snapshot)
        #expect(DIContainer.resolve((any Router).self) === before)
      }
    }
  }
}
