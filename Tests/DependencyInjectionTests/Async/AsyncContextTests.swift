internal import DependencyInjection
internal import Testing

/// The type that the parent registers and the child overrides.
private struct Setting { let origin: String }

/// The type that is created for everybody, and that a factory asks for first.
private final class Inner: Sendable {
  let origin: String
  let graphs: [Graphed]
  init(_ origin: String, graphs: [Graphed] = []) {
    self.origin = origin
    self.graphs = graphs
  }
}

/// The type that asks for it first.
private final class Outer: Sendable {}

/// The type that waits for it, and that it asks for.
private final class Ring: Sendable {}

private final class Graphed: Sendable {}

private struct Failed: Error {}

/// How the factory that asked first stops waiting for what it asked for.
private enum Departure: CaseIterable {
  /// The task that resolves is canceled.
  case cancelled

  /// It returns, and a task that it started goes on waiting.
  case returned

  /// It throws, and a task that it started goes on waiting.
  case failed

  /// It throws, which cancels the child task that waits.
  case failedInScope

  /// It returns, which cancels the child task that waits.
  case returnedFromScope

  /// It throws out of a task group, which cancels the child task that waits.
  case failedInGroup
}

/// Two who ask a child, which overrides a setting, for an instance of its parent: a factory, which then goes, and a task.
private final class TwoRequesters: Sendable {
  let parent = DIContainer()
  let child: DIContainer

  /// Holds up the factory of the inner instance until whoever asked first is gone.
  let gate = AsyncGate()

  /// Holds up the factory that asked first until somebody else waits, too.
  let departure = AsyncGate()

  private let strays = Monitor<[Task<Void, Never>]>([])

  init() {
    child = DIContainer(parent: parent)
    parent.register(New(Setting(origin: "parent")))
    child.register(New(Setting(origin: "child")))
  }

  private func register(_ way: Departure) {
    let (departure, strays) = (departure, strays)
    let ask = { @Sendable (resolve: Resolver) in _ = try? await resolve.resolveAsync(Inner.self) }
    parent.register(
      New { resolve in
        switch way {
        case .cancelled: _ = try await resolve.resolveAsync(Inner.self)
        case .returned, .failed:
          let stray = Task { await ask(resolve) }
          strays.change { $0.append(stray) }
          await departure.wait()
          if way == .failed { throw Failed() }
        case .failedInScope, .returnedFromScope:
          async let _: Void = ask(resolve)
          await departure.wait()
          if way == .failedInScope { throw Failed() }
        case .failedInGroup:
          try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await ask(resolve) }
            await departure.wait()
            throw Failed()
          }
        }
        return Outer()
      })
  }

  /// Returns what the second task gets for the instance that the first no longer waits for.
  func secondAnswer(_ way: Departure) async throws -> Inner {
    register(way)
    let child = child
    let first = Task { try await child.resolveAsync(Outer.self) }
    await until { [gate] in gate.waiting == 1 }
    let executor = CountingExecutor()
    let second = Task(executorPreference: executor) { try await child.resolveAsync(Inner.self) }
    await until { executor.isIdle }
    if way == .cancelled { first.cancel() } else { departure.open() }
    let result = await first.result
    switch (way, result) {
    case (.returned, .success), (.returnedFromScope, .success): break
    case (.cancelled, .failure(let error)): #expect(error is CancellationError)
    case (_, .failure(let error)): #expect((error as? ResolutionError)?.underlyingError is Failed)
    default: Issue.record("\(way): \(result)")
    }
    gate.open()
    let inner = await withTaskCancellationHandler {
      await second.result
    } onCancel: {
      second.cancel()
      for stray in strays.change({ $0 }) { stray.cancel() }
    }
    for stray in strays.change({ $0 }) { await stray.value }
    return try inner.get()
  }
}

struct AsyncContextTests {

  @Test(
    "A creation that its requester leaves goes on for its container: what a child overrides never reaches the parent",
    arguments: Departure.allCases)
  fileprivate func override(_ way: Departure) async throws {
    try await watched {
      let requesters = TwoRequesters()
      let gate = requesters.gate
      requesters.parent.register {
        Shared { resolve in
          await gate.wait()
          let origin = try await resolve.resolveAsync(String.self)
          let setting = try resolve.tryResolve(Setting.self)
          return Inner("\(setting.origin) \(origin) \(DIContainer.current == requesters.parent)")
        }
        Shared { resolve in
          await Task.yield()
          let setting = try resolve.tryResolve(Setting.self)
          return "\(setting.origin) \(DIContainer.current == requesters.parent)"
        }
      }
      let inner = try await requesters.secondAnswer(way)
      #expect(inner.origin == "parent parent true true")
      #expect(try await requesters.child.resolveAsync(Inner.self) === inner)
      #expect(try await requesters.parent.resolveAsync(Inner.self) === inner)
    }
  }

  @Test(
    "A creation for the container that asks goes on for that when its requester leaves",
    arguments: Departure.allCases)
  fileprivate func perContainer(_ way: Departure) async throws {
    try await watched {
      let requesters = TwoRequesters()
      let gate = requesters.gate
      requesters.parent.register(
        Scoped(in: .container) { resolve in
          await gate.wait()
          return Inner(try resolve.tryResolve(Setting.self).origin)
        })
      let own = try await requesters.secondAnswer(way)
      let other = try await requesters.parent.resolveAsync(Inner.self)
      #expect(own.origin == "child" && other.origin == "parent")
      #expect(try await requesters.child.resolveAsync(Inner.self) === own)
      #expect(try await requesters.parent.resolveAsync(Inner.self) === other)
    }
  }

  @Test(
    "What a child decorates asynchronously does not see the child, even for a task of the parent's factory")
  func decorated() async throws {
    let parent = DIContainer()
    let child = DIContainer(parent: parent)
    parent.register {
      Shared(Setting(origin: "parent"))
      Shared { Inner(DIContainer.resolve(Setting.self).origin) }
      Shared { Task { try await child.resolveAsync(Inner.self) } }
    }
    child.register {
      Shared(Setting(origin: "child"))
      Decorated(Inner.self) { inner, _ async in
        await Task.yield()
        return Inner("\(inner.origin) in \(DIContainer.resolve(Setting.self).origin)")
      }
    }
    let task: Task<Inner, any Error> = parent.resolve()
    #expect(try await task.value.origin == "parent in child")
  }

  @Test("A cycle through a creation that its requester has left is found", arguments: Departure.allCases)
  fileprivate func cycle(_ way: Departure) async throws {
    try await watched(progress: { "\(way): Inner waits for Ring, which waits for Inner" }) {
      let requesters = TwoRequesters()
      let gate = requesters.gate
      requesters.parent.register {
        Shared { resolve in
          await gate.wait()
          _ = try await resolve.resolveAsync(Ring.self)
          return Inner("")
        }
        Shared { resolve in
          _ = try await resolve.resolveAsync(Inner.self)
          return Ring()
        }
      }
      #expect(await asyncFailure { try await requesters.secondAnswer(way) }?.code == .cycle)
    }
  }

  @Test(
    "The graph of a creation that its requester leaves has one PerGraph instance, synchronous or not",
    arguments: Departure.allCases, [false, true])
  fileprivate func graph(_ way: Departure, isAsync: Bool) async throws {
    try await watched {
      let requesters = TwoRequesters()
      let gate = requesters.gate
      if isAsync {
        requesters.parent.register(
          PerGraph { (_: Resolver) async in
            await Task.yield()
            return Graphed()
          })
      } else {
        requesters.parent.register(PerGraph { Graphed() })
      }
      requesters.parent.register(
        Shared { resolve in
          let before = try await resolve.resolveAsync(Graphed.self)
          await gate.wait()
          let after = [try await resolve.resolveAsync(Graphed.self), try await resolve.resolveAsync(Graphed.self)]
          return Inner("", graphs: [before] + after)
        })
      let graphs = try await requesters.secondAnswer(way).graphs
      #expect(graphs[1] === graphs[2] && graphs[0] === graphs[1])
    }
  }

  @Test("A creation does not keep the container of a child that asked first and was then released")
  func requester() async throws {
    for _ in 1...100 {
      let (parent, gate, begin) = (DIContainer(), AsyncGate(), AsyncSignal())
      parent.register(
        Shared { _ in
          begin.open()
          await gate.wait()
          return Ring()
        })
      var child: DIContainer? = DIContainer(parent: parent)
      weak let ended = child
      let request = DIContainer.withCurrent(child!) { Task { try await DIContainer.resolveAsync(Ring.self) } }
      try await begin.wait()
      request.cancel()
      await #expect(throws: CancellationError.self) { try await request.value }
      child = nil
      #expect(ended == nil)
      gate.open()
    }
  }

  @Test("An error is not tried again, neither that of another container nor that of a factory that fails at once")
  func notTriedAgain() async {
    let parent = DIContainer()
    parent.register(Shared { () async in Ring() })
    let child = DIContainer(parent: parent)
    child.register(Shared { try parent.tryResolve(Ring.self) })
    #expect(await asyncFailure { try await child.resolveAsync(Ring.self) }?.code == .asynchronous)
    // A factory that has failed before anybody waits is not called again.
    do {
      let calls = CallCounter()
      for round in 1...3_000 {
        let container = DIContainer()
        container.register(
          Shared { () async throws -> Ring in
            calls.call()
            throw Failed()
          })
        await #expect(throws: ResolutionError.self) { try await container.resolveAsync(Ring.self) }
        #expect(calls.count == round)
      }
    }
  }
}
