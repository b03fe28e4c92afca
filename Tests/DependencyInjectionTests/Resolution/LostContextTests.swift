internal import DependencyInjection
internal import Testing

private final class Part: Sendable {}

private protocol Converted {
  var failure: ResolutionError? { get }
}

private struct Conversion: Converted {
  let failure: ResolutionError?
  init(_: PartToConvert) { self.failure = DependencyInjectionTests.failure { try DIContainer.tryResolve(Whole.self) } }
}

private final class PartToConvert: Sendable {}

private final class PartElsewhere: Sendable {}

private final class Whole: Sendable {
  let motor: Motor?
  init(_ motor: Motor? = nil) { self.motor = motor }
}

private final class Motor: Sendable {
  let task: Task<Motor, any Error>
  init(_ task: Task<Motor, any Error>) { self.task = task }
}

struct LostContextTests {
  @Test("A cycle through a resolver on a thread without a context is an error there")
  func thread() { Self.check(DIContainer()) }

  /// Checks that in a container; `TaskContextTests` does so in the shared one of a process of its own.
  static func check(_ container: DIContainer) {
    let ways: [@Sendable (Resolver) -> ResolutionError?] = [
      // The thread has the resolver, and what it resolves has none.
      { resolve in onAnotherThread { failure { try resolve.tryResolve(Part.self) } } },
      // The thread has the resolver of what the factory resolves without one.
      // The second time, a table has the factory of that.
      { _ in (1...2).map { _ in failure { try DIContainer.tryResolve(PartElsewhere.self) } }[1] },
      // The thread converts what the factory has created.
      { resolve in onAnotherThread { resolve.resolve((any Converted).self).failure } },
      // The thread has a closure.
      { _ in onAnotherThread(DIContainer.escaping { failure { try DIContainer.tryResolve(Whole.self) } }) },
    ]
    for way in ways {
      let code = Monitor<ResolutionError.Code?>(nil)
      container.register {
        Shared { resolve -> Whole in
          let error = way(resolve)
          code.change { $0 = error?.code }
          return Whole()
        }
        New(PartToConvert(), aliases: { Conversion($0) as any Converted })
        New { () throws -> Part in
          _ = try DIContainer.tryResolve(Whole.self)
          return Part()
        }
        New { resolve throws -> PartElsewhere in
          if let error = onAnotherThread({ failure { try resolve.tryResolve(Whole.self) } }) { throw error }
          return PartElsewhere()
        }
      }
      _ = container.resolve(Whole.self)
      precondition(code.change { $0 } == .cycle, "The cycle has not been found.")
    }
  }

  /// The ways in which a synchronous factory starts a task.
  enum Start: CaseIterable {
    case inherited, detached, ofClosure, onThread

    fileprivate func callAsFunction(
      _ work: @escaping @concurrent @Sendable () async throws -> Motor
    ) -> Task<Motor, any Error> {
      switch self {
      case .inherited: Task(operation: work)
      case .detached: Task.detached(operation: DIContainer.escaping(work))
      case .ofClosure: onAnotherThread(DIContainer.escaping { Task(operation: work) })
      case .onThread: onAnotherThread { [escaping = DIContainer.escaping(work)] in Task(operation: escaping) }
      }
    }
  }

  @Test(
    "A task that a synchronous factory starts waits for its instance, because the factory cannot wait for the task",
    arguments: Start.allCases)
  func task(start: Start) async throws {
    let container = DIContainer()
    container.register {
      Shared { Motor(start { try await DIContainer.resolveAsync(Motor.self) }) }
      Shared(
        { () -> Motor in
          // A wait that goes on until the factory has returned would end only now.
          let (isWaiting, isOver) = (Event(), Event())
          let task = start {
            defer { isOver.signal() }
            isWaiting.signal()
            return try await DIContainer.resolveAsync(Motor.self, named: "canceled")
          }
          isWaiting.wait()
          task.cancel()
          isOver.wait()
          return Motor(task)
        }, named: "canceled")
    }
    let engine = container.resolve(Motor.self)
    #expect(try await engine.task.value === engine)
    let canceled = try await onOwnThread { container.resolve(Motor.self, named: "canceled") }
    await #expect(throws: CancellationError.self) { try await canceled.task.value }
  }

  @Test("A closure of a synchronous factory that a task calls waits for the instance")
  func closureInTask() async throws {
    let (container, isRunning) = (DIContainer(), Event())
    container.register(
      Shared { () -> Motor in
        let closure = DIContainer.escaping { () -> Motor? in
          isRunning.signal()
          return try? DIContainer.tryResolve(Motor.self)
        }
        let task = Task.detached { try #require(closure()) }
        isRunning.wait()
        // The wait cannot say that it has begun.
        for _ in 0..<1_000 { letOthersRun() }
        return Motor(task)
      })
    let engine = try await onOwnThread { container.resolve(Motor.self) }
    #expect(try await engine.task.value === engine)
  }

  @Test("A task of a factory inside of an asynchronous one does not work for that either")
  func taskOfInnerFactory() async throws {
    let container = DIContainer()
    let (isWaiting, isOver) = (AsyncSignal(), AsyncSignal())
    container.register {
      Shared {
        Motor(
          Task {
            defer { isOver.open() }
            isWaiting.open()
            _ = try await DIContainer.resolveAsync(Whole.self)
            throw CancellationError()
          })
      }
      Shared { () async throws -> Whole in
        let motor = DIContainer.resolve(Motor.self)
        try await isWaiting.wait()
        motor.task.cancel()
        try await isOver.wait()
        return Whole(motor)
      }
    }
    let task = try await container.resolveAsync(Whole.self).motor?.task
    await #expect(throws: CancellationError.self) { try await task?.value }
  }

  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
  @Test("A task that a factory starts detached on its own thread cannot wait for that factory")
  func sameThread() {
    let container = DIContainer()
    let code = Monitor<ResolutionError.Code?>(nil)
    container.register(
      Shared { () -> Whole in
        Task.immediateDetached {
          let error = failure { try container.tryResolve(Whole.self) }
          code.change { $0 = error?.code }
        }
        return Whole()
      })
    _ = container.resolve(Whole.self)
    #expect(code.change { $0 } == .cycle)
    container.removeAll()
  }

  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
  @Test("A task that a factory starts detached on its own thread can await that factory")
  func sameThreadAsync() async throws {
    let container = DIContainer()
    container.register(
      Shared { Motor(Task.immediateDetached { try await container.resolveAsync(Motor.self) }) })
    let engine = container.resolve(Motor.self)
    #expect(try await engine.task.value === engine)
  }
}
