internal import DependencyInjection
internal import Testing

/// The requester of a creation, which has the task-local values of the first request.
private enum Requester { @TaskLocal static var name = "nobody" }

private final class Made: Sendable {
  let requester = Requester.name
}

struct AsyncCancellationTests {
  let container = DIContainer()

  @Test("A canceled waiter leaves at once, and the creation is canceled with the last one")
  func waiter() async throws {
    let (gate, counter) = (AsyncGate(), LifetimeCounter())
    container.register(
      Shared { _ in
        await gate.wait()
        try Task.checkCancellation()
        return Tracked(counter)
      })
    let (container, failures) = (container, AsyncResolveTests.Failures())
    container.addObserver(failures)
    let first = Task { try await container.resolveAsync(Tracked.self) }
    await until { gate.waiting == 1 }
    let second = Task { try await container.resolveAsync(Tracked.self) }
    for _ in 0..<100 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    let instance = try await second.value
    #expect(container.resolve(Tracked.self) === instance && counter.created == 1)
    #expect(failures.paths.withLock { $0 }.isEmpty, "a canceled request is no failure")
    // The next one starts another.
    do {
      let container = DIContainer()
      let (gate, counter, cancelled) = (AsyncGate(), LifetimeCounter(), Flag())
      container.register(
        Shared { _ in
          if counter.created == 0, !cancelled.isSet {
            await withTaskCancellationHandler {
              await gate.wait()
            } onCancel: {
              cancelled.set()
              gate.open()
            }
            try Task.checkCancellation()
          }
          return Tracked(counter)
        })
      let only = Task { try await container.resolveAsync(Tracked.self) }
      await until { gate.waiting == 1 }
      only.cancel()
      await #expect(throws: CancellationError.self) { try await only.value }
      await until { cancelled.isSet }
      _ = try await container.resolveAsync(Tracked.self)
      #expect(counter.created == 1)
    }
  }

  @Test("What a thread creates is created once, even if every task that waits for it is canceled")
  func thread() async {
    let (container, calls, hasBegun, mayEnd) = (DIContainer(), CallCounter(), Flag(), Event())
    container.register(
      Shared { () -> Made in
        if calls.call() == 1 {
          hasBegun.set()
          mayEnd.wait()
        }
        return Made()
      })
    let isFound = Flag()
    startThread {
      _ = container.resolve(Made.self)
      isFound.set()
    }
    await until { hasBegun.isSet }
    for _ in 0..<2 {
      let waiter = Task {
        cancelCurrentTask()
        _ = try await container.resolveAsync(Made.self)
      }
      await #expect(throws: CancellationError.self) { try await waiter.value }
    }
    #expect(calls.count == 1)
    mayEnd.signal()
    await until { isFound.isSet }
  }

  @Test("A trace sees one creation, whether the first requester was canceled or another one", arguments: [true, false])
  func traced(isFirst: Bool) async throws {
    let (gate, seen) = (AsyncGate(), Monitor<[ResolutionEvent]>([]))
    container.register(
      Shared { _ in
        await gate.wait()
        return Tracked(LifetimeCounter())
      })
    container.trace { event in seen.change { $0.append(event) } }
    let container = container
    let first = Task { try await container.resolveAsync(Tracked.self) }
    await until { gate.waiting == 1 }
    let executor = CountingExecutor()
    let others = (0..<2).map { _ in
      Task(executorPreference: executor) { try await container.resolveAsync(Tracked.self) }
    }
    // They wait for the same creation.
    await until { executor.isIdle }
    let canceled = isFirst ? first : Task { try await container.resolveAsync(Tracked.self) }
    canceled.cancel()
    await #expect(throws: CancellationError.self) { try await canceled.value }
    gate.open()
    for other in others { _ = try await other.value }
    if !isFirst { _ = try await first.value }
    let events = seen.change { $0 }
    #expect(events.count == (isFirst ? 2 : 3) && events.count(where: \.isCreated) == 1)
  }

  @Test("A factory that returns after its last waiter has left changes nothing for the next ones, nor after a reset")
  func late() async throws {
    for isReset in [false, true] {
      let (container, gate, counter, hasBegun) = (DIContainer(), AsyncGate(), LifetimeCounter(), Flag())
      container.register(
        Shared(
          { () async in
            if !hasBegun.isSet {
              hasBegun.set()
              // Canceling does not end it.
              await gate.wait()
            }
            return Tracked(counter)
          }, as: (any AnyObject & Sendable).self))
      let only = Task { try await container.resolveAsync((any AnyObject & Sendable).self) }
      await until { gate.waiting == 1 }
      only.cancel()
      _ = await only.result
      let kept = try await Task { ObjectIdentifier(try await container.resolveAsync(Tracked.self)) }.value
      #expect(counter.alive == 1)
      if isReset {
        container.reset(Tracked.self)
        await until { counter.alive == 0 }
      }
      gate.open()
      await until { counter.created == 2 && counter.alive == (isReset ? 0 : 1) }
      if !isReset { #expect(ObjectIdentifier(container.resolve((any AnyObject & Sendable).self)) == kept) }
    }
  }

  /// An actor that the test can keep busy.
  @globalActor
  private actor Studio {
    static let shared = Studio()
    static let executor = ThreadExecutor()
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe Self.executor.asUnownedSerialExecutor() }
  }

  @Test("Nothing is kept if the last requester leaves while the instance waits to be converted on its actor")
  func leftBeforeConversion() async throws {
    let counter = LifetimeCounter()
    container.register(
      Shared(
        { @Studio () async in
          Studio.executor.hold()
          return Tracked(counter)
        }, as: (any AnyObject & Sendable).self))
    let container = container
    let only = Task { try await container.resolveAsync(Tracked.self) }
    await until { Studio.executor.hasHeld }
    only.cancel()
    await #expect(throws: CancellationError.self) { try await only.value }
    Studio.executor.release()
    await until { counter.alive == 0 }
    #expect(counter.created == 1 && failure { try container.tryResolve(Tracked.self) }?.code == .asynchronous)
  }

  @Test(
    "What a canceled factory returns is not kept, nor what a decorator would have wrapped", arguments: [false, true])
  func fallback(isDecorated: Bool) async throws {
    let (gate, counter, seen) = (AsyncGate(), LifetimeCounter(), Monitor<[ResolutionEvent]>([]))
    container.register(
      Shared { () async in
        // Canceling does not end it.
        await gate.wait()
        return Tracked(counter)
      })
    if isDecorated { container.decorate(Tracked.self) { tracked, _ async in tracked } }
    let container = container
    let only = Task { try await container.resolveAsync(Tracked.self) }
    await until { gate.waiting == 1 }
    only.cancel()
    await #expect(throws: CancellationError.self) { try await only.value }
    container.trace { event in seen.change { $0.append(event) } }
    gate.open()
    await until { counter.created == 1 && counter.alive == 0 }
    #expect(failure { try container.tryResolve(Tracked.self) }?.code == .asynchronous)
    _ = try await container.resolveAsync(Tracked.self)
    #expect(counter.created == 2 && counter.alive == 1)
    // Nobody has got the first one.
    #expect(seen.change { $0.count(where: \.isCreated) } == 1)
  }

  @Test("A factory that throws a CancellationError although nobody was canceled has failed")
  func notCancelled() async throws {
    container.register {
      Shared { () async throws -> Tracked in throw CancellationError() }
      New { resolve in (try await resolve.resolveAsync(Tracked.self), 1) }
    }
    let (container, line) = (container, #line - 3)
    for _ in 0..<2 {
      let error = await #expect(throws: ResolutionError.self) { try await container.resolveAsync((Tracked, Int).self) }
      #expect(
        error?.code == .factoryFailed && error?.underlyingError is CancellationError
          && error.map { "\($0.registration!)" } == place(line))
    }
    let found = await #expect(throws: VerificationError.self) { try await container.verify() }
    #expect(found?.failures.map(\.code) == [.factoryFailed])
  }

  @Test("An error that the factory of a New throws because its task is canceled is a failure with that error")
  func ownError() async {
    struct Interrupted: Error {}
    container.register(
      New { () async throws -> Made in
        while !Task.isCancelled { await Task.yield() }
        throw Interrupted()
      })
    let container = container
    let task = Task { try await container.resolveAsync(Made.self) }
    task.cancel()
    let error = await #expect(throws: ResolutionError.self) { try await task.value }
    #expect(error?.code == .factoryFailed && error?.underlyingError is Interrupted)
  }

  @Test("A canceled task gets what a synchronous factory creates, because it does not wait for that")
  func synchronous() async throws {
    container.register {
      Shared(Made())
      New { resolve in [resolve(Made.self).requester] }
    }
    let container = container
    let names = Task {
      cancelCurrentTask()
      return [try await container.resolveAsync(Made.self).requester] + (try await container.resolveAsync([String].self))
    }
    #expect(try await names.value == ["nobody", "nobody"])
  }

  @Test("Canceling half of the waiters at random loses nobody and leaks nothing")
  func random() async throws {
    let counter = LifetimeCounter()
    let container = container
    container.register(
      Shared { _ in
        for _ in 0..<3 { await Task.yield() }
        return Tracked(counter)
      })
    var generator = RepeatableGenerator(seed: 7)
    var served = 0
    for _ in 0..<ModelSeeds.rounds(120) {
      container.reset()
      let tasks = (0..<10).map { _ in Task { try await container.resolveAsync(Tracked.self) } }
      let victims = Set((0..<5).map { _ in Int.random(in: 0..<10, using: &generator) })
      for victim in victims { tasks[victim].cancel() }
      for (index, task) in tasks.enumerated() {
        switch await task.result {
        case .success: served += 1
        case .failure(let error): #expect(error is CancellationError && victims.contains(index))
        }
      }
    }
    #expect(served >= 5 * ModelSeeds.rounds(120))
    container.reset()
    await until { counter.alive == 0 }
  }

  /// How something is registered that is created once for everybody who asks.
  enum Life: CaseIterable { case shared, weak, scoped }

  private static func register(
    _ life: Life, in container: DIContainer, _ make: @escaping @Sendable (Resolver) async throws -> Made
  ) {
    switch life {
    case .shared: container.register(Shared { resolve in try await make(resolve) })
    case .weak: container.register(Weak { resolve in try await make(resolve) })
    case .scoped: container.register(Scoped(in: Scope("s")) { resolve in try await make(resolve) })
    }
  }

  @Test("A task that is already canceled starts no creation, not even in a graph")
  func cancelledBefore() async throws {
    for life in Life.allCases {
      let (container, gate, calls) = (DIContainer(), AsyncGate(), CallCounter())
      Self.register(life, in: container) { _ in
        calls.call()
        if Requester.name == "cancelled" { await gate.wait() }
        return Made()
      }
      let cancelled = Task {
        cancelCurrentTask()
        return try await Requester.$name.withValue("cancelled") { try await container.resolveAsync(Made.self) }
      }
      await #expect(throws: CancellationError.self) { try await cancelled.value }
      // What the first had started would be what the second waits for.
      let executor = CountingExecutor()
      let second = Task(executorPreference: executor) {
        try await Requester.$name.withValue("second") { try await container.resolveAsync(Made.self) }
      }
      await until { executor.isIdle }
      gate.open()
      let made = try await second.value
      #expect(made.requester == "second" && calls.count == 1)
    }
    // Inside of a graph.
    do {
      let (container, gate, calls) = (DIContainer(), AsyncGate(), CallCounter())
      container.register {
        PerGraph { (_: Resolver) async in
          calls.call()
          await gate.wait()
          return Made()
        }
        New { resolve in
          let cancelled = Task {
            cancelCurrentTask()
            return try await Requester.$name.withValue("cancelled") { try await resolve.resolveAsync(Made.self) }
          }
          await #expect(throws: CancellationError.self) { try await cancelled.value }
          let executor = CountingExecutor()
          let second = Task(executorPreference: executor) {
            try await Requester.$name.withValue("second") { try await resolve.resolveAsync(Made.self) }
          }
          await until { executor.isIdle }
          gate.open()
          return [try await second.value.requester]
        }
      }
      #expect(try await container.resolveAsync([String].self) == ["second"])
      #expect(calls.count == 1)
    }
  }

  @Test("A task that is canceled at any moment leaves no creation behind that nobody cancels")
  func cancelledAtAnyMoment() async throws {
    var generator = RepeatableGenerator(seed: 7)
    var leftBehind = 0
    for _ in 0..<ModelSeeds.rounds(80) {
      let (container, gate, begun) = (DIContainer(), AsyncGate(), Flag())
      container.register(
        Shared { _ in
          if Requester.name == "cancelled" {
            await withTaskCancellationHandler {
              await gate.wait()
            } onCancel: {
              gate.open()
            }
            try Task.checkCancellation()
          }
          return Made()
        })
      let first = Task {
        begun.set()
        return try await Requester.$name.withValue("cancelled") { try await container.resolveAsync(Made.self) }
      }
      // About as long as it takes the task to look, to start the creation, and to begin to wait.
      let pause = Int.random(in: 0..<400, using: &generator)
      try await onOwnThread {
        while !begun.isSet { letOthersRun() }
        for _ in 0..<pause { _ = begun.isSet }
        first.cancel()
      }
      await #expect(throws: CancellationError.self) { try await first.value }
      let executor = CountingExecutor()
      let second = Task(executorPreference: executor) {
        try await Requester.$name.withValue("second") { try await container.resolveAsync(Made.self) }
      }
      await until { executor.isIdle }
      // So that this ends even if the second waits for what was left behind.
      gate.open()
      if try await second.value.requester != "second" { leftBehind += 1 }
    }
    #expect(leftBehind == 0)
  }
}
