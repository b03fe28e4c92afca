internal import DITesting
@testable internal import DependencyInjection
internal import Testing

/// Tests of what a child finds in the table of an ancestor.
struct AncestorTableTests {
  let parent = DIContainer()
  let child: DIContainer
  let grandchild: DIContainer

  init() {
    child = DIContainer(parent: parent)
    grandchild = DIContainer(parent: child)
    parent.register {
      Shared(AppConfigurationImpl() as any AppConfiguration)
      Shared { resolve in RouterImpl(config: resolve()) as any Router }
      Shared(SimplePlayer() as any MediaPlayer)
      Shared(7)
      Shared("text", named: "named")
      New { resolve in ConcreteViewModel(id: resolve((any AppConfiguration).self).name) as any ViewModel }
      New { (_, number: Int) in [number] }
    }
  }

  @Test("What a child has registered since a snapshot is the parent's again, once the snapshot is restored")
  func restored() {
    let snapshot = child.snapshot()
    child.register(Shared(8))
    child.restore(snapshot)
    let cell = child.registry.table.find(Key(Int.self).word)
    #expect(cell?.pointee.loadKind() == .nothing && child.resolve(Int.self) == 7)
  }

  /// Runs a closure while every lock of the containers is held by the calling thread, which cannot lock them again.
  private func locked<Result>(_ body: () -> Result) -> Result {
    grandchild.registry.withLock { _ in
      child.registry.withLock { _ in parent.registry.withLock { _ in body() } }
    }
  }

  /// Every kind of answer that a table has, once.
  private func resolveAll(from container: DIContainer) -> [ObjectIdentifier] {
    #expect(
      container.resolve((any AppConfiguration).self).name == "production"
        && container.resolve((any MediaPlayer).self) is SimplePlayer && container.resolve(Int.self) == 7)
    #expect(
      [container.resolve(String.self, named: "named"), container.resolve((any ViewModel).self).id] == [
        "text", "production",
      ])
    #expect(container.resolve((any ViewModel)?.self)?.id == "production" && container.resolve([Int].self) { 5 } == [5])
    return [
      ObjectIdentifier(container.resolve((any Router).self)), ObjectIdentifier(container.resolve((any Router)?.self)!),
    ]
  }

  @Test(
    "What exists needs no lock, whichever container it was created through and whatever those between register",
    .timeLimit(.minutes(20)))
  func takesNoLock() {
    let first = resolveAll(from: grandchild)
    for container in [grandchild, child, parent] {
      // Each container has to learn what an optional type wraps.
      #expect(resolveAll(from: container) == first && locked { resolveAll(from: container) } == first)
    }
    // With other registrations in the containers between.
    let other = Self()
    other.grandchild.register {
      Shared(1.5 as Float)
      Shared(UInt8(3))
    }
    other.child.register {
      Shared(Int8(3))
      New(UInt16(3))
    }
    let found = other.resolveAll(from: other.grandchild)
    #expect(other.locked { other.resolveAll(from: other.grandchild) } == found)
    func numbers() -> [Int] {
      [Int(other.grandchild.resolve(Int8.self)), Int(other.grandchild.resolve(UInt16.self))]
    }
    #expect(numbers() == [3, 3] && other.locked { numbers() } == [3, 3])
  }

  @Test(
    "A key that a container between registers later hides the answer at once, from all but what the ancestor keeps",
    arguments: [false, true])
  func shadowing(inGrandchild: Bool) {
    _ = resolveAll(from: grandchild)
    let former = grandchild.resolve((any Router).self)
    (inGrandchild ? grandchild : child).register(Shared(AppConfigurationImpl("test") as any AppConfiguration))
    #expect(
      [
        grandchild.resolve((any AppConfiguration).self).name, grandchild.resolve((any ViewModel).self).id,
        grandchild.resolve((any ViewModel)?.self)?.id,
      ] == ["test", "test", "test"])
    #expect(
      child.resolve((any ViewModel).self).id == (inGrandchild ? "production" : "test")
        && parent.resolve((any ViewModel).self).id == "production")
    for container in [grandchild, child, parent] { #expect(container.resolve((any Router).self) === former) }
  }

  @Test("What hides an answer may go again, and come back with a snapshot", .timeLimit(.minutes(20)))
  func unregister() {
    let former = grandchild.resolve((any Router).self)
    child.register(Shared(MockRouter() as any Router))
    #expect(grandchild.resolve((any Router).self) is MockRouter)
    child.unregister((any Router).self)
    #expect(locked { grandchild.resolve((any Router).self) } === former)
    child.register(Shared(AppConfigurationImpl("test") as any AppConfiguration))
    #expect(grandchild.resolve((any ViewModel).self).id == "test")
    child.unregister((any AppConfiguration).self)
    #expect(locked { grandchild.resolve((any ViewModel).self).id } == "production")
    // What a snapshot of a child brings back hides the answers of its parent.
    do {
      let suite = Self()
      let (child, grandchild) = (suite.child, suite.grandchild)
      child.register(Shared(MockRouter() as any Router))
      let mock = grandchild.resolve((any Router).self)
      let snapshot = child.snapshot()
      child.unregister((any Router).self)
      #expect(child.resolve((any Router).self) is RouterImpl && grandchild.resolve((any Router).self) is RouterImpl)
      child.restore(snapshot)
      #expect(child.resolve((any Router).self) === mock && grandchild.resolve((any Router).self) === mock)
    }
  }

  @Test("A trace of a container sees what it finds in the table of an ancestor", arguments: [0, 1, 2])
  func observed(level: Int) {
    _ = resolveAll(from: grandchild)
    let calls = CallCounter()
    let trace = [parent, child, grandchild][level].trace { _ in calls.call() }
    for _ in 0..<3 { _ = grandchild.resolve((any Router).self) }
    #expect(calls.count == 3)
    trace.stop()
    let first = resolveAll(from: grandchild)
    #expect(calls.count == 3 && locked { resolveAll(from: grandchild) } == first)
  }

  @Test("A factory of an ancestor that throws is called once, and never replaced")
  func failing() throws {
    struct Failure: Error {}
    let calls = CallCounter()
    for _ in 0..<2 {
      parent.register(
        New { () throws -> any Cache in
          calls.call()
          throw Failure()
        })
      _ = failure { try grandchild.tryResolve((any Cache).self) }
      let before = calls.count
      let error = failure { try grandchild.tryResolve((any Cache).self) }
      #expect(error?.code == .factoryFailed && error?.underlyingError is Failure && calls.count == before + 1)
    }
    // A factory that throws is not replaced by that of an ancestor, even if its registration is gone by then.
    do {
      parent.register(New(Seed()))
      _ = parent.resolve(Seed.self)
      let (fails, child) = (Monitor(false), child)
      child.register(
        New { () throws -> Seed in
          if fails.change({ $0 }) {
            child.unregister(Seed.self)
            throw Failure()
          }
          return Seed()
        })
      _ = child.resolve(Seed.self)
      fails.change { $0 = true }
      #expect(
        failure { try child.tryResolve(Seed.self) }?.underlyingError is Failure
          && failure { try parent.tryResolve(Seed.self) } == nil && failure { try child.tryResolve(Seed.self) } == nil)
    }
  }
}

private final class Seed: Sendable {}
