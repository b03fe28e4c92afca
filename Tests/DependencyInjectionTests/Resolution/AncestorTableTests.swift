@testable internal import DependencyInjection
internal import Testing

/// What a child finds in the table of an ancestor.
@Suite("Answers of ancestors")
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

  /// Runs a closure while every lock of the containers is held by the calling thread, which cannot lock them again.
  private func locked<Result>(_ body: () -> Result) -> Result {
    grandchild.state.withLock { _ in child.state.withLock { _ in parent.state.withLock { _ in body() } } }
  }

  /// Every kind of answer, once.
  private func resolveAll(from container: DIContainer) -> [ObjectIdentifier] {
    #expect(container.resolve((any AppConfiguration).self).name == "production")
    #expect(container.resolve((any MediaPlayer).self) is SimplePlayer)
    #expect(container.resolve(Int.self) == 7)
    #expect(container.resolve(Int?.self) == 7)
    #expect(container.resolve(String.self, named: "named") == "text")
    #expect(container.resolve((any ViewModel).self).id == "production")
    #expect(container.resolve((any ViewModel)?.self)?.id == "production")
    #expect(container.resolve([Int].self) { 5 } == [5])
    #expect(container.resolve(Double?.self) == nil)
    return [
      ObjectIdentifier(container.resolve((any Router).self)), ObjectIdentifier(container.resolve((any Router)?.self)!),
    ]
  }

  @Test("What exists needs no lock, whichever container it was created through", .timeLimit(.minutes(5)))
  func takesNoLock() {
    let first = resolveAll(from: grandchild)
    #expect(locked { resolveAll(from: grandchild) } == first)
    #expect(locked { resolveAll(from: child) } == first)
    #expect(locked { resolveAll(from: parent) } == first)
  }

  @Test("It still is so when the containers between have other registrations", .timeLimit(.minutes(5)))
  func others() {
    // A filter may take one type for another, but not all of these for one that is resolved.
    let resolved: [Any.Type] = [
      (any AppConfiguration).self, (any MediaPlayer).self, Int.self, (any ViewModel).self, [Int].self, Double.self,
      (any Router).self,
    ]
    let keys = KeyFilter(resolved.map { Key($0) } + [Key(String.self, named: "named")])
    let others: [(key: Key, register: (DIContainer) -> Void)] = [
      (Key(Float.self), { $0.register(Shared(1.5 as Float)) }), (Key(UInt8.self), { $0.register(Shared(UInt8(3))) }),
      (Key(Int8.self), { $0.register(Shared(Int8(3))) }), (Key(UInt16.self), { $0.register(Shared(UInt16(3))) }),
      (Key(Int16.self), { $0.register(Shared(Int16(3))) }), (Key(UInt32.self), { $0.register(Shared(UInt32(3))) }),
    ]
    let used = others.filter { !keys.mayIntersect(KeyFilter([$0.key])) }
    #expect(used.count >= 2)
    for (index, other) in used.enumerated() { other.register(index.isMultiple(of: 2) ? child : grandchild) }
    let first = resolveAll(from: grandchild)
    #expect(locked { resolveAll(from: grandchild) } == first)
  }

  @Test(
    "A key that a container between registers later hides the answer at once, and what depends on it",
    arguments: [false, true])
  func shadowing(inGrandchild: Bool) {
    _ = resolveAll(from: grandchild)
    let former = grandchild.resolve((any Router).self)
    (inGrandchild ? grandchild : child).register(Shared(AppConfigurationImpl("test") as any AppConfiguration))
    #expect(grandchild.resolve((any AppConfiguration).self).name == "test")
    #expect(grandchild.resolve((any ViewModel).self).id == "test")
    #expect(grandchild.resolve((any Router).self).config?.name == "test")
    #expect(child.resolve((any Router).self).config?.name == (inGrandchild ? "production" : "test"))
    #expect(parent.resolve((any Router).self) === former)
  }

  @Test("What hides an answer may go again", .timeLimit(.minutes(5)))
  func unregister() {
    let former = grandchild.resolve((any Router).self)
    child.register(Shared(AppConfigurationImpl("test") as any AppConfiguration))
    #expect(grandchild.resolve((any Router).self) !== former)
    child.unregister((any AppConfiguration).self)
    #expect(locked { grandchild.resolve((any Router).self) } === former)
  }

  @Test("What the ancestor replaces, resets or removes is gone for its descendants")
  func changes() {
    let former = grandchild.resolve((any Router).self)
    parent.reset()
    let second = grandchild.resolve((any Router).self)
    #expect(second !== former)
    parent.register(Shared(MockRouter() as any Router))
    #expect(grandchild.resolve((any Router).self) is MockRouter)
    parent.unregister((any Router).self)
    #expect(grandchild.resolve((any Router)?.self) == nil)
    #expect(grandchild.resolve((any Router)?.self) == nil)
    parent.register(Shared(RouterImpl() as any Router))
    #expect(grandchild.resolve((any Router)?.self) is RouterImpl)
  }

  @Test("What a snapshot of a child brings back hides the answers of its parent")
  func restore() {
    child.register(Shared(MockRouter() as any Router))
    let snapshot = child.registry()
    child.unregister((any Router).self)
    #expect(child.resolve((any Router).self) is RouterImpl)
    child.setRegistry(snapshot)
    #expect(child.resolve((any Router).self) is MockRouter)
  }

  @Test("Another name of the type matters to whoever has resolved all of them")
  func names() {
    parent.register(Shared { resolve in Texts(all: resolve.resolveAll()) })
    #expect(child.resolve(Texts.self).all == ["text"])
    child.register(Shared("another", named: "other"))
    #expect(child.resolve(Texts.self).all.count == 2)
    #expect(parent.resolve(Texts.self).all == ["text"])
  }

  @Test(
    "A container that keeps an instance of an ancestor's registration goes on with that, whatever the ancestor keeps")
  func keptForDescendant() {
    parent.register {
      New { resolve in
        _ = resolve((any AppConfiguration).self)
        return Seed()
      }
      Shared { resolve in Plant(seed: resolve()) }
      PerGraph { resolve in Garden(plant: resolve()) }
    }
    let parents = parent.resolve(Plant.self)
    // The parent's instance stays, but another one would depend on something else.
    parent.register(
      New { resolve in
        _ = resolve(Int.self)
        return Seed()
      })
    child.register(Shared(8))
    grandchild.register(Shared(AppConfigurationImpl("test") as any AppConfiguration))
    let childs = grandchild.resolve(Plant.self)
    #expect(childs !== parents)
    #expect(child.resolve(Plant.self) === childs)
    #expect(child.resolve(Garden.self).plant === childs)
    #expect(parent.resolve(Plant.self) === parents)
    // Also after somebody has observed it.
    let observer = ResolveCounter()
    child.addObserver(observer)
    child.removeObserver(observer)
    #expect(parent.resolve(Plant.self) === parents)
    #expect(child.resolve(Plant.self) === childs)
  }

  @Test("A dependency that has failed is one, too", arguments: [false, true])
  func failedDependency(childFirst: Bool) {
    parent.register {
      Shared { () throws -> Seed in throw CancellationError() }
      Shared { resolve in Plant(seed: try? resolve.tryResolve()) }
    }
    child.register(Shared(Seed()))
    let containers = childFirst ? [child, parent] : [parent, child]
    for container in containers + containers {
      #expect((container.resolve(Plant.self).seed == nil) == (container === parent))
    }
  }

  @Test("A factory that throws is not replaced by that of an ancestor, even if its registration is gone by then")
  func failingAndGone() throws {
    struct Failure: Error {}
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
    #expect(failure { try child.tryResolve(Seed.self) }?.underlyingError is Failure)
    #expect(failure { try parent.tryResolve(Seed.self) } == nil)
    #expect(failure { try child.tryResolve(Seed.self) } == nil)
  }

  @Test("Who observes a container sees what it finds in the table of an ancestor", arguments: [0, 1, 2])
  func observed(level: Int) {
    _ = resolveAll(from: grandchild)
    let observer = ResolveCounter()
    let container = [parent, child, grandchild][level]
    container.addObserver(observer)
    for _ in 0..<3 { _ = grandchild.resolve((any Router).self) }
    #expect(observer.calls.count == 3)
    container.removeObserver(observer)
    _ = resolveAll(from: grandchild)
    #expect(observer.calls.count == 3)
    let again = locked { resolveAll(from: parent) }
    #expect(again == resolveAll(from: grandchild))
  }

  @Test("A factory of an ancestor that throws is called once, and its error says why")
  func failing() {
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
      #expect(error?.code == .factoryFailed)
      #expect(error?.underlyingError is Failure)
      #expect(calls.count == before + 1)
    }
  }
}

private final class Seed: Sendable {}

private final class Plant: Sendable {
  let seed: Seed?
  init(seed: Seed?) { self.seed = seed }
}

private final class Garden: Sendable {
  let plant: Plant
  init(plant: Plant) { self.plant = plant }
}

/// What depends on all names of a type.
private struct Texts { let all: [String] }

private final class ResolveCounter: ResolutionObserver {
  let calls = CallCounter()
  func didResolve(_: ResolutionEvent) { calls.call() }
}
