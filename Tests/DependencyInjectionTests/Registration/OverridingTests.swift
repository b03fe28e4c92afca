internal import DependencyInjection
internal import Testing

struct OverridingTests {
  let container = DIContainer()
  let counter = LifetimeCounter()

  /// A router and a handler that a counter follows.
  final class Instance: Router, DeeplinkHandler {
    let config: (any AppConfiguration)? = nil
    let token: LifetimeToken
    init(_ counter: LifetimeCounter) { token = counter.token() }
  }

  @Test("The newest registration wins, and what it replaces is released with its last alias")
  func newest() {
    container.register(Shared(RouterImpl() as any Router))
    container.register(Shared(MockRouter() as any Router))
    #expect(container.resolve((any Router).self) is MockRouter)
    container.register(Shared(RouterImpl() as any Router))
    #expect(container.resolve((any Router).self) is RouterImpl)
    container.register(New(MockRouter() as any Router))
    #expect(
      container.resolve((any Router).self) is MockRouter
        && container.resolve((any Router).self) !== container.resolve((any Router).self))
    container.register(Shared(RouterImpl() as any Router))
    #expect(container.resolve((any Router).self) === container.resolve((any Router).self))
    // With the last of them and its own type.
    do {
      let container = DIContainer()
      let counter = counter
      container.register(Shared(Instance(counter), as: (any Router).self, (any DeeplinkHandler).self))
      _ = container.resolve((any Router).self)
      _ = container.resolve((any DeeplinkHandler).self)
      container.register(Shared(MockRouter() as any Router))
      #expect(counter.alive == 1)
      container.unregister((any DeeplinkHandler).self)
      #expect(counter.alive == 1, "it is found under its own type")
      container.unregister(Instance.self)
      #expect(counter.alive == 0)
    }
    // A registration whose alias was replaced, and that is made again, keeps its instance.
    do {
      let container = DIContainer()
      let registration = Shared(RouterImpl(), as: (any Router).self)
      container.register(registration)
      let router = container.resolve((any Router).self)
      container.register(Shared(MockRouter() as any Router))
      container.register(registration)
      #expect(container.resolve((any Router).self) === router)
    }
  }

  @Test("A deinit that resolves and registers again neither hangs nor sees the old instance")
  func reentrantDeinit() {
    final class Reentrant: Router {
      let config: (any AppConfiguration)? = nil
      let onDeinit: @Sendable () -> Void
      init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }
      deinit { onDeinit() }
    }
    let container = container
    let seen = CallCounter()
    container.register(
      Shared(
        Reentrant {
          if container.resolve((any Router).self) is MockRouter { seen.call() }
          container.register(Shared("from deinit"))
          container.unregister((any MediaPlayer).self)
        } as any Router))
    _ = container.resolve((any Router).self)
    container.register(Shared(MockRouter() as any Router))
    #expect(seen.count == 1 && container.resolve(String.self) == "from deinit")
  }

  @Test("An instance that is still being created when its registration is replaced is not kept, and not created again")
  func whileWaiting() async throws {
    let (container, counter) = (container, counter)
    let (isCreating, mayFinish) = (Flag(), Event())
    container.register(
      Shared {
        isCreating.set()
        mayFinish.wait()
        return Tracked(counter)
      })
    try await watched {
      let creating = Task { try await onOwnThread { container.resolve(Tracked.self) } }
      await until { isCreating.isSet }
      let executor = CountingExecutor()
      let waiting = Task(executorPreference: executor) { try await container.resolveAsync(Tracked.self) }
      // Then it waits for the first one.
      await until { executor.isIdle }
      let other = LifetimeCounter()
      container.register(Shared(Tracked(other)))
      mayFinish.signal()
      let instances = try await (creating.value, waiting.value)
      #expect(instances.0 === instances.1 && other.created == 0)
      let replacement = container.resolve(Tracked.self)
      #expect(replacement !== instances.0 && container.resolve(Tracked.self) === replacement)
      #expect(counter.created == 1 && other.created == 1)
    }
    // The tasks may be the last to let it go.
    try await watched { await until { counter.alive == 0 } }
  }
}
