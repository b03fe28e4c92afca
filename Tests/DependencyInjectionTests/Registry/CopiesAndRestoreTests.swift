internal import DITesting
internal import DependencyInjection
internal import Testing

private final class Log: Sendable {}

private final class Page: Sendable {}

/// Counts those that live.
private final class Counted: Sendable {
  let living: Monitor<Int>

  init(_ living: Monitor<Int>) {
    self.living = living
    living.change { $0 += 1 }
  }

  deinit { living.change { $0 -= 1 } }
}

private final class Book: Sendable {
  let page: Page
  init(_ page: Page) { self.page = page }
}

private final class Framed: MediaPlayer {
  let player: any MediaPlayer
  init(_ player: any MediaPlayer) { self.player = player }
}

struct CopiesAndRestoreTests {
  private let container = DIContainer()

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
  }

  @Test("A copy of a copy, and so on, lets go of what was replaced in those that have ended")
  func copiesOfCopies() {
    let living = Monitor(0)
    var copy = container
    for number in 1...100 {
      copy = DIContainer(copying: copy)
      let counted = Counted(living)
      copy.register {
        Shared(counted)
        Shared(number, named: DependencyName("\(number)"))
      }
      #expect(copy.resolve(Counted.self) === counted)
      copy.restore(copy.snapshot())
      #expect(copy.resolveAll(Int.self) == Array(1...number) && !copy.registry.hasBegunEmpty == (number > 1))
    }
    #expect(living.change { $0 } <= 16)
    #expect(copy.resolveAll(Int.self) == Array(1...100) && copy.registry.ancestry.count == 101)
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

  @Test("A snapshot of a copy of a child is restored from the top downwards, before anything is released")
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
