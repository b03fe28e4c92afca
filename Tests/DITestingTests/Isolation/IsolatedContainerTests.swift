@testable import DITesting
import DependencyInjection
import Testing

@Suite(.isolatedContainer(.empty) { appRegistrations })
struct IsolatedContainerTests {
  @Inject var router: any Router
  let container = DIContainer.current

  @Test("is current for the suite's initializer, and another one for every case, without instances", arguments: 0..<50)
  func isPerCase(number: Int) async {
    #expect(container == DIContainer.current && router === DIContainer.resolve((any Router).self))
    #expect(DIContainer.resolve((any Router).self).name == "real")
    DIContainer.override((any Router).self, with: MockRouter("\(number)"))
    await Task.yield()
    await withTaskGroup { group in
      for _ in 0..<4 { group.addTask { DIContainer.resolve((any Router).self).name } }
      for await name in group { #expect(name == "\(number)") }
    }
    #expect(DIContainer.resolve((any Router).self).name == "\(number)")
  }
}

struct IsolatedChildTests {
  /// Returns the container of an app, and a child of it with a router of its own.
  private func appAndChild() -> (app: DIContainer, child: DIContainer) {
    let app = DIContainer()
    app.register {
      appRegistrations
      Shared { resolve in Service(router: resolve()) }
    }
    let child = DIContainer(parent: app)
    child.register(Shared(MockRouter("child") as any Router))
    return (app, child)
  }

  @Test(
    "has the registrations of the child and its ancestors at their levels, where overrides reach all, and no instances")
  func copiesChain() {
    let (app, child) = appAndChild()
    let (service, router) = (app.resolve(Service.self), child.resolve((any Router).self))
    DIContainer.withCurrent(child) {
      withIsolatedContainer {
        #expect(DIContainer.current != child)
        let copied = DIContainer.resolve(Service.self)
        #expect(copied !== service)
        #expect(copied.router.name == "real", "the child's router is not for what the app keeps")
        #expect(copied.router !== service.router && DIContainer.resolve((any Router).self) !== router)
        #expect(DIContainer.resolve(HomeViewModel.self).router.name == "child", "a New is built for the child")
        #expect((DIContainer.resolve() as (any Analytics)?) != nil)
        expectResolved(Service.self, times: 1)
        expectResolved((any Router).self, times: 3)
      }
    }
    #expect(app.resolve(Service.self) === service && child.resolve((any Router).self) === router)
    do {
      let (app, child) = appAndChild()
      DIContainer.withCurrent(child) {
        withIsolatedContainer {
          Shared(MockRouter("added") as any Router)
        } perform: {
          #expect(
            DIContainer.resolve(Service.self).router.name == "added"
              && DIContainer.resolve((any Router).self) === DIContainer.resolve(Service.self).router)
          let mock = MockRouter()
          DIContainer.override((any Router).self, with: mock)
          #expect(DIContainer.resolve(Service.self).router === mock && DIContainer.resolve((any Router).self) === mock)
          expectOverridesResolved()
        }
      }
      #expect((app.resolve(Service.self).router.name, child.resolve((any Router).self).name) == ("real", "child"))
    }
  }
}

struct ParentRecorderTests {
  @Test("sees what the table of a child answered before the recorder was added")
  func recorderReachesChildren() {
    let parent = DIContainer()
    let child = DIContainer(parent: parent)
    child.register(Shared(RouterImpl() as any Router))
    for _ in 0..<3 { _ = child.resolve((any Router).self) }
    let recorder = ResolutionRecorder(for: IsolatedTest("this test", in: .swiftTesting), in: parent)
    parent.addObserver(recorder)
    for _ in 0..<2 { _ = child.resolve((any Router).self) }
    #expect(recorder.resolutions.count == 2)
  }
}
