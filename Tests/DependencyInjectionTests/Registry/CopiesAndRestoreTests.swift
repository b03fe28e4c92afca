internal import DITesting
internal import Synchronization
internal import Testing

@testable internal import DependencyInjection

private final class Log: Sendable {}

private final class Page: Sendable {}

private final class Book: Sendable {
  let page: Page
  init(_ page: Page) { self.page = page }
}

private final class Framed: MediaPlayer {
  let player: any MediaPlayer
  init(_ player: any MediaPlayer) { self.player = player }
}

private final class Observer: ResolutionObserver {
  let calls = CallCounter()

  func didResolve(_ event: ResolutionEvent, for _: Definition?, from _: Definition?) { calls.call() }
}

struct CopiesAndRestoreTests {
  private let container = DIContainer()

  @Test(
    "What is being created is in no snapshot, and no one waits for it once that is restored", arguments: [false, true])
  func creationInProgress(hasAlias: Bool) {
    let calls = CallCounter()
    let make: @Sendable () -> PlayerObject = { [unowned container] in
      if calls.call() == 1 {
        container.restore(container.registry.snapshot())
        onAnotherThread { [unowned container] in _ = container.resolve(PlayerObject.self) }
      }
      return PlayerObject()
    }
    container.register(hasAlias ? Shared({ _ in make() }, as: (any MediaPlayer).self) : Shared { make() })
    let first = container.resolve(PlayerObject.self)
    #expect(calls.count == 2 && container.resolve(PlayerObject.self) !== first && calls.count == 2)
  }

  @Test("A container that has ended keeps nothing of what it restores", arguments: [false, true])
  func ended(hasAlias: Bool) {
    let counter = LifetimeCounter()
    container.register(
      hasAlias ? Shared({ _ in Tracked(counter) }, as: (any Sendable).self) : Shared { Tracked(counter) })
    _ = container.resolve(Tracked.self)
    var snapshot: Registry.Snapshot? = container.registry.snapshot()
    container.end()
    if let snapshot { container.restore(snapshot) }
    snapshot = nil
    #expect(counter.alive == 0)
  }

  @Test("A container can restore the snapshot of a copy, and a decorator that overrides wraps what a child has")
  func snapshotOfCopy() throws {
    let page = Page()
    container.register(Shared(page))
    let snapshot = DIContainer.withCurrent(container) {
      DIContainer.withOverrides {
        Shared(Log())
      } perform: {
        DIContainer.current.registry.snapshot()
      }
    }
    #expect(container.resolve(Log?.self) == nil)
    container.restore(snapshot)
    #expect(container.resolve(Log?.self) != nil && container.resolve(Page.self) === page)
    #expect(container.registry.ancestry == [container.registry.number])
    // A decorator that overrides wraps what a child has registered without an ancestor's registration.
    do {
      let container = DIContainer()
      let child = DIContainer(parent: container)
      child.register(Shared(PlayerObject() as any MediaPlayer))
      let framed = DIContainer.withCurrent(child) {
        DIContainer.withOverrides {
          Decorated((any MediaPlayer).self) { player, _ in Framed(player) as any MediaPlayer }
        } perform: {
          Transfer(DIContainer.resolve((any MediaPlayer).self))
        }
      }
      #expect(
        (framed.value as? Framed)?.player is PlayerObject && child.resolve((any MediaPlayer).self) is PlayerObject)
    }
  }

  @Test("A copy whose registrations were removed or restored is still one, and lists them in order")
  func changedCopies() {
    container.register(Shared(Page()))
    let changes: [(isRemoval: Bool, change: (DIContainer) -> Void)] = [
      (false, { _ in }), (true, { $0.removeAll() }), (false, { $0.registry.restore($0.registry.snapshot()) }),
    ]
    for (isRemoval, change) in changes {
      let copy = DIContainer(copying: container)
      change(copy)
      let numbers = [copy, container].map(\.registry.number)
      #expect(
        copy.registry.ancestry == numbers
          && DIContainer(copying: copy).registry.ancestry.dropFirst() == numbers[...])
      // What was asked for before is no registration.
      #expect(failure { try copy.tryResolve(Int.self, named: "second") }?.notes.isEmpty == !isRemoval)
      copy.register {
        Shared(1, named: "first")
        Shared(2, named: "second")
      }
      #expect(copy.resolveAll(Int.self) == [1, 2] && copy.registrations.map(\.name).suffix(2) == ["first", "second"])
    }
    let copyOfChild = DIContainer(copying: DIContainer(parent: container))
    #expect(copyOfChild.resolve(Int?.self, named: "second") == nil)
    copyOfChild.register {
      Shared(1, named: "first")
      Shared(2, named: "second")
    }
    #expect(copyOfChild.resolveAll(Int.self) == [1, 2])
  }

  @Test("What is registered again in a copy has its position, whatever was resolved before all was removed")
  func orderAfterRemoval() {
    let names = ["a", "b", "c"]
    let all = Module { for name in names { Shared(name, named: DependencyName(name)) } }
    container.register(all)
    for isAskedBackwards in [false, true] {
      var copy = container
      for _ in 0..<20 {
        copy = DIContainer(copying: copy)
        for name in isAskedBackwards ? names.reversed() : ["c"] {
          #expect(copy.resolve(String.self, named: DependencyName(name)) == name)
        }
        copy.removeAll()
        #expect(copy.resolveAll(String.self).isEmpty && copy.registrations.isEmpty)
        copy.register {
          Shared("d", named: "d")
          Shared("b", named: "b")
        }
        #expect(copy.resolveAll(String.self) == ["b", "d"])
        copy.register(all)
        #expect(copy.resolveAll(String.self) == names + ["d"])
        #expect(copy.registrations.map(\.name) == ["a", "b", "c", "d"])
      }
    }
  }

  @Test("A copy of a copy, and so on, lets go of what was replaced in those that have ended")
  func copiesOfCopies() {
    let counter = LifetimeCounter()
    var copy = container
    for number in 1...100 {
      copy = DIContainer(copying: copy)
      let tracked = Tracked(counter)
      copy.register {
        Shared(tracked)
        Shared(number, named: DependencyName("\(number)"))
      }
      #expect(copy.resolve(Tracked.self) === tracked)
      copy.restore(copy.snapshot())
      #expect(copy.resolveAll(Int.self) == Array(1...number) && !copy.registry.hasBegunEmpty == (number > 1))
    }
    #expect(counter.alive <= 16 && container.registry.hasBegunEmpty)
    #expect(copy.resolveAll(Int.self) == Array(1...100) && copy.registry.ancestry.count == 101)
    // What is registered again has its position, although only a distant original has it.
    copy = DIContainer()
    for number in 1...40 {
      copy = DIContainer(copying: copy)
      if number % 20 == 1 { copy.register(Shared(number)) }
    }
    #expect(copy.resolveAll(Int.self) == [21])
  }

  @Test("An observer of a copy of a child sees each resolution once, until it is removed")
  func observers() {
    let (copy, observer) = (DIContainer(copying: DIContainer(parent: container)), Observer())
    copy.register(Shared(Page()))
    for _ in 0..<2 { copy.addObserver(observer) }
    #expect(copy.ownObservers.count == 1)
    _ = copy.resolve(Page.self)
    for _ in 0..<2 { copy.removeObserver(observer) }
    _ = copy.resolve(Page.self)
    #expect(copy.observers.isEmpty && observer.calls.count == 1)
    #expect(copy.registry.copiedLineage.map { $0.observerCount.load(ordering: .relaxed) } == [0, 0])
  }

  @Test("A child that is restored never shows what its parent has registered for the same type")
  func restoreWhileOthersResolve() {
    let child = DIContainer(parent: container)
    let (ofParent, ofChild, isOver) = (Page(), Page(), Monitor(false))
    container.register(Shared(ofParent))
    child.register(Shared(ofChild))
    _ = (container.resolve(Page.self), child.resolve(Page.self))
    let snapshot = child.snapshot()
    let wrong = onThreads(2) { thread in
      var wrong = 0
      if thread == 0 {
        for _ in 0..<20_000 { child.restore(snapshot) }
        isOver.change { $0 = true }
      } else {
        while !isOver.change({ $0 }) {
          for _ in 0..<50 where child.resolve(Page.self) !== ofChild { wrong += 1 }
        }
      }
      return wrong
    }
    #expect(wrong == [0, 0])
  }

  @Test("A check of a child finds the mistakes and the edges of what its parent registers")
  func verifyChild() async {
    container.register {
      New(Page())
      Shared { resolve in Book(resolve()) }
    }
    let child = DIContainer(parent: container)
    let own = await #expect(throws: VerificationError.self) { try await container.verify() }
    let inherited = await #expect(throws: VerificationError.self) { try await child.verify() }
    #expect(own?.failures.count == 1 && inherited?.failures.map(\.code) == own?.failures.map(\.code))
    #expect(await child.graph().edges.count == 1)
  }

  @Test("A snapshot of a copy of a child is restored from the top down, before anything is released")
  func order() {
    /// Resolves where it goes.
    final class Closer: Sendable {
      let close: @Sendable () -> Void
      init(_ close: @escaping @Sendable () -> Void) { self.close = close }
      deinit { close() }
    }
    let (app, real) = (DIContainer(), Page())
    app.register(Shared(real))
    let child = DIContainer(parent: app)
    child.register(Shared { resolve in Book(resolve()) })
    let copy = DIContainer(copying: child)
    copy.register(
      Shared { () in Closer { [unowned copy] in _ = onAnotherThread { [unowned copy] in copy.resolve(Book.self) } } })
    let snapshot = copy.registry.snapshot()
    copy.addOverrides(Module(Shared(Page())))
    _ = (copy.resolve(Closer.self), copy.resolve(Book.self))
    copy.restore(snapshot)
    #expect(copy.resolve(Book.self).page === real)
  }
}
