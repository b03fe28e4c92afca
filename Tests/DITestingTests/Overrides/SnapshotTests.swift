import DITesting
import DependencyInjection
import Testing

@Suite("A snapshot", .isolatedContainer(.empty) { appRegistrations })
struct SnapshotTests {
  @Test("brings back registrations and instances")
  func restores() {
    let before = DIContainer.resolve((any Router).self)
    let snapshot = DIContainer.snapshot()

    DIContainer.register(Shared(MockRouter() as any Router))
    DIContainer.current.unregister((any Analytics).self)
    #expect(DIContainer.resolve((any Router).self).name == "mock")

    DIContainer.restore(snapshot)
    #expect(DIContainer.resolve((any Router).self) === before)
    #expect((DIContainer.resolve() as (any Analytics)?) != nil)
  }

  @Test("nests, and can be restored again")
  func nests() {
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
  }

  @Test("does not see what happens after it was taken")
  func isAValue() {
    let container = DIContainer()
    container.register(Shared(RouterImpl() as any Router))
    let snapshot = container.snapshot()
    let later = container.resolve((any Router).self)
    container.reset()
    container.restore(snapshot)
    #expect(container.resolve((any Router).self) !== later)
  }

  @Test("releases what was created since when it is restored")
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
  }

  @Test("keeps what existed when it was taken, and releases it at once when it goes", arguments: [false, true])
  func keeps(isRestored: Bool) {
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
