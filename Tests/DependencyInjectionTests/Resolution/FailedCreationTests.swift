internal import DependencyInjection
internal import Testing

private final class Target: Sendable {}

@MainActor
private final class MainTarget {}

private final class AsyncTarget: Sendable {
  init() async {}
}

/// What a thread creates that waits for a target.
private final class Waiting: Sendable {}

private struct Failed: Error { let call: Int }

/// The target asked for what waits for it before that began to wait.
private struct TooEarly: Error {}

@Suite(.timeLimit(.minutes(20)))
struct FailedCreationTests {
  /// Registers a target whose first creation fails, once a closure has returned.
  private func registerTarget(
    in container: DIContainer, _ calls: CallCounter, _ beforeFailing: @escaping @Sendable (Resolver) -> Void
  ) {
    container.register(
      Shared { resolve in
        let call = calls.call()
        if call > 1 { return Target() }
        beforeFailing(resolve)
        throw Failed(call: call)
      })
  }

  /// Lets a thread create the target, and the factory fail once three tasks wait for it.
  private func failOnThread(
    in container: DIContainer, _ isRunning: Flag, _ mayFail: Event
  ) async -> (creating: Task<Target, any Error>, waiting: [Task<Target, any Error>]) {
    let creating = Task { try await onOwnThread { try container.tryResolve(Target.self) } }
    await until { isRunning.isSet }
    let executor = CountingExecutor()
    let waiting = (0..<3).map { _ in
      Task(executorPreference: executor) { try await container.resolveAsync(Target.self) }
    }
    await until { executor.isIdle }
    mayFail.signal()
    return (creating, waiting)
  }

  @Test("Each thread that waits for a creation gets its error, and the next request creates anew")
  func threads() throws {
    let (container, calls, isRunning) = (DIContainer(), CallCounter(), Event())
    let names: [DependencyName] = ["a", "b", "c"]
    registerTarget(in: container, calls) { resolve in
      isRunning.signal()
      // Asking for what another thread creates is a cycle only if that thread waits for this one. So this
      // knows that it does.
      for name in names {
        while failure(of: { try resolve.tryResolve(Waiting.self, named: name) })?.code != .cycle { letOthersRun() }
      }
    }
    container.register {
      for name in names {
        Shared(
          { resolve in
            if let error = failure(of: { try resolve.tryResolve(Target.self) }) {
              if error.code == .cycle { throw TooEarly() }
              throw error
            }
            return Waiting()
          }, named: name)
      }
    }
    let errors = onThreads(names.count + 1) { index -> ResolutionError? in
      if index == 0 { return failure { try container.tryResolve(Target.self) } }
      isRunning.wait()
      while true {
        let error = failure { try container.tryResolve(Waiting.self, named: names[index - 1]) }
        if !(error?.underlyingError is TooEarly) { return error }
      }
    }
    #expect(
      errors.allSatisfy { $0?.code == .factoryFailed && ($0?.underlyingError as? Failed)?.call == 1 }
        && calls.count == 1)
    for name in names { #expect(failure { try container.tryResolve(Waiting.self, named: name) } == nil) }
    #expect(calls.count == 2)
  }

  @Test("Each task that waits for the creation of a thread gets its error, and blocks no thread meanwhile")
  func tasksOfThread() async throws {
    try await watched {
      let (container, calls) = (DIContainer(), CallCounter())
      let (isRunning, mayFail) = (Flag(), Event())
      registerTarget(in: container, calls) { _ in
        isRunning.set()
        mayFail.wait()
      }
      let (creating, waiting) = await failOnThread(in: container, isRunning, mayFail)
      for task in [creating] + waiting {
        let error = await #expect(throws: ResolutionError.self) { try await task.value }
        #expect((error?.underlyingError as? Failed)?.call == 1)
      }
      #expect(calls.count == 1)
      let target = try await container.resolveAsync(Target.self)
      #expect(container.resolve(Target.self) === target && calls.count == 2)
    }
  }

  @Test("A task that waits for what a thread cannot create where it is creates it", arguments: [true, false])
  func elsewhere(isActor: Bool) async throws {
    try await watched {
      let (container, calls) = (DIContainer(), CallCounter())
      let (isRunning, mayFail) = (Flag(), Event())
      container.register {
        New(onMain: MainTarget())
        Shared { resolve in
          if calls.call() > 1 { return Target() }
          isRunning.set()
          mayFail.wait()
          if isActor { _ = try resolve.tryResolve(MainTarget.self) }
          _ = try resolve.tryResolve(AsyncTarget.self)
          return Target()
        }
        Shared { await AsyncTarget() }
      }
      let (creating, waiting) = await failOnThread(in: container, isRunning, mayFail)
      let error = await #expect(throws: ResolutionError.self) { try await creating.value }
      #expect(error?.code == (isActor ? .wrongActor : .asynchronous))
      for task in waiting {
        let target = try await task.value
        #expect(target === container.resolve(Target.self))
      }
      #expect(calls.count == 2)
    }
  }

  @Test("Each task that waits for an asynchronous creation gets its error, but one that is canceled leaves before")
  func tasksOfTask() async throws {
    try await watched {
      let (container, calls) = (DIContainer(), CallCounter())
      let (isRunning, mayFail) = (AsyncSignal(), AsyncSignal())
      container.register(
        Shared { _ in
          let call = calls.call()
          if call > 1 { return Target() }
          isRunning.open()
          try await mayFail.wait()
          throw Failed(call: call)
        })
      let first = Task { try await container.resolveAsync(Target.self) }
      try await isRunning.wait()
      let executor = CountingExecutor()
      let waiting = (0..<3).map { _ in
        Task(executorPreference: executor) { try await container.resolveAsync(Target.self) }
      }
      await until { executor.isIdle }
      waiting[0].cancel()
      await #expect(throws: CancellationError.self) { try await waiting[0].value }
      mayFail.open()
      for task in [first, waiting[1], waiting[2]] {
        let error = await #expect(throws: ResolutionError.self) { try await task.value }
        #expect((error?.underlyingError as? Failed)?.call == 1)
      }
      #expect(calls.count == 1)
      let target = try await container.resolveAsync(Target.self)
      #expect(container.resolve(Target.self) === target && calls.count == 2)
    }
  }

  @Test("What was created before the failure stays, and what failed is nowhere in between")
  func parts() throws {
    let (container, calls) = (DIContainer(), CallCounter())
    container.register {
      Shared(Waiting())
      Shared { resolve in
        _ = resolve(Waiting.self)
        if calls.call() < 3 { throw Failed(call: calls.count) }
        return Target()
      }
    }
    for call in 1...2 {
      let error = try #require(failure { try container.tryResolve(Target?.self) })
      #expect((error.underlyingError as? Failed)?.call == call && error.path == ["Target"])
    }
    let waiting = container.resolve(Waiting.self)
    let target = container.resolve(Target.self)
    #expect(
      container.resolve(Target?.self) === target && container.resolve(Waiting.self) === waiting && calls.count == 3)
  }
}
