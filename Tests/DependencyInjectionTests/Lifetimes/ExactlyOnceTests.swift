internal import DependencyInjection
internal import Testing

@Suite(.serialized)
struct ExactlyOnceTests {
  @Test(
    "Threads that race for the first resolution get one instance, each time, and under different aliases and optionals",
    .timeLimit(.minutes(20)))
  func race() {
    let rounds = ModelSeeds.rounds(400)
    let containers = (0..<rounds).map { _ in DIContainer() }
    let counters = (0..<rounds).map { _ in LifetimeCounter() }
    for (container, counter) in zip(containers, counters) {
      container.register(
        Shared {
          spend(milliseconds: 0.1)
          return Tracked(counter)
        })
    }
    let rendezvous = Rendezvous(of: 16)
    let seen = onThreads(16) { _ in
      containers.map { container in
        rendezvous.meet()
        return ObjectIdentifier(container.resolve(Tracked.self))
      }
    }
    for round in 0..<rounds {
      let instances = Set(seen.map { $0[round] })
      #expect(counters[round].created == 1 && instances.count == 1)
    }
    // Racing threads that use different aliases, optionals and children get one instance.
    for _ in 0..<100 {
      let container = DIContainer()
      let calls = CallCounter()
      container.register(
        Shared(
          {
            calls.call()
            spend(milliseconds: 0.1)
            return RouterImpl()
          }, as: (any Router).self, (any DeeplinkHandler).self))
      let seen = onThreads(8) { index in
        switch index % 4 {
        case 0: ObjectIdentifier(container.resolve((any Router).self))
        case 1: ObjectIdentifier(container.resolve((any DeeplinkHandler).self))
        case 2: ObjectIdentifier(container.resolve((any Router)?.self)!)
        default: ObjectIdentifier(DIContainer(parent: container).resolve((any Router).self))
        }
      }
      #expect([Set(seen).count, calls.count] == [1, 1])
    }
  }

  @Test("A factory may wait for a thread that resolves something else, and threads for one that creates others")
  func waitingFactory() {
    let container = DIContainer()
    let isRunning = Event()
    let hasResolved = Event()
    container.register {
      Shared("something else")
      New(5)
      Shared {
        isRunning.signal()
        return hasResolved.wait() ? RouterImpl() as any Router : MockRouter() as any Router
      }
    }
    let results = onThreads(2) { index in
      if index == 0 { return "\(type(of: container.resolve((any Router).self)))" }
      isRunning.wait()
      let text = "\(container.resolve(String.self)) \(container.resolve(Int.self))"
      hasResolved.signal()
      return text
    }
    #expect(results == ["RouterImpl", "something else 5"])
    // Threads may wait for a creation whose owner keeps on creating other things: its frames come and go while others look for
    // a cycle through it.
    for _ in 0..<20 {
      let container = DIContainer()
      let start = Rendezvous(of: 6)
      container.register {
        New { resolve in ConcreteViewModel(id: resolve(String.self)) as any ViewModel }
        New { resolve in "\(resolve(Int.self))" }
        New(1)
        Shared { resolve in
          start.meet()
          for _ in 0..<2_000 { _ = resolve((any ViewModel).self) }
          return RouterImpl() as any Router
        }
      }
      let seen = onThreads(6) { index in
        if index > 0 { start.meet() }
        return ObjectIdentifier(container.resolve((any Router).self))
      }
      #expect(Set(seen).count == 1)
    }
  }
}
