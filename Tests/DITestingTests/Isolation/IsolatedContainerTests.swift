@testable import DITesting
import DependencyInjection
import Testing

@Suite("An isolated container", .isolatedContainer(.empty) { appRegistrations })
struct IsolatedContainerTests {
  @Inject var router: any Router
  let container = DIContainer.current

  @Test("is current for the suite's initializer and its injected properties")
  func coversTheSuite() {
    #expect(container === DIContainer.current)
    #expect(router === DIContainer.resolve((any Router).self))
  }

  @Test("is not the shared one")
  func isNotShared() {
    #expect(DIContainer.current !== DIContainer.shared)
  }

  @Test("holds the overrides of the test's own trait", .isolatedContainer { Shared(MockRouter() as any Router) })
  func refines() {
    #expect(DIContainer.resolve((any Router).self).name == "mock")
    #expect(DIContainer.resolve(HomeViewModel.self).router.name == "mock")
  }

  @Test("is another one for every case, without instances", arguments: 0..<200)
  func isPerCase(number: Int) async {
    #expect(DIContainer.resolve((any Router).self).name == "real")
    DIContainer.override((any Router).self, with: MockRouter("\(number)"))
    await Task.yield()
    await withTaskGroup { group in
      for _ in 0..<4 { group.addTask { DIContainer.resolve((any Router).self).name } }
      for await name in group { #expect(name == "\(number)") }
    }
    #expect(DIContainer.resolve((any Router).self).name == "\(number)")
  }

  @Test("keeps instances to itself")
  func hasNoInstances() {
    let outer = DIContainer.resolve((any Router).self)
    let copy = DIContainer.current.isolatedCopy()
    #expect(copy.resolve((any Router).self) !== outer)
    #expect(DIContainer.resolve((any Router).self) === outer)
  }
}

@Suite("An isolated copy of a child")
struct IsolatedCopyOfChildTests {
  @Test("has its ancestors' registrations as its own, the nearer ones first, and none of their instances")
  func flattens() {
    let parent = DIContainer()
    parent.register(appRegistrations)
    let child = DIContainer(parent: parent)
    child.register(Shared(MockRouter("child") as any Router))
    let model = parent.resolve(HomeViewModel.self)
    let copy = child.isolatedCopy()
    #expect(copy.resolve((any Router).self).name == "child")
    #expect(copy.resolve((any Router).self) !== child.resolve((any Router).self))
    #expect((copy.resolve() as (any Analytics)?) != nil)
    let other = DIContainer(parent: parent).isolatedCopy()
    #expect(other.resolve((any Router).self) !== model.router)
  }

  @Test("A recorder that comes later sees what the table of a child has answered before")
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

@Suite("A container from nothing", .isolatedContainer(.empty) { Shared(MockRouter("only") as any Router) })
struct EmptyContainerTests {
  @Test("has what its trait registers and nothing else")
  func fromNothing() {
    #expect(DIContainer.resolve((any Router).self).name == "only")
    #expect((DIContainer.resolve() as (any Analytics)?) == nil)
  }
}
