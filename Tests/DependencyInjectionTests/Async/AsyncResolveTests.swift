internal import DependencyInjection
internal import Synchronization
internal import Testing

private final class Connection: Database, Cache {
  let role: String
  init(_ role: String = "primary") { self.role = role }
  static func open(_ configuration: any AppConfiguration) async -> Connection {
    await Task.yield()
    return Connection(configuration.name)
  }
}

private enum Local { @TaskLocal static var value = 0 }

@MainActor private final class MainView {
  let database: any Database
  init(_ database: any Database) async {
    MainActor.preconditionIsolated()
    await Task.yield()
    MainActor.preconditionIsolated()
    self.database = database
  }
}

private actor Keeper {
  func make(_ resolve: Resolver) async -> Connection {
    preconditionIsolated()
    await Task.yield()
    preconditionIsolated()
    return Connection()
  }
}

extension DIContainer {
  fileprivate static let connection = Dependency<any Database>(.shared) { resolve in
    await Connection.open(resolve())
  }
}

struct AsyncResolveTests {
  let container = DIContainer()

  @Test("An asynchronous factory resolves what it needs, and its instance is kept, unless it was replaced meanwhile")
  func shared() async throws {
    container.register {
      Shared(AppConfigurationImpl("async") as any AppConfiguration)
      Shared { resolve in await Connection.open(resolve()) as any Database }
    }
    let database = try await container.resolveAsync((any Database).self)
    #expect(database.role == "async" && container.resolve((any Database).self) === database)
    let optional: (any Database)? = try await container.resolveAsync()
    #expect(optional === database)
    #expect(try await container.resolveAsync((any Cache)?.self) == nil)
    // What is replaced or reset while it is created is not kept.
    do {
      let container = DIContainer()
      let (gate, counter) = (AsyncGate(), LifetimeCounter())
      container.register(
        Shared { _ in
          await gate.wait()
          return Tracked(counter)
        })
      let waiting = Task { try await container.resolveAsync(Tracked.self) }
      await until { gate.waiting == 1 }
      container.register(Shared(Tracked(counter)))
      let new = container.resolve(Tracked.self)
      gate.open()
      let old = try await waiting.value
      #expect(old !== new && container.resolve(Tracked.self) === new)
    }
  }

  @Test("A synchronous resolution of an asynchronous factory says what to do")
  func synchronous() async {
    container.register(Shared { _ in await Connection.open(AppConfigurationImpl()) as any Database })
    let line = #line - 1
    let error = failure { try container.tryResolve((any Database).self) }
    #expect(
      error?.description == """
        'Database' has to be created asynchronously.
          resolving  Database
          asked at   \(place(line + 2))
          registered \(place(line))
          note       use `try await resolveAsync(Database.self)`; or await 'Database' once first, and again \
        after a reset or an override in a test: any code of this container then gets the existing instance
        """)
    #expect(error?.code == .asynchronous)
    // What nothing keeps for the next resolution has to be awaited each time.
    let graph = DIContainer()
    graph.register {
      PerGraph { _ in await Connection.open(AppConfigurationImpl()) as any Database }
      PerGraph { @MainActor in 1.5 }
    }
    #expect(
      failure { try graph.tryResolve((any Database).self) }?.notes == ["use `try await resolveAsync(Database.self)`"])
    #expect(
      failure { try graph.tryResolve(Double.self) }?.notes == [
        "use `try await resolveAsync(Double.self)`, or resolve it on the main actor"
      ])
    // Arguments that the factory does not take are left out.
    graph.register(New { () async in 7 })
    #expect(failure { try graph.tryResolve(Int.self) { "id" } }?.notes == ["use `try await resolveAsync(Int.self)`"])
    container.register(Shared({ _ in await Connection.open(AppConfigurationImpl()) }, named: "\"main\""))
    #expect(
      failure { try container.tryResolve(Connection.self, named: "\"main\"") }?.notes.first?.hasPrefix(
        "use `try await resolveAsync(Connection.self, named: \"\\\"main\\\"\")`; or") == true)
    let declared = Dependency<Connection>(.shared) { _ in await Connection.open(AppConfigurationImpl()) }
    #expect(
      failure { try declared.tryResolve(from: container) }?.notes.first?.hasPrefix(
        "use `try await dependency.resolveAsync()`; or") == true)
    // A call that asks the current container names it.
    DIContainer.withCurrent(graph) {
      let notes = [failure { try declared.tryResolve() }, failure { try DIContainer.tryResolve(Double.self) }]
        .map { $0?.notes.first ?? "" }
      #expect(
        notes[0].hasPrefix("use `try await dependency.resolveAsync()`; or")
          && notes[1].hasPrefix("use `try await DIContainer.resolveAsync(Double.self)`, or"), "\(notes)")
    }
    // With arguments, if the factory takes some.
    let page = Dependency<Double, String> { _, id async in 1 }
    #expect(
      failure { try page.tryResolve("7", from: container) }?.notes == ["use `try await dependency.resolveAsync(…)`"])
    graph.register(New { (_: Resolver, id: String) async in id })
    #expect(
      failure { try graph.tryResolve(String.self) }?.notes == ["use `try await resolveAsync(String.self) { … }`"])
    graph.decorate(String.self) { text, _ in text }
    #expect(
      failure { try graph.tryResolve(String.self) }?.notes == [
        "pass them in the closure of the resolution, `resolveAsync(String.self) { … }`; a property wrapper cannot pass any"
      ])
    // Nobody can await where a synchronous factory asks.
    struct Report { let database: any Database }
    container.register {
      New({ (resolve: Resolver) throws in try Report(database: resolve.tryResolve()) }, named: "by hand")
      New({ (_: Resolver) throws in try Report(database: declared.tryResolve(from: container)) }, named: "declared")
      New(autowire: Report.init(database:))
      New({ (resolve: Resolver) async throws in try Report(database: resolve.tryResolve()) }, named: "awaited")
      New(autowire: { (_: [Int]) throws in try Report(database: declared.tryResolve(from: container)) }, named: "other")
      New([7])
    }
    let existing =
      "; or await 'Database' once first, and again after a reset or an override in a test: any code of this container then "
      + "gets the existing instance"
    #expect(
      failure { try container.tryResolve(Report.self, named: "by hand") }?.notes == [
        "await it in the factory of 'Report (by hand)', `try await resolve.resolveAsync(Database.self)`, and "
          + "pass it to the initializer, as `autowire:` does" + existing
      ])
    #expect(
      failure { try container.tryResolve(Report.self, named: "declared") }?.notes.first?.hasPrefix(
        "await it in the factory of 'Report (declared)', `try await dependency.resolveAsync()`, and") == true)
    #expect(
      failure { try container.tryResolve(Report.self) }?.notes == [
        "resolve 'Report' with `resolveAsync`, which awaits the parameters of its initializer" + existing
      ])
    // Awaiting the factory changes nothing for what it resolves without awaiting, or resolves beside its parameters.
    container.register {
      New(7)
      New({ () async in 8 }, named: "slow")
      New(autowire: { (_: Int) throws in try Set([container.tryResolve(Int.self, named: "slow")]) })
    }
    let beside = await asyncFailure { try await container.resolveAsync(Set<Int>.self) }
    #expect(beside?.notes.first?.hasPrefix("await it in the factory of 'Set<Int>'") == true)
    for name in ["awaited", "other"] as [DependencyName] {
      let error = await asyncFailure { try await container.resolveAsync(Report.self, named: name) }
      #expect(error?.notes.first?.hasPrefix("await it in the factory of 'Report (\(name))', `try await ") == true)
    }
    container.register(New { _ in await Connection.open(AppConfigurationImpl()) as any Database })
    for _ in 0..<2 { #expect(failure { try container.tryResolve((any Database).self) }?.code == .asynchronous) }
  }

  @Test("A synchronous resolution of an asynchronous factory with arguments says what to do, too")
  func arguments() async throws {
    let found = Monitor<ResolutionError?>(nil)
    container.register(
      New { (resolve: Resolver, depth: Int) async in
        if depth > 0 {
          let error = failure { try resolve.tryResolve([Int].self) { depth - 1 } }
          found.change { $0 = error }
        }
        return [depth]
      })
    #expect(
      failure { try container.tryResolve([Int].self) { 1 } }?.notes == [
        "use `try await resolveAsync(Array<Int>.self) { … }`"
      ])
    #expect(
      await asyncFailure { try await container.resolveAsync([Int].self) }?.notes == [
        "pass them in the closure of the resolution, `resolveAsync(Array<Int>.self) { … }`; a property wrapper cannot pass any"
      ])
    // It may be a decorator that makes it asynchronous.
    let decorated = DIContainer()
    decorated.register(New { (_: Resolver, depth: Int) in [depth] })
    decorated.decorate([Int].self) { depths, _ async in depths }
    #expect(
      await asyncFailure { try await decorated.resolveAsync([Int].self) }?.notes == [
        "pass them in the closure of the resolution, `resolveAsync(Array<Int>.self) { … }`; a property wrapper cannot pass any"
      ])
    #expect(try await decorated.resolveAsync([Int].self) { 1 } == [1])
    // With arguments it may lead back to itself: that is no cycle.
    _ = try await container.resolveAsync([Int].self) { 1 }
    let error = try #require(found.change { $0 })
    #expect(error.code == .asynchronous && error.path.count == 2)
  }

  @Test("Every lifetime can be created asynchronously")
  func lifetimes() async throws {
    let container = container
    container.register {
      New({ _ in await Connection.open(AppConfigurationImpl()) }, named: "new")
      Weak({ _ in await Connection.open(AppConfigurationImpl()) }, named: "weak")
      Scoped(in: Scope("s"), { _ in await Connection.open(AppConfigurationImpl()) }, named: "scoped")
      PerGraph { _ in await Connection.open(AppConfigurationImpl()) }
      New { resolve in
        async let first = resolve.resolveAsync(Connection.self)
        async let second = resolve.resolveAsync(Connection.self)
        return try await [first, second]
      }
    }
    func get(_ name: DependencyName) async throws -> Connection { try await container.resolveAsync(named: name) }
    #expect(try await get("new") !== get("new"))
    var weak: Connection? = try await get("weak")
    #expect(try await get("weak") === weak)
    #expect(container.resolve(named: "weak") as Connection === weak)
    let role = weak?.role
    weak = nil
    #expect(
      failure { try container.tryResolve(Connection.self, named: "weak") }?.code == .asynchronous
        && role == "production")
    let scoped = try await get("scoped")
    #expect(try await get("scoped") === scoped)
    container.reset(Scope("s"))
    #expect(try await get("scoped") !== scoped)
    let graph = try await container.resolveAsync([Connection].self)
    #expect(graph[0] === graph[1])
    #expect(try await container.resolveAsync([Connection].self)[0] !== graph[0])
  }

  @Test("Arguments, names, aliases, declarations and closures without parameters work as they do synchronously")
  func forms() async throws {
    container.register {
      New { _, id, number in
        await Task.yield()
        return ConcreteViewModel(id: "\(id as String) \(number as Int)") as any ViewModel
      }
      Shared({ _ in await Connection.open(AppConfigurationImpl()) }, as: (any Database).self, (any Cache).self)
      Shared(AppConfigurationImpl("declared") as any AppConfiguration)
    }
    #expect(try await container.resolveAsync((any ViewModel).self) { ("a", 1) }.id == "a 1")
    let error = await #expect(throws: ResolutionError.self) {
      let _: any ViewModel = try await container.resolveAsync { 1 }
    }
    #expect(error?.description.hasPrefix("'ViewModel' takes arguments (String, Int), got (Int).") == true)
    let database = try await container.resolveAsync((any Database).self)
    #expect(database === container.resolve((any Cache).self))
    #expect(try await DIContainer.connection.resolveAsync(from: container).role == "declared")
    #expect(try await DIContainer.connection.resolveAsync(from: container) === DIContainer.connection(from: container))
    // An asynchronous closure without parameters can be scoped and declared, too.
    do {
      let container = DIContainer()
      container.register(Scoped(in: Scope("s")) { await Connection.open(AppConfigurationImpl("scoped")) })
      let dependency = Dependency(.shared) { await Connection.open(AppConfigurationImpl("declared")) }
      let scoped = try await container.resolveAsync(Connection.self)
      #expect(scoped.role == "scoped" && scoped === container.resolve(Connection.self))
      #expect(try await dependency.resolveAsync(from: container).role == "declared")
    }
  }

  @Test("1,000 tasks get one instance from one creation, and no thread waits for it")
  func contention() async throws {
    let (gate, calls) = (AsyncGate(), CallCounter())
    container.register(
      Shared { _ in
        calls.call()
        await gate.wait()
        return Connection() as any Database
      })
    let container = container
    let finished = CallCounter()
    try await withThrowingTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<1_000 {
        group.addTask { ObjectIdentifier(try await container.resolveAsync((any Database).self)) }
      }
      // These would not get a thread if those waited in one.
      await withTaskGroup(of: Void.self) { others in
        for _ in 0..<1_000 { others.addTask { finished.call() } }
      }
      #expect(finished.count == 1_000)
      gate.open()
      var seen: Set<ObjectIdentifier> = []
      for try await identity in group { seen.insert(identity) }
      #expect(seen.count == 1)
    }
    #expect(calls.count == 1)
  }

  @Test("An asynchronous factory has the task-locals and the priority of the first who asks, and runs on its actor")
  func context() async throws {
    container.register(
      New { _ in
        await Task.yield()
        return [Local.value, Int(Task.currentPriority.rawValue)]
      })
    container.register(
      Shared(
        { _ in
          await Task.yield()
          return [Local.value, Int(Task.currentPriority.rawValue)]
        }, named: "shared"))
    let container = container
    for name in [nil, "shared" as DependencyName] {
      let seen = try await Local.$value.withValue(7) {
        try await Task(priority: .high) { try await container.resolveAsync([Int].self, named: name) }.value
      }
      #expect(seen == [7, Int(TaskPriority.high.rawValue)])
    }
    // An asynchronous factory runs on the actor it is isolated to.
    do {
      let container = DIContainer()
      let keeper = Keeper()
      container.register {
        Shared(Connection() as any Database)
        Shared { @MainActor resolve in await MainView(resolve()) }
        Shared(
          { @MainActor (resolve: Resolver) async -> MainView in
            MainActor.preconditionIsolated()
            return await MainView(resolve())
          }, named: "explicit")
      }
      container.register(New(keeper.make))
      _ = try await container.resolveAsync(MainView.self)
      _ = try await container.resolveAsync(MainView.self, named: "explicit")
      _ = try await container.resolveAsync(Connection.self)
    }
  }

  /// Records what could not be resolved.
  final class Failures: ResolutionObserver {
    let paths = Locked<[[String]]>([])
    func didResolve(_ event: ResolutionEvent, for _: Definition?, from _: Definition?) {}
    func didNotResolve(_ event: ResolutionEvent) { paths.withLock { $0.append(event.path) } }
  }

  @Test("What a factory resolves inside of resolveAsync has to exist, or be for the same actor")
  func noHopInside() async throws {
    let (container, failures) = (DIContainer(), Failures())
    container.addObserver(failures)
    container.register {
      Shared(onMain: Screen())
      Shared { resolve in
        _ = try resolve.tryResolve(Screen.self)
        return DiskCache()
      }
      Shared { @MainActor (resolve: Resolver) in [resolve(Screen.self)] }
    }
    try await Task.detached {
      #expect(throws: ResolutionError.self) { try container.tryResolve(DiskCache.self) }
      #expect(failures.paths.withLock { $0 } == [["DiskCache", "Screen"], ["DiskCache"]])
      #expect(
        await asyncFailure { try await container.resolveAsync(DiskCache.self) }?.brief == "wrongActor: DiskCache Screen"
      )
      let count = failures.paths.withLock { $0.count }
      #expect(count > 2)
      let screens = try await container.resolveAsync([Screen].self)
      let cache = try await container.resolveAsync(DiskCache.self)
      #expect(
        container.resolve(Screen.self) === screens[0] && container.resolve(DiskCache.self) === cache
          && failures.paths.withLock { $0.count } == count)
    }.value
  }
}
