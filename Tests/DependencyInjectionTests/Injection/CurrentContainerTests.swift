internal import DependencyInjection
internal import Dispatch
internal import Testing

@Suite("The current container")
struct CurrentContainerTests {
  let container = DIContainer()

  init() { container.register(Shared("outer")) }

  private var text: String { DIContainer.resolve() }

  @Test("It is the shared one unless another was made current")
  func standard() {
    #expect(DIContainer.current === DIContainer.shared)
    #expect(DIContainer.withCurrent(container) { DIContainer.current } === container)
    #expect(DIContainer.current === DIContainer.shared)
  }

  @Test("withCurrent nests, and returns and rethrows")
  func nested() throws {
    struct Failure: Error {}
    let inner = DIContainer()
    inner.register(Shared("inner"))
    let texts = DIContainer.withCurrent(container) {
      [text, DIContainer.withCurrent(inner) { text }, text]
    }
    #expect(texts == ["outer", "inner", "outer"])
    #expect(throws: Failure.self) { try DIContainer.withCurrent(container) { throw Failure() } }
    #expect(DIContainer.current === DIContainer.shared)
  }

  @Test("It holds across suspension, and in child tasks of every kind")
  func tasks() async {
    let container = container
    await DIContainer.withCurrent(container) {
      await Task.yield()
      #expect(text == "outer")
      async let first: String = DIContainer.resolve()
      let second = await withTaskGroup(of: String.self) { group in
        for _ in 0..<4 { group.addTask { DIContainer.resolve() } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      let third = await Task { DIContainer.resolve(String.self) }.value
      let fourth = await MainActor.run { DIContainer.resolve(String.self) }
      #expect(await first == "outer")
      #expect(second == Array(repeating: "outer", count: 4))
      #expect(third == "outer")
      #expect(fourth == "outer")
    }
  }

  @Test("A task that outlives the scope keeps it")
  func outliving() async {
    let task = DIContainer.withCurrent(container) {
      Task {
        await Task.yield()
        return DIContainer.resolve(String.self)
      }
    }
    #expect(DIContainer.current === DIContainer.shared)
    #expect(await task.value == "outer")
  }

  @Test("The asynchronous form stays on the caller's actor")
  @MainActor func isolation() async {
    await DIContainer.withCurrent(container) {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
    }
    await DIContainer.withOverrides {
      Shared("override")
    } perform: {
      MainActor.assertIsolated()
      await Task.yield()
      MainActor.assertIsolated()
    }
  }

  @Test("withOverrides overrides in its scope only, and what it does not override is as it was")
  func overrides() {
    container.register(Shared(RouterImpl() as any Router))
    DIContainer.withCurrent(container) {
      let router = DIContainer.resolve((any Router).self)
      let result = DIContainer.withOverrides {
        Shared("override")
        New(MockRouter())
      } perform: {
        #expect(text == "override")
        #expect(DIContainer.resolve((any Router).self) === router)
        #expect(DIContainer.resolve(MockRouter?.self) != nil)
        return text
      }
      #expect(result == "override")
      #expect(text == "outer")
      #expect(DIContainer.resolve(MockRouter?.self) == nil)
    }
  }

  @Test("withOverrides nests, also asynchronously; the innermost wins")
  func nestedOverrides() async {
    let container = container
    await DIContainer.withCurrent(container) {
      await DIContainer.withOverrides {
        Shared("first")
        Shared(1)
      } perform: {
        await Task.yield()
        let inner = await DIContainer.withOverrides {
          Shared("second")
        } perform: {
          await Task.yield()
          return "\(text) \(DIContainer.resolve(Int.self))"
        }
        #expect(inner == "second 1")
        DIContainer.withOverrides {
          Shared(2)
        } perform: {
          #expect("\(text) \(DIContainer.resolve(Int.self))" == "first 2")
        }
        #expect(text == "first")
      }
      #expect(text == "outer")
    }
  }

  @Test("Overrides in parallel tasks do not see each other")
  func parallel() async {
    let container = container
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          await DIContainer.withCurrent(container) {
            await DIContainer.withOverrides {
              Shared(number)
            } perform: {
              await Task.yield()
              let first = DIContainer.resolve(Int.self) == number
              await Task.yield()
              return first && DIContainer.resolve(Int.self) == number
            }
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test("Without escaping, detached code sees the shared container")
  func withoutEscaping() async {
    let isShared = await DIContainer.withCurrent(container) {
      Task.detached { DIContainer.current === DIContainer.shared }
    }.value
    #expect(isShared)
    #expect(DIContainer.withCurrent(container) { onAnotherThread { DIContainer.current === DIContainer.shared } })
  }

  @Test("escaping carries the container into detached tasks, throwing or not")
  func detached() async throws {
    struct Failure: Error {}
    let (first, second, third) = DIContainer.withCurrent(container) {
      (
        Task.detached(
          operation: DIContainer.escaping { () async -> String in
            await Task.yield()
            return DIContainer.resolve()
          }),
        Task.detached(
          operation: DIContainer.escaping { () async throws -> String in
            await Task.yield()
            return try DIContainer.tryResolve()
          }),
        Task.detached(
          operation: DIContainer.escaping { () async throws -> String in
            await Task.yield()
            throw Failure()
          })
      )
    }
    #expect(await first.value == "outer")
    #expect(try await second.value == "outer")
    await #expect(throws: Failure.self) { try await third.value }
  }

  @Test("escaping carries the container into queues and threads, with arguments and results")
  func queuesAndThreads() async {
    let container = container
    let onQueue = await withCheckedContinuation { continuation in
      DIContainer.withCurrent(container) {
        DispatchQueue(label: "test").async(
          execute: DIContainer.escaping { continuation.resume(returning: DIContainer.resolve(String.self)) })
      }
    }
    #expect(onQueue == "outer")
    let onThread = DIContainer.withCurrent(container) {
      onAnotherThread(DIContainer.escaping { DIContainer.resolve(String.self) })
    }
    #expect(onThread == "outer")
    let withArguments = DIContainer.withCurrent(container) {
      DIContainer.escaping { (number: Int, suffix: String) in "\(DIContainer.resolve(String.self))\(number)\(suffix)" }
    }
    #expect(onAnotherThread { withArguments(1, "!") } == "outer1!")
    #expect(withArguments(2, "?") == "outer2?")
  }

  @Test("A factory sees the container that creates as the current one")
  func inFactories() {
    let container = container
    container.register(New { DIContainer.current === container })
    #expect(container.resolve(Bool.self))
    let child = DIContainer(parent: container)
    container.register(New { DIContainer.current === child })
    #expect(child.resolve(Bool.self))
    #expect(!container.resolve(Bool.self))
  }
}
