internal import DependencyInjection
internal import Testing

@Suite("Cancelling asynchronous resolves")
struct AsyncCancellationTests {
  let container = DIContainer()

  @Test("A cancelled waiter leaves at once, and the others get the instance")
  func waiter() async throws {
    let (gate, counter) = (AsyncGate(), LifetimeCounter())
    container.register(
      Shared { _ in
        await gate.wait()
        try Task.checkCancellation()
        return Tracked(counter)
      })
    let container = container
    let first = Task { try await container.resolveAsync(Tracked.self) }
    await until { gate.waiting == 1 }
    let second = Task { try await container.resolveAsync(Tracked.self) }
    for _ in 0..<100 { await Task.yield() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    gate.open()
    let instance = try await second.value
    #expect(container.resolve(Tracked.self) === instance && counter.created == 1)
  }

  @Test("The creation is cancelled with its last waiter, and the next one starts another")
  func last() async throws {
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
    let container = container
    let only = Task { try await container.resolveAsync(Tracked.self) }
    await until { gate.waiting == 1 }
    only.cancel()
    await #expect(throws: CancellationError.self) { try await only.value }
    await until { cancelled.isSet }
    _ = try await container.resolveAsync(Tracked.self)
    #expect(counter.created == 1)
  }

  @Test("A factory that throws a CancellationError although nobody was cancelled has failed")
  func notCancelled() async throws {
    container.register {
      Shared { () async throws -> Tracked in throw CancellationError() }
      New { resolve in (try await resolve.resolveAsync(Tracked.self), 1) }
    }
    let (container, line) = (container, #line - 3)
    for _ in 0..<2 {
      let error = await #expect(throws: ResolutionError.self) { try await container.resolveAsync((Tracked, Int).self) }
      #expect(error?.code == .factoryFailed && error?.underlyingError is CancellationError)
      #expect(error.map { "\($0.registration!)" } == place(line))
    }
    let found = await #expect(throws: VerificationError.self) { try await container.verify() }
    #expect(found?.failures.map(\.code) == [.factoryFailed])
  }

  @Test("Cancelling half of the waiters at random loses nobody and leaks nothing")
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
    for _ in 0..<1_000 {
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
    #expect(served >= 5_000)
    container.reset()
    await until { counter.alive == 0 }
  }
}
