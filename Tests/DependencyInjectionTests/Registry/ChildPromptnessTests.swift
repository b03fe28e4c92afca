internal import DITesting
internal import DependencyInjection
internal import Testing

/// An instance that each container has for itself.
private final class Own: Sendable {
  let token: LifetimeToken
  init(_ counter: LifetimeCounter) { token = counter.token() }
}

/// What a child has made of an instance of its parent.
private struct Pair {
  let first: Tracked
  let token: LifetimeToken
}

struct ChildPromptnessTests {
  private let parent = DIContainer()
  private let counter = LifetimeCounter()

  /// Something that ends the instance that a child has of a registration of its parent.
  enum ChildEnding: CaseIterable {
    case reset, scopeReset, removed, restored, gone
  }

  @Test(
    "What a child keeps of its parent's registration is gone when the child lets go of it",
    arguments: ChildEnding.allCases)
  func ofChild(ending: ChildEnding) {
    let counter = counter
    parent.register(Scoped(in: .container) { Own(counter) })
    var child: DIContainer? = DIContainer(parent: parent)
    let before = child?.snapshot()
    for _ in 0..<3 { _ = child?.resolve(Own.self) }
    #expect(counter.alive == 1)
    switch ending {
    case .reset: child?.reset()
    case .scopeReset: child?.reset(.container)
    case .removed: child?.removeAll()
    case .restored: child?.restore(before!)
    case .gone: child = nil
    }
    #expect(counter.created == 1 && counter.alive == 0)
  }

  /// A change of the parent of a container.
  enum ParentChange: CaseIterable {
    case overridden, unregistered, reset, scopeReset, restored, removed, partOverridden

    /// A Boolean value that indicates whether the parent still keeps its instance.
    var isElsewhere: Bool { self == .scopeReset || self == .partOverridden }
  }

  private func apply(_ change: ParentChange, before: DIContainer.Snapshot) {
    switch change {
    case .overridden: parent.register(New(Tracked(LifetimeCounter())))
    case .unregistered: parent.unregister(Tracked.self)
    case .reset: parent.reset()
    case .scopeReset: parent.reset(.container)
    case .restored: parent.restore(before)
    case .removed: parent.removeAll()
    case .partOverridden: parent.register(New("new"))
    }
  }

  @Test(
    "A change of the parent releases what the parent keeps, and nothing of a child", arguments: ParentChange.allCases)
  func ofParent(change: ParentChange) {
    let (counter, owns, pairs) = (counter, LifetimeCounter(), LifetimeCounter())
    let before = parent.snapshot()
    parent.register {
      New("parent's")
      Shared { resolve in
        _ = resolve(String.self)
        return Tracked(counter)
      }
      Scoped(in: .container) { resolve in
        _ = (resolve(String.self), resolve(Tracked.self))
        return Own(owns)
      }
    }
    let child = DIContainer(parent: parent)
    child.register(Shared { resolve in Pair(first: resolve(), token: pairs.token()) })
    for _ in 0..<3 { _ = (child.resolve(Own.self), child.resolve(Pair.self)) }
    #expect(counter.alive == 1 && owns.alive == 1 && pairs.alive == 1)
    apply(change, before: before)
    _ = child.resolve(Pair.self)
    #expect(counter.created == 1 && counter.alive == 1, "the child's pair holds it")
    #expect(owns.alive == 1 && pairs.created == 1)
    child.reset()
    #expect(owns.alive == 0 && pairs.alive == 0 && counter.alive == (change.isElsewhere ? 1 : 0))
  }

  @Test("A child that has no instance of its own is no reason to keep one", arguments: ParentChange.allCases)
  func ofParentAtOnce(change: ParentChange) {
    let counter = counter
    let before = parent.snapshot()
    parent.register {
      New("parent's")
      Shared { resolve in
        _ = resolve(String.self)
        return Tracked(counter)
      }
    }
    let child = DIContainer(parent: parent)
    child.register(New("child's"))
    for _ in 0..<1_100 { _ = (child.resolve(Tracked.self), child.resolve(Tracked?.self)) }
    #expect(counter.created == 1 && counter.alive == 1)
    apply(change, before: before)
    #expect(counter.alive == (change.isElsewhere ? 1 : 0))
  }

  @Test("A child goes with all it has while its parent lives on", arguments: [1, 5])
  func child(levels: Int) {
    let (parent, counter) = (parent, counter)
    parent.register(New("parent's"))
    parent.register {
      Scoped(in: .container) { resolve in
        _ = resolve(String.self)
        return Own(counter)
      }
    }
    _ = parent.resolve(Own.self)
    do {
      var child = parent
      for level in 0..<levels {
        child = DIContainer(parent: child)
        let token = counter.token()
        child.register {
          New("\(level) \(token.isIntact)")
          Shared(Tracked(counter))
        }
        _ = (child.resolve(Own.self), child.resolve(Tracked.self), child.resolve(String.self))
      }
      #expect(counter.alive == 1 + 3 * levels)
    }
    #expect(counter.alive == 1)
    parent.reset()
    #expect(counter.alive == 0)
  }
}
