internal import DependencyInjection
internal import Testing

@Suite("Overriding")
struct OverridingTests {
  let container = DIContainer()
  let counter = LifetimeCounter()

  /// A router and a handler that a counter follows.
  final class Instance: Router, DeeplinkHandler {
    let config: (any AppConfiguration)? = nil
    let token: LifetimeToken
    init(_ counter: LifetimeCounter) { token = counter.token() }
  }

  @Test("The newest registration wins, before and after the first resolve")
  func newest() {
    container.register(Shared(RouterImpl() as any Router))
    container.register(Shared(MockRouter() as any Router))
    #expect(container.resolve((any Router).self) is MockRouter)
    container.register(Shared(RouterImpl() as any Router))
    #expect(container.resolve((any Router).self) is RouterImpl)
    container.register(New(MockRouter() as any Router))
    #expect(container.resolve((any Router).self) is MockRouter)
    #expect(container.resolve((any Router).self) !== container.resolve((any Router).self))
    container.register(Shared(RouterImpl() as any Router))
    #expect(container.resolve((any Router).self) === container.resolve((any Router).self))
  }

  @Test("Every kind of replaced value is released when register returns")
  func kinds() {
    let counter = counter
    struct Holder: MediaPlayer { let token: LifetimeToken }
    func check<Value>(_ type: Value.Type, _ make: @escaping @Sendable () -> Value) {
      container.register(Shared { make() })
      _ = container.resolve(type)
      _ = container.resolve(type)
      _ = container.resolve(Value?.self)
      _ = container.resolve(Value?.self)
      #expect(counter.alive == 1, "\(type)")
      container.register(Shared { make() })
      #expect(counter.alive == 0, "\(type)")
      _ = container.resolve(type)
      container.unregister(type)
      #expect(counter.alive == 0, "\(type)")
    }
    check(Tracked.self) { Tracked(counter) }
    check(AnyObject.self) { Tracked(counter) }
    check(Any.self) { Tracked(counter) }
    check((any Router).self) { Instance(counter) }
    check((any Router & DeeplinkHandler).self) { Instance(counter) }
    check((any Sendable).self) { Tracked(counter) }
    check(Holder.self) { Holder(token: counter.token()) }
    check((any MediaPlayer).self) { Holder(token: counter.token()) }
    check([LifetimeToken].self) { [counter.token()] }
    check((Int, LifetimeToken).self) { (1, counter.token()) }
    check((@Sendable () -> Bool).self) {
      let token = counter.token()
      return { token.isIntact }
    }
  }

  @Test("An instance behind two aliases is released with the last of them and its own type")
  func lastAlias() {
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
    #expect(seen.count == 1)
    #expect(container.resolve(String.self) == "from deinit")
  }

  @Test("Registering the same registration again changes nothing")
  func sameRegistrationAgain() {
    let counter = counter
    let registration = Shared(Instance(counter), as: (any Router).self)
    container.register(registration)
    let first = container.resolve((any Router).self)
    container.register(registration)
    container.register {
      registration
      Module(registration)
    }
    #expect(container.resolve((any Router).self) === first && container.resolve(Instance.self) === first)
    #expect(counter.created == 1)
    #expect(container.registrations.map(\.replaced.count) == [0])
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
