internal import DependencyInjection
internal import Testing

private final class Log: Sendable {}

private final class Page: Sendable {}

private struct PageView: Sendable {
  let page: Page
}

/// Resolves from a container when it is released.
private final class LastWords: Sendable {
  private let container: Monitor<DIContainer?>
  private let calls: CallCounter

  init(_ container: Monitor<DIContainer?>, _ calls: CallCounter) {
    (self.container, self.calls) = (container, calls)
  }

  convenience init(_ container: DIContainer, _ calls: CallCounter) { self.init(Monitor(container), calls) }

  deinit {
    // Not under the lock of the monitor.
    guard let container = container.change({ $0 }) else { return }
    _ = container.resolve(Log?.self)
    calls.call()
  }
}

extension LastWords: Hashable {
  static func == (one: LastWords, other: LastWords) -> Bool { one === other }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension DIContainer {
  fileprivate static let page = Dependency<Page, LastWords>(instancePerArgument: .shared) { _, _ in Page() }
}

/// An actor whose executor is an instance of a container.
@globalActor
private actor Archive {
  static let shared = Archive()
  static let container = DIContainer()

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe Self.container.resolve(ThreadExecutor.self).asUnownedSerialExecutor()
  }
}

private final class Table: Sendable {}

/// Takes the lock of a container when it is released.
private final class Visitor: Sendable {
  private let container: DIContainer

  init(_ container: DIContainer) { self.container = container }

  deinit { container.reset(Log.self) }
}

struct UserCodeAndLocksTests {
  private let container = DIContainer()
  private let calls = CallCounter()

  @Test("What is released with an instance, an override or a registration may resolve from the container")
  func arguments() {
    container.register(Shared(Log()))
    DIContainer.withCurrent(container) {
      _ = DIContainer.page(LastWords(container, calls))
      #expect(calls.count == 0)
      DIContainer.page.register { _, _ in Page() }
    }
    #expect(calls.count == 1)
    // What a removed override captures may resolve from the copy when it is released.
    do {
      let (container, calls) = (DIContainer(), CallCounter())
      let innermost = Monitor<DIContainer?>(nil)
      container.register(Shared(Log()))
      func override() {
        let words = LastWords(innermost, calls)
        DIContainer.withOverrides {
          Shared(words)
        } perform: {
          DIContainer.withOverrides {
            Shared(Page())
          } perform: {
            innermost.change { $0 = DIContainer.current }
          }
        }
      }
      DIContainer.withCurrent(container) { override() }
      #expect(calls.count == 0)
      let copy = innermost.change { $0 }
      copy?.removeAll()
      #expect(calls.count == 1)
      innermost.change { $0 = nil }
    }
    // What a replaced registration captures may resolve from the container when its last copy is gone.
    do {
      let (container, calls) = (DIContainer(), CallCounter())
      container.register(Shared(Log()))
      func registerCapturing() {
        let words = LastWords(container, calls)
        container.register(Shared(words))
      }
      registerCapturing()
      DIContainer.withCurrent(container) {
        DIContainer.withOverrides {
          Shared(Page())
        } perform: {
          container.register(Shared { LastWords(container, calls) })
        }
        DIContainer.withOverrides {
          Shared(Page())
        } perform: {
        }
      }
      #expect(calls.count == 1)
      registerCapturing()
      container.removeAll()
      #expect(calls.count == 2)
      // It may take the lock.
      func registerVisitor() {
        let visitor = Visitor(container)
        container.register(Shared(visitor))
      }
      registerVisitor()
      container.removeAll()
    }
  }

  @Test("A conversion to an alias, and an actor for its executor, may resolve from the container that asks")
  func conversion() async throws {
    let container = container
    container.register {
      Shared(Log())
      Weak(
        Page(),
        aliases: { (page: Page) -> PageView in
          _ = container.resolve(Log.self)
          return PageView(page: page)
        })
    }
    let first = container.resolve(PageView.self)
    container.reset(Log.self)
    let second = container.resolve(PageView.self)
    #expect(first.page === second.page)
    container.removeAll()
    // An actor may get its executor from the container that asks whether it is isolated to that actor.
    do {
      let container = Archive.container
      container.register {
        Shared(ThreadExecutor())
        Shared { @Archive in Table() }
      }
      #expect(failure { try container.tryResolve(Table.self) }?.code == .wrongActor)
      let table = try await container.resolveAsync(Table.self)
      #expect(container.resolve(Table.self) === table)
    }
  }

  @Test("A weak instance that a child decorates may take the lock of the child when it is released")
  func decoratedWeak() {
    let child = DIContainer(parent: container)
    container.register(Weak { Visitor(child) })
    child.register(Decorated(Visitor.self) { visitor, _ in visitor })
    // What one thread lets go of is what the other one finds.
    onThreads(2) { _ in
      for _ in 0..<ModelSeeds.rounds(3_000) { _ = child.resolve(Visitor.self) }
    }
  }
}
