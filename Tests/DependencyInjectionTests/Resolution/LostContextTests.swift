internal import DependencyInjection
internal import Testing

private final class Part: Sendable {}

private final class Whole: Sendable {}

private final class Motor: Sendable {
  let task: Task<Motor, any Error>
  init(_ task: Task<Motor, any Error>) { self.task = task }
}

struct LostContextTests {
  @Test("A cycle through a resolver on a thread without a context is an error there")
  func thread() { Self.check(DIContainer()) }

  /// Checks that in a container; `TaskContextTests` does so in the shared one of a process of its own.
  static func check(_ container: DIContainer) {
    let code = Monitor<ResolutionError.Code?>(nil)
    container.register {
      Shared { resolve -> Whole in
        let error = onAnotherThread { failure { try resolve.tryResolve(Part.self) } }
        code.change { $0 = error?.code }
        return Whole()
      }
      New { () throws -> Part in
        _ = try DIContainer.tryResolve(Whole.self)
        return Part()
      }
    }
    _ = container.resolve(Whole.self)
    precondition(code.change { $0 } == .cycle, "The cycle has not been found.")
  }

  @Test("A task that a synchronous factory starts waits for its instance, because the factory cannot wait for the task")
  func task() async throws {
    let container = DIContainer()
    container.register {
      Shared { Motor(Task { try await DIContainer.resolveAsync(Motor.self) }) }
      Shared(
        { () -> Motor in
          // A wait that goes on until the factory has returned would end only now.
          let (isWaiting, isOver) = (Event(), Event())
          let task = Task {
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

  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, visionOS 26.0, *)
  @Test("A task that a factory starts on its own thread, without its context, cannot wait for that factory")
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
}
