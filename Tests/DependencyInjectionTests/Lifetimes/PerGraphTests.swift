internal import Testing

@testable internal import DependencyInjection

private typealias Session = Tracked

private final class Part: Sendable {
  let session: Session
  init(_ session: Session) { self.session = session }
}

private final class Whole: Sendable {
  let parts: [Part]
  let session: Session
  init(_ parts: [Part], _ session: Session) { (self.parts, self.session) = (parts, session) }
}

struct PerGraphTests {
  let container = DIContainer()
  let counter = LifetimeCounter()

  init() {
    let counter = counter
    container.register {
      PerGraph(Session(counter))
      New { Part($0.resolve()) }
      New { Whole([$0.resolve(), $0.resolve()], $0.resolve()) }
    }
  }

  @Test("Everything that one resolution creates gets the same instance, which is released when the outermost one ends")
  func graph() {
    container.register(
      New { resolve in
        _ = resolve(Session.self); return RouterImpl()
      })
    let router = container.resolve(RouterImpl.self)
    #expect(counter.created == 1 && counter.alive == 0)
    withExtendedLifetime(router) {}
    #expect((try? container.tryResolve(Whole.self)) != nil && counter.alive == 0)
    // The next resolution gets another one.
    do {
      let first = container.resolve(Whole.self)
      #expect(first.parts.allSatisfy { $0.session === first.session })
      let second = container.resolve(Whole.self)
      #expect(second.session !== first.session && container.resolve(Session.self) !== container.resolve(Session.self))
    }
    // After the end of its container, too.
    do {
      let resolve: Resolver
      do {
        let container = DIContainer(parent: container)
        container.register(Shared { resolve in (resolve as Resolver, 0) })
        resolve = container.resolve((Resolver, Int).self).0
      }
      let whole = resolve(Whole.self)
      #expect(whole.parts.allSatisfy { $0.session === whole.session } && counter.alive == 1)
    }
    // A Shared instance keeps that of the graph it was created in.
    do {
      container.register(Shared { Part($0.resolve()) })
      let whole = container.resolve(Whole.self)
      #expect(
        whole.parts[0] === whole.parts[1] && whole.session === whole.parts[0].session
          && container.resolve(Whole.self).session !== whole.parts[0].session)
    }
  }

  /// The static way resolves graphs, too, where factories were called directly before; `DirectFactoryTests` calls it in a
  /// process of its own.
  static func checkDirect() {
    let counter = LifetimeCounter()
    DIContainer.register {
      New { Part($0.resolve()) }
      New { Whole([$0.resolve(), $0.resolve()], $0.resolve()) }
      New(Session(counter))
    }
    let before = DIContainer.resolve(Whole.self)
    precondition(before.parts[0].session !== before.session)
    _ = DIContainer.resolve(Whole.self)
    DIContainer.register(PerGraph(Session(counter)))
    let whole = DIContainer.resolve(Whole.self)
    precondition(whole.parts[0].session === whole.session && whole.parts[1].session === whole.session)
    let alive = counter.alive
    _ = DIContainer.resolve(Whole.self)
    precondition(counter.alive == alive)
  }

  @Test(
    "An instance that a Shared one holds does not keep its container alive by what it resolves later",
    arguments: [false, true])
  func home(isFirst: Bool) {
    final class Lazy {
      @LazyInject var session: Session
      let resolver: Resolver
      init(_ resolver: Resolver) { self.resolver = resolver }
    }
    final class Holder {
      let lazy: Lazy
      init(_ lazy: Lazy) { self.lazy = lazy }
    }
    weak var weakContainer: DIContainer?
    do {
      let container = DIContainer(parent: container)
      let counter = counter
      container.register {
        Shared(Session(counter))
        PerGraph { Lazy($0) }
        Shared { Holder($0.resolve()) }
        New { resolve -> [ObjectIdentifier] in
          if isFirst { _ = resolve(Lazy.self) }
          return [ObjectIdentifier(resolve(Holder.self))]
        }
      }
      weakContainer = container
      _ = container.resolve([ObjectIdentifier].self)
      let lazy = container.resolve(Holder.self).lazy
      #expect(lazy.resolver.resolve(Session.self) === container.resolve(Session.self))
    }
    #expect(weakContainer == nil && counter.alive == 0)
  }

  @Test("Overrides inside of a factory have instances of their own, which the rest of the graph never sees")
  func overridesInside() {
    container.register(
      New { resolve -> [Session] in
        let own: Session = resolve()
        let others = (0..<2).map { _ in
          DIContainer.withOverrides {
            Shared(DiskCache() as any Cache)
          } perform: {
            DIContainer.resolve(Session.self)
          }
        }
        return [own, resolve()] + others
      })
    let sessions = container.resolve([Session].self)
    #expect(sessions[0] === sessions[1] && Set(sessions.map { ObjectIdentifier($0) }).count == 3)
  }

  @Test(
    "A Shared of a parent is made of a PerGraph of the parent's, in the graph of a child, too",
    arguments: [false, true])
  func ofParent(isChildFirst: Bool) {
    final class Draft {
      let config: AppConfigurationImpl
      init(_ config: AppConfigurationImpl) { self.config = config }
    }
    final class Page {
      let draft: Draft
      init(_ draft: Draft) { self.draft = draft }
    }
    let parent = DIContainer()
    parent.register {
      Shared(AppConfigurationImpl("app"))
      PerGraph { resolve in Draft(resolve()) }
      Shared { resolve in Page(resolve()) }
      New { resolve in (resolve(Draft.self), resolve(Page.self), resolve(Draft.self)) }
    }
    let child = DIContainer(parent: parent)
    child.register(Shared(AppConfigurationImpl("request")))
    if !isChildFirst { _ = parent.resolve(Page.self) }
    let (draft, page, same) = child.resolve((Draft, Page, Draft).self)
    #expect(draft.config.name == "request" && draft === same)
    #expect(page.draft.config.name == "app" && page === parent.resolve(Page.self))
  }

  @Test("An instance is never found by another container of the graph that has got the address of one that is gone")
  func reusedAddresses() {
    final class Draft: Sendable {
      let number: Int
      let session: Session
      init(_ number: Int, _ session: Session) { (self.number, self.session) = (number, session) }
    }
    container.register {
      PerGraph { resolve in Draft(resolve(), resolve()) }
      New { resolve -> [Int] in
        let first = resolve(Session.self)
        return (0..<1_000).map { number in
          // Gone at the end of the round, so that the next one may get its memory.
          let child = DIContainer(parent: .current)
          child.register(New(number))
          let draft = child.resolve(Draft.self)
          precondition(child.resolve(Draft.self) === draft && draft.session !== first)
          return draft.number
        }
      }
    }
    #expect(container.resolve([Int].self) == Array(0..<1_000))
  }

  @Test("A thread that uses the resolver of a factory elsewhere leaves that thread what it creates")
  func elsewhere() {
    let calls = CallCounter()
    container.register {
      PerGraph { resolve -> [Int] in
        let number = calls.call()
        return number == 1 ? onAnotherThread { resolve([Int].self) } : [number]
      }
      Shared { resolve -> Bool in
        let own = Creation.current
        return resolve([Int].self) == [2] && own.map { ThreadState.current.isCreating($0) } == true
      }
    }
    #expect(container.resolve(Bool.self))
  }

  @Test("Asynchronous factories share the instance with each other, and with what they create synchronously")
  func asynchronous() async throws {
    container.register {
      Shared { Part($0.resolve()) }
      New({ resolve async in Part(resolve()) }, named: "awaited")
      New { resolve async throws in
        Whole([resolve(), try await resolve.resolveAsync(named: "awaited")], resolve())
      }
    }
    let whole = try await container.resolveAsync(Whole.self)
    #expect(whole.parts.allSatisfy { $0.session === whole.session } && counter.created == 1)
    container.register(PerGraph { resolve async in Part(resolve()) })
    let part: Part = try await container.resolveAsync()
    #expect(try await container.resolveAsync(Part.self) !== part)
  }

  @Test("What an asynchronous factory gets from its current container is in the graph on any thread, also in a child")
  func resolverElsewhere() async throws {
    let child = DIContainer(parent: container)
    container.register {
      New { resolve in Part(onAnotherThread { resolve(Session.self) }) }
      New { Whole([DIContainer.resolve()], $0.resolve()) }
      New { resolve async in [Whole([DIContainer.resolve()], resolve()), child.resolve()] }
    }
    // From now on, the tables have the factory.
    _ = (container.resolve(Part.self), child.resolve(Part.self))
    let wholes = try await container.resolveAsync([Whole].self)
    #expect(wholes.allSatisfy { $0.parts[0].session === $0.session })
  }

  @Test("A task that outlasts the creation that started it keeps nothing of the graph")
  func leftTask() async throws {
    let (gate, tasks) = (AsyncSignal(), Monitor<[Task<Void, any Error>]>([]))
    container.register(
      Shared { resolve async in
        _ = resolve(Session.self)
        tasks.change { $0.append(Task { try await gate.wait() }) }
        return RouterImpl()
      })
    _ = try await container.resolveAsync(RouterImpl.self)
    #expect(counter.created == 1 && counter.alive == 0)
    gate.open()
    for task in tasks.change({ $0 }) { try await task.value }
  }

  enum Outlasting: CaseIterable { case outermost, insideOfAnotherGraph, aroundAShared }

  @Test(
    "A factory that outlasts the asynchronous creation around it goes on with the instances of its graph",
    arguments: Outlasting.allCases)
  func endedCreation(_ factory: Outlasting) async throws {
    let (isInside, isOver, graphs) = (AsyncSignal(), Event(), Monitor<[[Session]]>([]))
    let outlast: @Sendable () -> Void = {
      isInside.open()
      isOver.wait()
    }
    container.register {
      New { resolve -> [Session] in
        let first = resolve(Session.self)
        outlast()
        return [first, resolve()]
      }
      New { (resolve: Resolver, other: Resolver) in [other([Session].self), [resolve()]] }
      Shared { resolve -> Part in
        outlast()
        return Part(resolve())
      }
      // It asks for its first `Session` after the end; the `Shared` has got the graph before.
      New { resolve -> [Part] in [resolve(), Part(resolve())] }
      New { [container] resolve async throws in
        startThread {
          let made =
            switch factory {
            case .outermost: [resolve([Session].self)]
            case .insideOfAnotherGraph: container.resolve([[Session]].self) { resolve }
            case .aroundAShared: [resolve([Part].self).map(\.session)]
            }
          graphs.change { $0 = made }
        }
        try await isInside.wait()
        return RouterImpl()
      }
    }
    try await watched { [container] in _ = try await container.resolveAsync(RouterImpl.self) }
    isOver.signal()
    #expect(graphs.wait { !$0.isEmpty })
    let made = graphs.change { $0 }
    #expect(made[0].count == 2 && made[0][0] === made[0][1] && (made.count == 1 || made[1][0] !== made[0][0]))
  }

  /// Runs a function at its end.
  private final class Ending: Sendable {
    private let end: @Sendable () -> Void
    init(_ end: @escaping @Sendable () -> Void) { self.end = end }
    deinit { end() }
  }

  @Test("The graph of an asynchronous creation that fails is released before the requesters go on")
  func failedCreation() async throws {
    let (executor, isReleased) = (CountingExecutor(), Event())
    let hasRequesterWaited = Monitor<Bool?>(nil)
    container.register {
      PerGraph {
        Ending {
          hasRequesterWaited.change { $0 = executor.isIdle }
          isReleased.signal()
        }
      }
      Shared { resolve async throws -> Session in
        _ = resolve(Ending.self)
        await until { executor.isIdle }
        throw CancellationError()
      }
    }
    let requester = Task(executorPreference: executor) { [container] in
      await #expect(throws: ResolutionError.self) { try await container.resolveAsync(Session.self) }
      // Until then, the executor has a job.
      return isReleased.wait()
    }
    #expect(await requester.value)
    #expect(hasRequesterWaited.change { $0 } == true)
  }

  @Test("A graph keeps no container that a factory makes, although an instance was created for that")
  func childOfFactory() {
    let registered = LifetimeCounter()
    container.register(
      New { [container] _ in
        do {
          let child = DIContainer(parent: container)
          child.register(New { [token = registered.token()] _ in "\(token)" })
          _ = child.resolve(Session.self)
        }
        return registered.alive
      })
    #expect(container.resolve(Int.self) == 0)
  }
}
