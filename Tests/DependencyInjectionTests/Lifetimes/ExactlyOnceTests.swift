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

  @Test("Those who wait for a creation that fails try for themselves, one after the other")
  func failingWhileOthersWait() {
    struct Failure: Error {}
    let container = DIContainer()
    let calls = CallCounter()
    let running = CallCounter()
    let overlaps = CallCounter()
    let finished = CallCounter()
    container.register(
      Shared { () throws -> any Router in
        if running.call() - finished.count != 1 { overlaps.call() }
        defer { finished.call() }
        spend(milliseconds: 2)
        if calls.call() <= 5 { throw Failure() }
        return RouterImpl()
      })
    let results = onThreads(16) { _ in
      do {
        return Transfer(try container.tryResolve((any Router).self) as (any Router)?)
      } catch {
        return Transfer(nil)
      }
    }
    let routers = results.compactMap(\.value)
    #expect(routers.count == 11, "five have failed")
    #expect(Set(routers.map { ObjectIdentifier($0) }).count == 1)
    #expect(calls.count == 6)
    #expect(overlaps.count == 0)
  }

  @Test("A thread that waits for a creation that is reset creates another instance, which is kept")
  func resetWhileOthersWait() {
    let container = DIContainer()
    let calls = CallCounter()
    let isRunning = Event()
    let mayFinish = Event()
    let isWaiting = Event()
    container.register(
      Shared {
        if calls.call() == 1 {
          isRunning.signal()
          mayFinish.wait()
        }
        return RouterImpl() as any Router
      })
    // The instances and not their identities, so that the second cannot get the address of the first.
    let seen = onThreads(3) { index -> (any Router)? in
      switch index {
      case 0: return container.resolve((any Router).self)
      case 1:
        isRunning.wait()
        isWaiting.signal()
        return container.resolve((any Router).self)
      default:
        isWaiting.wait()
        // The second thread is about to wait for the first; there is no way to see that it does.
        spend(milliseconds: 50)
        container.reset()
        mayFinish.signal()
        return nil
      }
    }
    #expect(seen[0] !== seen[1])
    #expect(container.resolve((any Router).self) === seen[1])
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
