internal import DependencyInjection
internal import Testing

@Suite("Exactly once, without blocking", .serialized)
struct ExactlyOnceTests {
  @Test(
    "16 threads that race for the first resolve get one instance, in each of 1,000 rounds",
    .timeLimit(.minutes(20)))
  func race() {
    let rounds = 1_000
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
      #expect(counters[round].created == 1)
      #expect(Set(seen.map { $0[round] }).count == 1)
    }
  }

  @Test("Racing threads that use different aliases, optionals and children get one instance")
  func raceOfForms() {
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
      #expect(Set(seen).count == 1)
      #expect(calls.count == 1)
    }
  }

  @Test("Factories of 8 unrelated types run at the same time on 8 threads", .timeLimit(.minutes(20)))
  func unrelated() {
    let (container, rendezvous) = (DIContainer(), Rendezvous(of: 8))
    register8(container, rendezvous)
    let haveMet = onThreads(8) { index in
      switch index {
      case 0: container.resolve(Slow<Int>.self).hasMet
      case 1: container.resolve(Slow<Int8>.self).hasMet
      case 2: container.resolve(Slow<Int16>.self).hasMet
      case 3: container.resolve(Slow<Int32>.self).hasMet
      case 4: container.resolve(Slow<Int64>.self).hasMet
      case 5: container.resolve(Slow<UInt>.self).hasMet
      case 6: container.resolve(Slow<UInt8>.self).hasMet
      default: container.resolve(Slow<UInt16>.self).hasMet
      }
    }
    #expect(haveMet == Array(repeating: true, count: 8))
  }

  private struct Slow<Index> {
    /// A Boolean value that indicates whether the factories of all types have run at the same time.
    let hasMet: Bool
  }

  private func register8(_ container: DIContainer, _ rendezvous: Rendezvous) {
    func slow<Index>(_: Index.Type) -> Shared {
      Shared { Slow<Index>(hasMet: rendezvous.meet()) }
    }
    container.register {
      slow(Int.self)
      slow(Int8.self)
      slow(Int16.self)
      slow(Int32.self)
      slow(Int64.self)
      slow(UInt.self)
      slow(UInt8.self)
      slow(UInt16.self)
    }
  }

  @Test("A factory may wait for another thread that resolves something else")
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
  }

  @Test("While a factory runs, other threads register, override, unregister and reset")
  func registeringMeanwhile() {
    let container = DIContainer()
    let isRunning = Event()
    let mayFinish = Event()
    container.register(
      Shared {
        isRunning.signal()
        mayFinish.wait()
        return RouterImpl() as any Router
      })
    let router = onThreads(2) { index in
      if index == 0 { return container.resolve((any Router).self) is RouterImpl }
      isRunning.wait()
      container.register(Shared(1))
      let first = container.resolve(Int.self)
      container.register(Shared(2))
      let second = container.resolve(Int.self)
      container.unregister(Int.self)
      let third = container.resolve(Int?.self)
      mayFinish.signal()
      return first == 1 && second == 2 && third == nil
    }
    #expect(router == [true, true])
  }

  @Test("Registering while other threads resolve the same and other types")
  func registeringAndResolving() {
    let container = DIContainer()
    container.register {
      Shared(RouterImpl() as any Router)
      Shared(AppConfigurationImpl("0") as any AppConfiguration)
      New { resolve in ConcreteViewModel(id: resolve((any AppConfiguration).self).name) as any ViewModel }
    }
    let isDone = Flag()
    let failures = onThreads(4) { index in
      var failures = 0
      if index == 0 {
        for round in 0..<2_000 {
          container.register(Shared(AppConfigurationImpl("\(round)") as any AppConfiguration))
          container.register(Shared(round))
        }
        isDone.set()
      } else {
        var last = 0
        while !isDone.isSet {
          let id = Int(container.resolve((any ViewModel).self).id) ?? -1
          if id < 0 || !(container.resolve((any Router).self) is RouterImpl) { failures += 1 }
          let round = container.resolve(Int?.self) ?? 0
          if round < last { failures += 1 }
          last = round
        }
      }
      return failures
    }
    #expect(failures == [0, 0, 0, 0])
    #expect(container.resolve(Int.self) == 1_999)
  }

  @Test("A Shared factory that fails is not cached: the next resolve tries again")
  func failing() {
    struct Failure: Error {}
    let container = DIContainer()
    let calls = CallCounter()
    container.register(
      Shared { () throws -> any Router in
        if calls.call() < 3 { throw Failure() }
        return RouterImpl()
      })
    for _ in 0..<2 {
      let error = failure { try container.tryResolve((any Router).self) }
      #expect(error?.code == .factoryFailed)
      #expect(error?.underlyingError is Failure)
    }
    #expect(failure { try container.tryResolve((any Router).self) } == nil)
    #expect(container.resolve((any Router).self) === container.resolve((any Router).self))
    #expect(calls.count == 3)
  }

  @Test("Threads that wait for a creation that fails get its error, and the next request creates anew")
  func failingWhileOthersWait() {
    struct Failure: Error { let call: Int }
    let threads = 8
    var isShared = false
    // Nothing says that a thread waits, so until one has: if each of them tried for itself, none ever would.
    for _ in 0..<10_000 where !isShared {
      let container = DIContainer()
      let (calls, overlaps) = (CallCounter(), CallCounter())
      let (running, asking) = (CallCounter(), Monitor(0))
      container.register(
        Shared { () throws -> any Router in
          if running.call() - calls.count != 1 { overlaps.call() }
          asking.wait { $0 == threads }
          throw Failure(call: calls.call())
        })
      let ask = { @Sendable in
        (failure { try container.tryResolve((any Router).self) }?.underlyingError as? Failure)?.call ?? 0
      }
      let seen = onThreads(threads) { _ in
        asking.change { $0 += 1 }
        return ask()
      }
      // Each error is that of a creation, and each creation has failed for the thread that has begun it.
      #expect(Set(seen) == Set(1...calls.count))
      #expect(overlaps.count == 0)
      isShared = calls.count < threads
      let before = calls.count
      #expect(ask() == before + 1 && calls.count == before + 1)
    }
    #expect(isShared)
  }

  @Test("Whoever has requested an instance whose creation is reset gets it, and nothing keeps it")
  func resetWhileOthersWait() {
    let container = DIContainer()
    let calls = CallCounter()
    let isRunning = Event()
    let mayFinish = Event()
    container.register(
      Shared {
        if calls.call() == 1 {
          isRunning.signal()
          mayFinish.wait()
        }
        return RouterImpl() as any Router
      })
    // The instances and not their identities, so that the second cannot get the address of the first.
    let seen = onThreads(2) { index -> (any Router)? in
      if index == 0 { return container.resolve((any Router).self) }
      isRunning.wait()
      container.reset()
      mayFinish.signal()
      return nil
    }
    let next = container.resolve((any Router).self)
    #expect(seen[0] != nil && seen[0] !== next)
    #expect(container.resolve((any Router).self) === next)
    #expect(calls.count == 2)
  }

  @Test("Threads may wait for a creation whose owner keeps on creating other things")
  func busyOwner() {
    // The owner's frames come and go while others look for a cycle through it.
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
