internal import DITesting
internal import DependencyInjection
internal import Testing

extension DIContainer {
  fileprivate static let optional = Dependency<(any Router)?>(.weak) { RouterImpl() }
  fileprivate static let cache = Dependency<(any Cache)?>(.weak) { nil }
  fileprivate static let player = Dependency<(any MediaPlayer)?>(.weak) { SimplePlayer() }
  @MainActor fileprivate static let screen = Dependency<(any Router)?>(.weak) { @MainActor in Screen() }
}

struct WeakTests {
  let container = DIContainer()
  let counter = LifetimeCounter()

  @Test("Everybody gets the same instance while somebody holds it, and no alias does")
  func lifetime() {
    let counter = counter
    container.register(Weak(Tracked(counter)))
    var first: Tracked? = container.resolve()
    #expect(first === container.resolve(Tracked.self) && counter.created == 1)
    first = nil
    #expect(counter.alive == 0)
    first = container.resolve()
    #expect(counter.created == 2 && counter.alive == 1)
    withExtendedLifetime(first) {}
    // An alias that a conversion wraps in a value.
    do {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      struct Wrapper { let tracked: Tracked }
      final class Holder {
        let tracked: Tracked
        init(_ tracked: Tracked) { self.tracked = tracked }
      }
      container.register(Weak(Tracked(counter), aliases: { Wrapper(tracked: $0) }, { $0 }, { Holder($0) }))
      let tracked = container.resolve(Tracked.self)
      #expect(container.resolve(Wrapper.self).tracked === tracked && container.resolve(Holder.self).tracked === tracked)
      withExtendedLifetime(tracked) {}
      container.register(Shared(NoCache() as any Cache))
      #expect(container.resolve(Wrapper.self).tracked.token.isIntact && counter.alive <= 1)
    }
  }

  @Test("A conversion to an alias belongs to the container, whichever is current, as often as it is called")
  func conversion() {
    struct User { let name: String }
    struct Badge { let user: String }
    let child = DIContainer(parent: container)
    child.register(Shared(User(name: "child")))
    container.register {
      Shared(User(name: "parent"))
      Weak(Tracked(counter), aliases: { (_: Tracked) in Badge(user: DIContainer.resolve(User.self).name) })
    }
    let tracked = container.resolve(Tracked.self)
    for _ in 1...2 {
      #expect(container.resolve(Badge.self).user == "parent")
      #expect(DIContainer.withCurrent(child) { container.resolve(Badge.self).user } == "parent")
      #expect(child.resolve(Badge.self).user == "parent")
    }
    #expect(counter.created == 1 && tracked.token.isIntact)
  }

  @Test("An instance that is not of a class is an error that says so")
  func structs() {
    container.register(Weak(SimplePlayer() as any MediaPlayer))
    let line = #line - 1
    let error = failure { try container.tryResolve((any MediaPlayer).self) }
    #expect(
      error?.description == """
        'SimplePlayer' is registered as Weak, but is not a class.
          resolving  MediaPlayer
          asked at   \(place(line + 2))
          registered \(place(line))
          note       only instances of classes can be held weakly; use Shared, PerGraph or Scoped
        """)
    container.register(Weak(PlayerObject() as any MediaPlayer))
    #expect((try? container.tryResolve((any MediaPlayer).self)) is PlayerObject)
  }

  @Test("Threads that resolve and let go never see a dead instance, nor two that live")
  func race() {
    let (container, counter) = (container, counter)
    container.register(Weak(Tracked(counter)))
    onThreads(4) { _ in
      for _ in 0..<5_000 {
        let one = container.resolve(Tracked.self)
        precondition(one.token.isIntact)
        let other = container.resolve(Tracked.self)
        precondition(one === other)
      }
    }
    #expect(counter.alive == 0)
  }

  @Test(
    "An instance, or what an optional wraps, is returned anywhere, also if its conformances are isolated")
  func isolation() async throws {
    container.register {
      Weak(onMain: Screen(), as: (any Router).self, Screen.self)
      Weak(onMain: Screen() as any Router, named: "existential")
    }
    let container = container
    let screen = await MainActor.run { container.resolve(Screen.self) }
    let named = await MainActor.run { Transfer(container.resolve((any Router).self, named: "existential")) }.value
    await Task.detached {
      #expect((try? container.tryResolve(Screen.self)) === screen)
      #expect((try? container.tryResolve((any Router).self)) === screen)
      #expect((try? container.tryResolve((any Router).self, named: "existential")) != nil)
    }.value
    withExtendedLifetime(named) {}
    do {
      let container = DIContainer()
      let screen = await DIContainer.screen
      let router = await MainActor.run { Transfer(screen(from: container)) }
      await Task.detached {
        let found = try? screen.tryResolve(from: container)
        #expect(found != nil && found === router.value)
      }.value
      withExtendedLifetime(router) {}
    }
  }

  @Test("Of an optional, the instance that it wraps is weak, and nil is not kept", .isolatedContainer(.empty))
  func optionals() throws {
    weak var released: (any Router)?
    do {
      let router = try #require(DIContainer.optional())
      #expect(DIContainer.optional() === router && DIContainer.optional() === router)
      released = router
    }
    #expect(
      released == nil && DIContainer.optional() != nil
        && failure { try DIContainer.player.tryResolve(from: DIContainer.current) }?.code == .notAnObject)
    // An optional that turns out to be nil is handed out and not kept.
    do {
      let calls = CallCounter()
      DIContainer.cache.register { calls.call() < 3 ? nil : DiskCache() }
      #expect(DIContainer.cache() == nil && DIContainer.cache() == nil && calls.count == 2)
      let cache = DIContainer.cache()
      #expect(cache != nil && DIContainer.cache() === cache)
      DIContainer.cache.unregister()
      #expect(DIContainer.cache() == nil)
    }
  }
}
