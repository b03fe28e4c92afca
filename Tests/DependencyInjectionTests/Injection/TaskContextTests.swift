@testable internal import DependencyInjection
internal import Synchronization
internal import Testing

#if os(macOS) || os(Linux)
  // In a process of its own, because the contexts of other tests would be counted.
  struct TaskContextTests {
    @Test(
      "A context ends with what it is for: a scope, the last task that carries it, a factory, even one that is skipped",
      .exitTest, .timeLimit(.minutes(20)))
    func ends() async {
      await #expect(processExitsWith: .success) {
        await Self.scopes()
        await Self.tasks()
        await Self.factories()
        await Self.madeCurrent()
        await Self.waitForNone()
        LostContextTests.check(.shared)
        await Self.waitForNone()
        Self.exception()
      }
    }

    private static var count: Int { Circumstances.count.load(ordering: .relaxed) }

    /// Waits until the process has no context; tasks that have ended may be about to release theirs.
    private static func waitForNone() async {
      // As often as takes minutes, so that nobody has to end the process.
      for _ in 0..<200_000_000 {
        if count == 0 { return }
        await Task.yield()
      }
      preconditionFailure("\(count) contexts are left.")
    }

    private final class Owner: @unchecked Sendable {
      @LazyInject var number: Int
    }

    private final class Worker: Sendable {
      let task = Task { Owner() }
    }

    /// A lazy property notes the shared container where it was made current, or is in a task of what that keeps.
    private static func madeCurrent() async {
      let other = DIContainer()
      DIContainer.shared.register(Shared(1))
      other.register(Shared(2))
      let owner = DIContainer.withCurrent(.shared) { Owner() }
      let elsewhere = Owner()
      DIContainer.withCurrent(other) { precondition(owner.number == 1 && elsewhere.number == 2) }
      DIContainer.shared.register(Shared(Worker()))
      let ofTask = await DIContainer.resolve(Worker.self).task.value
      DIContainer.withCurrent(other) { precondition(ofTask.number == 1) }
    }

    /// After a factory whose frames an exception of Objective-C has skipped; it ends the process.
    private static func exception() -> Never {
      let (container, calls) = (DIContainer.shared, CallCounter())
      let first = Monitor<CallCounter?>(nil)
      container.register {
        PerGraph(CallCounter())
        Shared { resolve -> Int in
          let ofGraph = resolve(CallCounter.self)
          if calls.call() == 2 {
            precondition(first.change { $0 } !== ofGraph, "the graph has ended with the factories")
            return 2
          }
          first.change { $0 = ofGraph }
          precondition(DIContainer.isCreating)
          DIContainer.forgetFactories()
          // This frame, which would end the creation a second time, stays forever.
          precondition(!DIContainer.isCreating)
          precondition(container.resolve(Int.self) == 2)
          precondition(onAnotherThread { container.resolve(Int.self) } == 2)
          precondition(!DIContainer.isCreating)
          endProcess()
        }
      }
      _ = container.resolve(Int.self)
      preconditionFailure("The factory has come to its end.")
    }

    /// After a scope, synchronous or not, and after a closure that escaping has made.
    private static func scopes() async {
      let container = DIContainer()
      precondition(count == 0)
      DIContainer.withCurrent(container) {
        precondition(count == 1)
        DIContainer.withOverrides {
          Shared(1)
        } perform: {
          precondition(count == 2 && DIContainer.resolve(Int.self) == 1)
        }
        precondition(DIContainer.current == container)
      }
      precondition(count == 0)
      await DIContainer.withCurrent(container) {
        await Task.yield()
        precondition(count == 1 && DIContainer.current == container)
      }
      precondition(count == 0 && DIContainer.current == DIContainer.shared)
      // A closure that escaping has made keeps the container, and makes it current only when it is called.
      container.register(Shared("other"))
      let read = DIContainer.withCurrent(container) { DIContainer.escaping { DIContainer.resolve(String.self) } }
      precondition(count == 0 && read() == "other")
      precondition(count == 0)
    }

    /// After the last task that carries the container of a scope.
    private static func tasks() async {
      DIContainer.register(Shared("shared"))
      let (signal, isReading) = (AsyncSignal(), AsyncSignal())
      let task = DIContainer.withOverrides {
        Shared("overridden")
      } perform: {
        Task {
          await withTaskGroup(of: String.self) { group in
            group.addTask {
              isReading.open()
              try? await signal.wait()
              return DIContainer.resolve()
            }
            return await group.next()!
          }
        }
      }
      try? await isReading.wait()
      // The scope has ended, and a task still carries its container.
      precondition(count == 1)
      precondition(DIContainer.resolve(String.self) == "shared")
      signal.open()
      let text = await task.value
      precondition(text == "overridden")
      await waitForNone()
      precondition(DIContainer.resolve(String.self) == "shared")
    }

    /// After a factory: of a container that is not current, of what is kept, asynchronous.
    private static func factories() async {
      struct Failure: Error {}
      let container = DIContainer()
      container.register {
        New { "\(DIContainer.current == container)" }
        // What tasks of its factory inherit is a context.
        Shared { count }
        Shared { () async in Double(count) }
        New { () throws -> Float in throw Failure() }
        Shared { () async throws -> UInt8 in throw Failure() }
        PerGraph { [DIContainer.current == container] }
      }
      precondition(container.resolve(String.self) == "true")
      precondition(count == 0)
      precondition(container.resolve(Int.self) > 0)
      precondition(count == 0)
      precondition(container.resolve([Bool].self) == [true])
      precondition((try? container.tryResolve(Float.self)) == nil)
      precondition(count == 0)
      let number = try? await container.resolveAsync(Double.self)
      precondition(number.map { $0 > 0 } == true)
      let byte = try? await container.resolveAsync(UInt8.self)
      precondition(byte == nil)
      await waitForNone()
    }
  }
#endif
