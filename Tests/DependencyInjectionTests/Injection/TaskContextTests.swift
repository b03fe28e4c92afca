@testable internal import DependencyInjection
internal import Synchronization
internal import Testing

#if os(macOS) || os(Linux)
  // In processes of their own, because the contexts of other tests would be counted.
  struct TaskContextTests {
    /// Waits until the process has no context; tasks that have ended may be about to release theirs.
    private static func waitForNone() async {
      // As often as takes minutes, so that nobody has to end the process.
      for _ in 0..<200_000_000 {
        if count == 0 { return }
        await Task.yield()
      }
      preconditionFailure("\(count) contexts are left.")
    }

    private final class Owner {
      @LazyInject var number: Int
    }

    @Test("A lazy property notes the shared container where it was made current", .exitTest, .timeLimit(.minutes(20)))
    func sharedMadeCurrent() async {
      await #expect(processExitsWith: .success) {
        let other = DIContainer()
        DIContainer.shared.register(Shared(1))
        other.register(Shared(2))
        let owner = DIContainer.withCurrent(.shared) { Owner() }
        let elsewhere = Owner()
        DIContainer.withCurrent(other) { precondition(owner.number == 1 && elsewhere.number == 2) }
        endProcess()
      }
    }

    @Test("After a factory whose frames an exception of Objective-C has skipped", .exitTest, .timeLimit(.minutes(20)))
    func afterException() async {
      await #expect(processExitsWith: .success) {
        let (container, calls) = (DIContainer.shared, CallCounter())
        container.register {
          PerGraph(CallCounter())
          Shared { resolve -> Int in
            _ = resolve(CallCounter.self)
            if calls.call() == 2 { return 2 }
            precondition(DIContainer.isCreating)
            DIContainer.forgetFactories()
            // This frame, which would end the creation a second time, stays for ever.
            precondition(!DIContainer.isCreating)
            precondition(container.resolve(Int.self) == 2)
            precondition(onAnotherThread { container.resolve(Int.self) } == 2)
            precondition(!DIContainer.isCreating)
            endProcess()
          }
        }
        _ = container.resolve(Int.self)
      }
    }

    private static var count: Int { Circumstances.count.load(ordering: .relaxed) }

    @Test(
      "After a scope, synchronous or not, and after a closure that escaping has made", .exitTest,
      .timeLimit(.minutes(20)))
    func afterScope() async {
      await #expect(processExitsWith: .success) {
        let container = DIContainer()
        precondition(Self.count == 0)
        DIContainer.withCurrent(container) {
          precondition(Self.count == 1)
          DIContainer.withOverrides {
            Shared(1)
          } perform: {
            precondition(Self.count == 2 && DIContainer.resolve(Int.self) == 1)
          }
          precondition(DIContainer.current == container)
        }
        precondition(Self.count == 0)
        await DIContainer.withCurrent(container) {
          await Task.yield()
          precondition(Self.count == 1 && DIContainer.current == container)
        }
        precondition(Self.count == 0 && DIContainer.current == DIContainer.shared)
        // A closure that escaping has made keeps the container, and makes it current only when it is called.
        container.register(Shared("other"))
        let read = DIContainer.withCurrent(container) { DIContainer.escaping { DIContainer.resolve(String.self) } }
        precondition(Self.count == 0 && read() == "other")
        precondition(Self.count == 0)
      }
    }

    @Test("After the last task that carries the container of a scope", .exitTest, .timeLimit(.minutes(20)))
    func afterTask() async {
      await #expect(processExitsWith: .success) {
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
        precondition(Self.count == 1)
        precondition(DIContainer.resolve(String.self) == "shared")
        signal.open()
        let text = await task.value
        precondition(text == "overridden")
        await Self.waitForNone()
        precondition(DIContainer.resolve(String.self) == "shared")
      }
    }

    @Test(
      "After a factory: of a container that is not current, of what is kept, asynchronous", .exitTest,
      .timeLimit(.minutes(20)))
    func afterFactory() async {
      await #expect(processExitsWith: .success) {
        struct Failure: Error {}
        let container = DIContainer()
        container.register {
          New { "\(DIContainer.current == container)" }
          // What tasks of its factory inherit is a context.
          Shared { Self.count }
          Shared { () async in Double(Self.count) }
          New { () throws -> Float in throw Failure() }
          Shared { () async throws -> UInt8 in throw Failure() }
          PerGraph { [DIContainer.current == container] }
        }
        precondition(container.resolve(String.self) == "true")
        precondition(Self.count == 0)
        precondition(container.resolve(Int.self) > 0)
        precondition(Self.count == 0)
        precondition(container.resolve([Bool].self) == [true])
        precondition((try? container.tryResolve(Float.self)) == nil)
        precondition(Self.count == 0)
        let number = try? await container.resolveAsync(Double.self)
        precondition(number.map { $0 > 0 } == true)
        let byte = try? await container.resolveAsync(UInt8.self)
        precondition(byte == nil)
        await Self.waitForNone()
      }
    }
  }
#endif
