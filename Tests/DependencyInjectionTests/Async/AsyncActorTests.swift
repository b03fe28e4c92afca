internal import DependencyInjection
internal import Testing

/// Keeps the jobs of an actor until a test runs them.
private final class ManualExecutor: SerialExecutor {
  private let jobs = Monitor<[UnownedJob]>([])

  var count: Int { jobs.change { $0.count } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.change { $0.append(job) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }

  func runLast() {
    let job = jobs.change { $0.removeLast() }
    // Sound: the executor was given the job, and runs it once.
    unsafe job.runSynchronously(on: asUnownedSerialExecutor())
  }
}

@globalActor
private actor Screens {
  static let shared = Screens()
  static let executor = ManualExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe Self.executor.asUnownedSerialExecutor() }
}

private final class ActorScreen: Sendable {}

// One at a time, because they use one executor.
@Suite(.serialized) struct AsyncActorTests {
  @Test("A canceled task creates nothing when the actor gets to it")
  func canceled() async {
    let (container, counter) = (DIContainer(), LifetimeCounter())
    container.register { Shared { @Screens in Tracked(counter) } }
    let task = Task(executorPreference: CountingExecutor()) { try await container.resolveAsync(Tracked.self) }
    await until { Screens.executor.count == 1 }
    task.cancel()
    startThread { Screens.executor.runLast() }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(counter.created == 0)
  }

  /// The request that is on its way to the actor has not yet claimed the creation for which the actor would wait.
  @Test("An actor creates what another task is about to ask it for")
  func aboutToAsk() async throws {
    let container = DIContainer()
    container.register { Shared { @Screens in ActorScreen() } }
    let first = Task(executorPreference: CountingExecutor()) { try await container.resolveAsync(ActorScreen.self) }
    await until { Screens.executor.count == 1 }
    let second = Task(executorPreference: CountingExecutor()) { @Screens in container.resolve(ActorScreen.self) }
    await until { Screens.executor.count == 2 }
    startThread {
      Screens.executor.runLast()
      Screens.executor.runLast()
    }
    #expect(try await first.value === second.value)
  }
}
