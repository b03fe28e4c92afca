internal import DependencyInjection
internal import Testing

extension Scope {
  fileprivate static let session = Scope("session")
  fileprivate static let screen = Scope("screen")
}

struct ScopeTests {
  let container = DIContainer()
  let counter = LifetimeCounter()

  @Test("A scope keeps one instance until it is reset, and what is created meanwhile is made of nothing that it had")
  func reset() {
    let counter = counter
    container.register {
      Scoped(in: .session, Tracked(counter))
      Scoped(in: .screen) { RouterImpl() as any Router }
      Shared(DiskCache() as any Cache)
    }
    #expect(container.resolve(Tracked.self) === container.resolve(Tracked.self))
    let (router, cache) = (container.resolve((any Router).self), container.resolve((any Cache).self))
    container.reset(.session)
    #expect(counter.created == 1 && counter.alive == 0)
    #expect(container.resolve(Tracked.self) === container.resolve(Tracked.self) && counter.created == 2)
    #expect(container.resolve((any Router).self) === router && container.resolve((any Cache).self) === cache)
    DIContainer.withCurrent(container) { DIContainer.reset(.screen) }
    #expect(container.resolve((any Router).self) !== router)
    // What is created while a scope ends is made of nothing that the scope had before.
    do {
      let container = DIContainer()
      final class Credentials: Sendable {}
      final class Client: Sendable {
        let credentials: Credentials
        let atEnd: @Sendable () -> Void
        init(_ credentials: Credentials, atEnd: @escaping @Sendable () -> Void) {
          (self.credentials, self.atEnd) = (credentials, atEnd)
        }
        deinit { atEnd() }
      }
      container.register(Scoped(in: .session, Credentials()))
      let child = DIContainer(parent: container)
      let isFirst = Flag()
      child.register(
        Scoped(in: .session) { [weak child] resolve in
          Client(resolve()) {
            // Asks for the next one in the middle of the reset.
            if !isFirst.isSet { isFirst.set(); _ = child?.resolve(Client.self) }
          }
        })
      _ = child.resolve(Client.self)
      child.reset(.session)
      #expect(isFirst.isSet && child.resolve(Client.self).credentials === container.resolve(Credentials.self))
    }
  }

  @Test("All forms of a registration can be scoped")
  func forms() async throws {
    container.register {
      Scoped(in: .session, SimplePlayer() as any MediaPlayer)
      Scoped(in: .session, RouterImpl(), as: (any Router).self, (any DeeplinkHandler).self)
      Scoped(in: .session, { DiskCache() }, as: (any Cache).self)
      Scoped(in: .session) { resolve in RouterImpl(config: resolve()) }
      Scoped(in: .session, { _, name in AppConfigurationImpl(name) }, as: (any AppConfiguration).self)
      Scoped(in: .session, onMain: Screen(), named: "screen")
      Scoped(in: .session, autowire: { (cache: any Cache) in [ObjectIdentifier(cache)] })
      Scoped(in: .session, MockRouter(), aliases: { $0 as any Router }, named: "checked")
    }
    #expect(
      container.registrations.allSatisfy { $0.lifetime == .scoped(in: .session) }
        && container.resolve((any MediaPlayer).self) is SimplePlayer)
    #expect(container.resolve((any Router).self) === container.resolve((any DeeplinkHandler).self))
    #expect(
      [
        container.resolve((any AppConfiguration).self) { "staging" }.name,
        container.resolve(RouterImpl.self).config?.name,
      ] == ["staging", "staging"])
    #expect(
      container.resolve([ObjectIdentifier].self) == [ObjectIdentifier(container.resolve((any Cache).self))]
        && container.resolve((any Router).self, named: "checked") is MockRouter)
    let container = container
    _ = try await container.resolveAsync(Screen.self, named: "screen")
  }

  @Test("The end of a scope ends it in ancestors, and spares descendants, siblings and other scopes")
  func hierarchy() {
    container.register {
      Scoped(in: .session) { resolve in RouterImpl(config: resolve()) }
      Shared(AppConfigurationImpl() as any AppConfiguration)
    }
    let child = DIContainer(parent: container)
    child.register(Shared(AppConfigurationImpl("child") as any AppConfiguration))
    let router = child.resolve(RouterImpl.self)
    #expect(router.config?.name == "production" && router === container.resolve(RouterImpl.self))
    DIContainer(parent: child).reset(.session)
    let second = container.resolve(RouterImpl.self)
    #expect(second !== router && second === child.resolve(RouterImpl.self))
    container.reset(.session)
    #expect(child.resolve(RouterImpl.self) !== second)
    // The end of a scope spares what descendants and siblings have registered for it, and other scopes.
    do {
      let container = DIContainer()
      let (child, sibling) = (DIContainer(parent: container), DIContainer(parent: container))
      let grandchild = DIContainer(parent: child)
      let all = [container, child, grandchild, sibling]
      for container in all {
        container.register {
          Scoped(in: .session, RouterImpl())
          Scoped(in: .screen, DiskCache())
        }
      }
      let (before, caches) = (all.map { $0.resolve(RouterImpl.self) }, all.map { $0.resolve(DiskCache.self) })
      child.reset(.session)
      let after = all.map { $0.resolve(RouterImpl.self) }
      #expect(zip(before, after).map { $0 === $1 } == [false, false, true, true])
      container.reset(.session)
      let last = all.map { $0.resolve(RouterImpl.self) }
      #expect(
        zip(after, last).map { $0 === $1 } == [false, true, true, true]
          && zip(all, caches).allSatisfy { $0.resolve(DiskCache.self) === $1 })
    }
  }
}
