@testable internal import DependencyInjection
internal import Dispatch
internal import Testing

/// A type that is made from a text.
private final class Config: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

struct CurrentContainerTests {
  let container = DIContainer()

  init() { container.register(Shared("outer")) }

  private var text: String { DIContainer.resolve() }

  @Test("withCurrent and withOverrides nest, also asynchronously, and return and rethrow")
  func nested() async throws {
    struct Failure: Error {}
    let inner = DIContainer()
    inner.register(Shared("inner"))
    let texts = DIContainer.withCurrent(container) {
      [text, DIContainer.withCurrent(inner) { text }, text]
    }
    #expect(texts == ["outer", "inner", "outer"])
    #expect(throws: Failure.self) { try DIContainer.withCurrent(container) { throw Failure() } }
    #expect(DIContainer.current == DIContainer.shared)
    // The innermost overrides win.
    do {
      let container = Self().container
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
  }

  @Test(
    "withCurrent holds across suspension, and in child tasks of every kind, which see none of each other's overrides")
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
      #expect(second == Array(repeating: "outer", count: 4) && [third, fourth] == ["outer", "outer"])
    }
    // Overrides in parallel tasks do not see each other.
    do {
      let container = Self().container
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

  @Test("An override reaches everything that is made of it, whatever exists already, and nothing inside is left behind")
  func overridesReachEverything() {
    let counter = LifetimeCounter()
    final class Service {
      let text: String
      let token: LifetimeToken
      init(_ text: String, _ counter: LifetimeCounter) { (self.text, token) = (text, counter.token()) }
    }
    container.register {
      Shared({ resolve in Service(resolve(), counter) }, named: "shared")
      Weak({ resolve in Service(resolve(), counter) }, named: "weak")
      Scoped(in: .container, { resolve in Service(resolve(), counter) }, named: "container")
      Shared({ resolve in Service(resolve(Service.self, named: "shared").text, counter) }, named: "outer")
    }
    let names: [DependencyName] = ["shared", "weak", "container", "outer"]
    DIContainer.withCurrent(container) {
      let services = names.map { DIContainer.resolve(Service.self, named: $0) }
      DIContainer.withOverrides {
        Shared("override")
      } perform: {
        let others = names.map { DIContainer.resolve(Service.self, named: $0) }
        #expect(
          others.allSatisfy { $0.text == "override" } && counter.alive == 8
            && zip(names, others).allSatisfy { DIContainer.resolve(Service.self, named: $0) === $1 })
      }
      #expect(
        counter.alive == 4 && zip(names, services).allSatisfy { DIContainer.resolve(Service.self, named: $0) === $1 }
          && services.allSatisfy { $0.text == "outer" })
    }
  }

  @Test("What is registered inside of overrides stays inside, and they reach what parents keep")
  func overridesAreApart() {
    container.register(Shared(1))
    let child = DIContainer(parent: container)
    DIContainer.withCurrent(child) {
      DIContainer.withOverrides {
        Shared("override")
      } perform: {
        #expect(DIContainer.current != child && DIContainer.current != container)
        DIContainer.register(Shared(1.5))
        container.register(Shared(2 as UInt8))
        child.register(Shared(3 as UInt16))
        container.unregister(Int.self)
        #expect(DIContainer.resolve(Double?.self) == 1.5 && child.resolve(Double?.self) == nil)
        #expect(
          DIContainer.resolve(UInt8?.self) == nil && DIContainer.resolve(UInt16?.self) == nil
            && DIContainer.resolve(Int?.self) == 1)
        DIContainer.removeAll()
      }
      #expect(text == "outer" && DIContainer.resolve(Double?.self) == nil)
      #expect(
        DIContainer.resolve(UInt8?.self) == 2 && DIContainer.resolve(UInt16?.self) == 3
          && DIContainer.resolve(Int?.self) == nil)
    }
    // Overrides of a child reach what its parent keeps, and hide what the child itself registers.
    do {
      let container = Self().container
      container.register(Shared { resolve in Config(resolve()) })
      let child = DIContainer(parent: container)
      child.register {
        Shared("child")
        Shared(1)
        Shared({ resolve in Config(resolve()) }, named: "child")
      }
      DIContainer.withCurrent(child) {
        let ofParent = child.resolve(Config.self)
        let own = child.resolve(Config.self, named: "child")
        #expect(ofParent.name == "outer" && own.name == "child")
        DIContainer.withOverrides {
          Shared("override")
        } perform: {
          #expect(text == "override" && DIContainer.resolve(Int.self) == 1)
          #expect(
            [DIContainer.resolve(Config.self).name, DIContainer.resolve(Config.self, named: "child").name] == [
              "override", "override",
            ])
          DIContainer.withOverrides {
            Shared(2)
          } perform: {
            #expect(text == "override" && DIContainer.resolve(Int.self) == 2)
          }
        }
        #expect(text == "child" && container.resolve(String.self) == "outer")
        #expect(
          child.resolve(Config.self) === ofParent && container.resolve(Config.self) === ofParent
            && child.resolve(Config.self, named: "child") === own)
      }
    }
  }

  @Test("Tasks and threads that carry the container of overrides resolve the same instances, after their scope as well")
  func overridesElsewhere() async {
    container.register(Shared { resolve in Config(resolve()) })
    let container = container
    let (task, read, config) = DIContainer.withCurrent(container) {
      DIContainer.withOverrides {
        Shared("override")
      } perform: {
        let task = Task {
          await Task.yield()
          return DIContainer.resolve(Config.self)
        }
        return (task, DIContainer.escaping { DIContainer.resolve(Config.self) }, DIContainer.resolve(Config.self))
      }
    }
    #expect(config.name == "override")
    #expect(await task.value === config)
    #expect(onAnotherThread(read) === config && container.resolve(Config.self).name == "outer")
  }

  @Test("What escaping returns keeps the container alive, also where an observer watches", arguments: [false, true])
  func escapingKeeps(isObserved: Bool) {
    func makeRead() -> @Sendable () -> Config {
      let container = DIContainer()
      container.register(Shared { Config("own") })
      return DIContainer.withCurrent(container) {
        let makeRead = { DIContainer.escaping { DIContainer.resolve(Config.self) } }
        return isObserved ? DIContainer.observing(by: Config("observation"), makeRead) : makeRead()
      }
    }
    let read = makeRead()
    #expect(read() === read())
  }

  @Test("escaping carries the container into tasks, queues and threads, which else see the shared one")
  func withoutEscaping() async throws {
    let isShared = await DIContainer.withCurrent(container) {
      Task.detached { DIContainer.current == DIContainer.shared }
    }.value
    #expect(
      isShared && DIContainer.withCurrent(container) { onAnotherThread { DIContainer.current == DIContainer.shared } })
    // escaping carries the container into detached tasks, throwing or not.
    do {
      let container = Self().container
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
      #expect(try await [first.value, second.value] == ["outer", "outer"])
      await #expect(throws: Failure.self) { try await third.value }
    }
    // escaping carries the container into queues and threads, with arguments and results.
    do {
      let container = Self().container
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
        DIContainer.escaping { (number: Int, suffix: String) in "\(DIContainer.resolve(String.self))\(number)\(suffix)"
        }
      }
      #expect([onAnotherThread { withArguments(1, "!") }, withArguments(2, "?")] == ["outer1!", "outer2?"])
    }
  }

  @Test("A factory sees the container that keeps, or else the one that is asked, and does not keep it alive")
  func inFactories() {
    let child = DIContainer(parent: container)
    container.register {
      New { DIContainer.current }
      PerGraph({ DIContainer.current }, named: "graph")
      Shared({ DIContainer.current }, named: "shared")
      Scoped(in: .container, { DIContainer.current }, named: "container")
    }
    for asked in [child, container, DIContainer(parent: child)] {
      #expect(
        asked.resolve(DIContainer.self) == asked && asked.resolve(DIContainer.self, named: "graph") == asked
          && asked.resolve(DIContainer.self, named: "shared") == container)
      #expect(asked.resolve(DIContainer.self, named: "container") == asked)
    }
    // The one that a factory sees equals the container, works as it does, and does not keep it alive.
    do {
      let container = Self().container
      var own: DIContainer? = DIContainer(parent: container)
      weak let weakly = own
      own?.register(New { DIContainer.current })
      let handle: DIContainer = own!.resolve()
      #expect(handle == own && handle == own!.resolve(DIContainer.self) && handle != container)
      handle.register(Shared(1))
      #expect(
        own!.resolve(Int.self) == 1 && DIContainer.withCurrent(handle) { DIContainer.current } == own
          && DIContainer(parent: handle).resolve(Int.self) == 1)
      own = nil
      #expect(weakly == nil)
      #expect(handle.resolve(String.self) == "outer", "it still answers")
    }
  }

  @Test("A task keeps the container of its factory, even after that has returned and its thread runs other factories")
  func tasksOfFactories() async {
    let (signal, isReading) = (AsyncSignal(), AsyncSignal())
    let (task, ended) = onAnotherThread { () -> (Task<[String], Never>, @Sendable () -> Bool) in
      let (owner, other) = (DIContainer(), DIContainer())
      owner.register {
        New("owner's")
        New {
          Task {
            let first = DIContainer.resolve(String.self)
            isReading.open()
            try? await signal.wait()
            return [first, DIContainer.resolve()]
          }
        }
      }
      other.register(New { DIContainer.current == other })
      let task = owner.resolve(Task<[String], Never>.self)
      for _ in 0..<3 { #expect(other.resolve(Bool.self)) }
      weak let registry = owner.registry
      return (task, { registry == nil })
    }
    try? await isReading.wait()
    #expect(!ended(), "the task keeps what answers it")
    signal.open()
    #expect(await task.value == ["owner's", "owner's"])
  }

  @Test("The context of a factory keeps its container, even if the frames that called it are skipped")
  func keptWhileFactoriesRun() throws {
    let container = DIContainer()
    let registry = Unowned(container.registry)
    #expect(registry.isOnlyReference)
    var isKept = false
    // As the fast path: without a reference of its own.
    try registry.borrow {
      try Context.runFactory(of: $0, in: nil, on: .current) { isKept = !registry.isOnlyReference }
    }
    #expect(isKept)
    #expect(registry.isOnlyReference, "a context that waits for the next factory keeps none")
    withExtendedLifetime(container) {}
  }
}
