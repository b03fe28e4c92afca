internal import DependencyInjection
internal import Testing

private final class Hen: Sendable { let other: Egg?; init(_ other: Egg?) { self.other = other } }

private final class Egg: Sendable { let other: Hen?; init(_ other: Hen?) { self.other = other } }

private final class Nest: Sendable {
  let egg: Task<Egg, any Error>
  init(_ egg: Task<Egg, any Error>) { self.egg = egg }
}

struct AsyncCycleTests {
  let container = DIContainer()

  private func expectCycle(
    _ path: [String], source: SourceLocation = #_sourceLocation, _ body: () async throws -> Any
  ) async {
    let error = await asyncFailure(of: body)
    #expect(error?.code == .cycle, "\(String(describing: error))", sourceLocation: source)
    #expect(error?.path == path, sourceLocation: source)
  }

  @Test("Factories that lead back to themselves end in an error with the path, synchronous ones in between or not")
  func oneTask() async {
    container.register {
      Shared { resolve in Hen(try await resolve.resolveAsync()) }
      Shared { resolve in Egg(try await resolve.resolveAsync()) }
    }
    await expectCycle(["Hen", "Egg", "Hen"]) { try await container.resolveAsync(Hen.self) }
    container.register(Shared { resolve in Hen(try await resolve.resolveAsync(Hen.self).other) })
    await expectCycle(["Hen", "Hen"]) { try await container.resolveAsync(Hen.self) }
    // Through a synchronous factory.
    do {
      let container = DIContainer()
      container.register {
        Shared { resolve in Hen(try await resolve.resolveAsync()) }
        Shared { resolve in Egg(try resolve.tryResolve()) }
      }
      await expectCycle(["Hen", "Egg", "Hen"]) { try await container.resolveAsync(Hen.self) }
    }
    // At the first return, if they are New.
    do {
      let container = DIContainer()
      container.register {
        New { resolve in Hen(try await resolve.resolveAsync()) }
        New { resolve in Egg(try await resolve.resolveAsync()) }
      }
      let error = await #expect(throws: ResolutionError.self) { try await container.resolveAsync(Hen.self) }
      #expect(error?.code == .cycle)
      #expect(
        error?.notes == [
          "break the cycle by resolving one of these when it is needed, which gets another instance because nothing keeps "
            + "these, or by passing it after creation; do not use it in an initializer"
        ]
      )
      #expect(error?.path == ["Hen", "Egg", "Hen"])
    }
  }

  @Test("A task that the factory of a New has started works for itself once that has returned")
  func task() async throws {
    let (gate, tasks) = (AsyncGate(), Monitor<[Task<ResolutionError?, Never>]>([]))
    container.register(
      New { resolve async in
        let task = Task {
          await gate.wait()
          return failure { try DIContainer.tryResolve(Egg.self) }
        }
        tasks.change { $0.append(task) }
        return Hen(nil)
      })
    _ = try await container.resolveAsync(Hen.self)
    gate.open()
    for task in tasks.change({ $0 }) { #expect(await task.value?.path == ["Egg"]) }
  }

  @Test("Detached tasks and tasks inside of one creation may wait for the same thing")
  func detached() async throws {
    let exists = AsyncSignal()
    container.register {
      Shared { resolve in
        let egg = DIContainer.escaping {
          try await exists.wait()
          return try await DIContainer.resolveAsync(Egg.self)
        }
        return Nest(Task.detached(operation: egg))
      }
      Shared { resolve in
        _ = try await resolve.resolveAsync(Nest.self)
        return Egg(nil)
      }
    }
    let nest = try await container.resolveAsync(Nest.self)
    exists.open()
    let egg = try await nest.egg.value
    #expect(container.resolve(Egg.self) === egg)
    do {
      let container = DIContainer()
      container.register {
        Shared { _ in
          await Task.yield()
          return DiskCache() as any Cache
        }
        Shared { resolve in
          async let first = resolve.resolveAsync((any Cache).self)
          async let second = resolve.resolveAsync((any Cache).self)
          _ = try await (first, second)
          return Hen(nil)
        }
      }
      _ = try await container.resolveAsync(Hen.self)
    }
  }

  @Test("A creation that its requester has left may wait for what waits for the requester")
  func requesterHasLeft() async throws {
    let (nestBegins, henAsks, eggBegins, eggIsShared) = (AsyncSignal(), AsyncSignal(), AsyncSignal(), AsyncSignal())
    let (nestHasLeft, eggAsks, end) = (AsyncSignal(), Flag(), AsyncSignal())
    let (container, executor) = (container, CountingExecutor())
    container.register {
      Shared { resolve in
        nestBegins.open()
        try await henAsks.wait()
        let egg = Task { try await resolve.resolveAsync(Egg.self) }
        try await eggIsShared.wait()
        egg.cancel()
        _ = await egg.result
        nestHasLeft.open()
        try await end.wait()
        return Nest(egg)
      }
      Shared { resolve in
        let nest = Task(executorPreference: executor) {
          henAsks.open()
          return try await resolve.resolveAsync(Nest.self)
        }
        _ = try await nest.value
        return Hen(nil)
      }
      Shared { resolve in
        eggBegins.open()
        try await nestHasLeft.wait()
        let hen = Task(executorPreference: executor) {
          eggAsks.set()
          return try await resolve.resolveAsync(Hen.self)
        }
        return Egg(try await hen.value)
      }
    }
    try await watched {
      async let nest = container.resolveAsync(Nest.self)
      try await nestBegins.wait()
      async let hen = container.resolveAsync(Hen.self)
      try await eggBegins.wait()
      let egg = Task(executorPreference: executor) { try await container.resolveAsync(Egg.self) }
      await until { executor.isIdle }
      eggIsShared.open()
      await until { eggAsks.isSet && executor.isIdle }
      end.open()
      #expect(try await egg.value.other === hen)
      _ = try await nest
    }
  }

  @Test("The path of a cycle of two tasks has a decorated type once")
  func decorated() async {
    let (henBegan, eggBegan) = (AsyncSignal(), AsyncSignal())
    container.register {
      Shared { resolve in
        henBegan.open()
        try await eggBegan.wait()
        return Hen(try await resolve.resolveAsync())
      }
      Shared { resolve in
        eggBegan.open()
        try await henBegan.wait()
        return Egg(try await resolve.resolveAsync())
      }
      Decorated(Hen.self) { hen, _ in hen }
    }
    async let hen = asyncFailure { try await container.resolveAsync(Hen.self) }
    async let egg = asyncFailure { try await container.resolveAsync(Egg.self) }
    let errors = await [hen, egg]
    #expect(errors.allSatisfy { $0?.description.contains("' depends on itself, across tasks.\n") == true }, "\(errors)")
    let paths = errors.map { $0?.path }
    #expect(paths.allSatisfy { $0 == ["Hen", "Egg", "Hen"] || $0 == ["Egg", "Hen", "Egg"] }, "\(paths)")
  }

  @Test("Two tasks that wait for each other end in errors, every time")
  func twoTasks() async {
    for _ in 0..<1_000 {
      let container = DIContainer()
      container.register {
        Shared { resolve in
          await Task.yield()
          return Hen(try await resolve.resolveAsync())
        }
        Shared { resolve in
          await Task.yield()
          return Egg(try await resolve.resolveAsync())
        }
      }
      async let hen: Hen? = try? container.resolveAsync(Hen.self)
      async let egg: Egg? = try? container.resolveAsync(Egg.self)
      let (first, second) = await (hen, egg)
      #expect(first == nil && second == nil)
    }
  }

  @Test("Asynchronous recursion and chains end after 256 factories")
  func endlessRecursion() async throws {
    container.register(
      New { (resolve: Resolver, number: Int) async throws -> [Int] in
        [number] + (try await resolve.resolveAsync([Int].self) { number + 1 })
      })
    let container = container
    let error = await #expect(throws: ResolutionError.self) {
      try await watched { try await container.resolveAsync([Int].self) { 0 } }
    }
    #expect(error?.brief == "cycle: Array<Int> Array<Int>" && error?.description.contains("256") == true)
    // Asynchronous recursion with arguments that come to an end is no cycle, up to 256 factories.
    do {
      let container = DIContainer()
      container.register(
        New { (resolve: Resolver, number: Int) async throws -> [Int] in
          number == 0 ? [] : [number] + (try await resolve.resolveAsync([Int].self) { number - 1 })
        })
      #expect(try await container.resolveAsync([Int].self) { 255 }.count == 255)
      #expect(await asyncFailure { try await container.resolveAsync([Int].self) { 256 } }?.code == .cycle)
      // Nor is it if a factory without arguments leads back to itself through one with arguments.
      let left = Locked(2)
      container.register {
        New { (resolve: Resolver, number: Int) async throws -> Int in
          number == 0 ? 0 : 1 + (try await resolve.resolveAsync(String.self).count)
        }
        New { resolve async throws -> String in
          let next = left.withLock { left in
            left -= 1
            return left
          }
          return "\(try await resolve.resolveAsync(Int.self) { next })"
        }
      }
      #expect(try await container.resolveAsync(String.self) == "2")
    }
    // A chain of asynchronous Shared ends after 256 factories.
    for count in [256, 257] {
      let container = DIContainer()
      for number in 1...count {
        container.register(
          Shared(
            { (resolve: Resolver) async throws -> Int in
              number == 1 ? 1 : 1 + (try await resolve.resolveAsync(Int.self, named: DependencyName("\(number - 1)")))
            }, named: DependencyName("\(number)")))
      }
      let name = DependencyName("\(count)")
      let result = try await watched {
        await Task { try await container.resolveAsync(Int.self, named: name) }.result
      }
      switch result {
      case .success(let depth): #expect(depth == count && count == 256)
      case .failure(let error): #expect((error as? ResolutionError)?.code == .tooDeep && count == 257)
      }
    }
  }

  @Test("An asynchronous Shared that asks for itself in a copy, or after a reset, is a cycle")
  func copies() async {
    container.register(
      Shared { _ async throws -> Hen in
        try await DIContainer.withOverrides {
        } perform: {
          try await DIContainer.resolveAsync(Hen.self)
        }
      })
    let container = container
    let error = await #expect(throws: ResolutionError.self) {
      try await watched { try await container.resolveAsync(Hen.self) }
    }
    #expect(error?.code == .cycle)
    // An asynchronous Shared that is reset while it is created, and asks for itself, is a cycle.
    do {
      let container = DIContainer()
      container.register(
        Shared { (resolve: Resolver) async throws -> Hen in
          container.reset()
          return try await resolve.resolveAsync(Hen.self)
        })
      let error = await #expect(throws: ResolutionError.self) {
        try await watched { try await container.resolveAsync(Hen.self) }
      }
      #expect(error?.brief == "cycle: Hen Hen")
    }
  }
}
