internal import Testing

@testable internal import DependencyInjection

protocol FirstPart: Sendable {}
protocol SecondPart: Sendable {}

struct AwaitedParametersTests {
  final class Database: Sendable {
    static func open() async -> Database { Database() }
  }

  final class Catalog: Sendable {
    let database: Database
    init(database: Database) { self.database = database }
  }

  final class Shop: Sendable {
    let catalog: Catalog
    let name: String
    init(catalog: Catalog, name: String) { (self.catalog, self.name) = (catalog, name) }
  }

  @MainActor
  final class Screen {
    let catalog: Catalog
    init(catalog: Catalog) { self.catalog = catalog }
  }

  final class Chicken: Sendable {
    init(egg: Egg, database: Database) {}
  }

  final class Egg: Sendable {
    init(chicken: Chicken) {}
  }

  /// A parameter that resets the database when it is created, and restores it when it is released.
  private final class Reset: Sendable {
    let container: DIContainer
    let snapshot: Registry.Snapshot
    init(in container: DIContainer) {
      self.container = container
      snapshot = container.registry.snapshot()
      container.reset(Database.self)
    }
    deinit { container.registry.restore(snapshot) }
  }

  private struct Asking: Sendable { let database: Database }
  private struct Inner: Sendable { init(asking: Asking) {} }
  private struct Outer: Sendable { init(inner: Inner) {} }

  private final class Backup: Sendable {
    let database: Database
    init(reset: Reset, database: Database) { self.database = database }
  }

  let container = DIContainer()

  init() {
    container.register {
      Shared { await Database.open() }
      Shared(autowire: Catalog.init(database:))
      New(autowire: Shop.init(catalog:name:), arguments: String.self)
      Shared(autowire: Screen.init(catalog:))
    }
  }

  @Test("resolveAsync awaits what an initializer needs, also further in, on an actor, and below a decorator")
  func awaited() async throws {
    let shop = try await container.resolveAsync(Shop.self) { "corner" }
    #expect(shop.name == "corner")
    let catalog = try await container.resolveAsync(Catalog.self)
    #expect(shop.catalog === catalog)
    #expect(try await container.resolveAsync(Database.self) === catalog.database)
    let screen = try await container.resolveAsync(Screen.self)
    #expect(screen.catalog === catalog)
    // A decorator of such an initializer is awaited, too.
    do {
      let container = Self().container
      container.decorate(Catalog.self) { catalog, _ in Catalog(database: catalog.database) }
      let catalog = try await container.resolveAsync(Catalog.self)
      #expect(try await container.resolveAsync(Database.self) === catalog.database)
    }
    // A parameter that is created on another actor is awaited, too.
    do {
      let container = Self().container
      container.register {
        Shared(onMain: Theme())
        Shared(autowire: Poster.init(theme:))
      }
      let poster = try await Task.detached { try await container.resolveAsync(Poster.self) }.value
      #expect(try await container.resolveAsync(Theme.self) === poster.theme)
    }
  }

  @Test("A parameter that is reset meanwhile is awaited, even if it is there again after the failed attempt")
  func resetMeanwhile() async throws {
    container.register {
      New { [container] in Reset(in: container) }
      New(autowire: Backup.init)
    }
    let database = try await container.resolveAsync(Database.self)
    #expect(try await container.resolveAsync(Backup.self).database !== database)
    // What a factory itself asks for is not awaited: it is called once.
    let calls = CallCounter()
    container.register {
      New { resolve in
        calls.call()
        return Asking(database: try resolve.tryResolve())
      }
      New(autowire: Inner.init)
      New(autowire: Outer.init)
    }
    container.reset()
    await #expect(throws: ResolutionError.self) { try await container.resolveAsync(Outer.self) }
    #expect(calls.count == 1)
  }

  @Test("If what a decorator wraps was replaced, no task is started: a thread that asks would get the error for that")
  func replacedBelowDecorator() async throws {
    let child = DIContainer(parent: container)
    container.register(New(Asking(database: Database())))
    child.decorate(Asking.self) { asking, _ in asking }
    let request = Request(Asking.self, .none, CodeLocation(), from: child.resolver)
    let answer = try #require(request.answer)
    container.register(New(Asking(database: Database())))
    #expect(!request.isAwaited(answer))
    // What the decorator wraps now is looked at.
    container.register(New { (_: Resolver) async in Asking(database: await Database.open()) })
    #expect(try request.isAwaited(#require(request.answer)))
  }

  @Test("Each parameter is awaited once, unless it exists, and resolve says so")
  func counted() async throws {
    let events = Locked<[ResolutionEvent]>([])
    let trace = container.trace { event in events.withLock { $0.append(event) } }
    _ = try await container.resolveAsync(Catalog.self)
    trace.stop()
    #expect(
      events.withLock { $0.map(\.path) } == [["Catalog", "Database"], ["Catalog"]]
        && events.withLock { $0.map(\.isCreated) } == [true, true])
    // resolve still says that a parameter has to be awaited, and works once it exists.
    do {
      let container = Self().container
      let error = #expect(throws: ResolutionError.self) { try container.tryResolve(Catalog.self) }
      #expect(error?.brief == "asynchronous: Catalog Database")
      _ = try await container.resolveAsync(Database.self)
      _ = try container.tryResolve(Catalog.self)
    }
    // An initializer whose parameters exist is called as that of any synchronous registration.
    do {
      let container = Self().container
      let database = try await container.resolveAsync(Database.self)
      let request = Request(Catalog.self, .none, CodeLocation(), from: container.resolver)
      let answer = try #require(request.answer)
      #expect(!request.isAwaited(answer))
      container.reset(Database.self)
      #expect(request.isAwaited(answer))
      #expect(try await container.resolveAsync(Catalog.self).database !== database)
    }
    // So is one that needs a Weak instance which somebody holds.
    do {
      let container = Self().container
      container.register(Weak { await Database.open() })
      let request = Request(Catalog.self, .none, CodeLocation(), from: container.resolver)
      let answer = try #require(request.answer)
      #expect(request.isAwaited(answer))
      let database = try await container.resolveAsync(Database.self)
      #expect(!request.isAwaited(answer))
      #expect(try container.tryResolve(Catalog.self).database === database)
    }
  }

  @MainActor
  final class Theme {
    init() {}
  }

  final class Poster: Sendable {
    let theme: Theme
    init(theme: Theme) { self.theme = theme }
  }

  final class Door: Sendable {}

  final class Room: FirstPart {
    init(door: Door) {}
  }

  final class Hall: Sendable {}

  @Test("A thread forgets what it has created for an initializer whose parameter leads back to that")
  @MainActor
  func recursion() async throws {
    let calls = CallCounter()
    container.register {
      New(autowire: Room.init(door:), as: (any FirstPart).self)
      MainNew { (resolve: Resolver) in
        if calls.call() < 3 { _ = try resolve.tryResolve(Hall.self) { 1 } }
        return Door()
      }
      New { (resolve: Resolver, _: Int) in
        _ = try resolve.tryResolve(Room.self)
        return Hall()
      }
    }
    _ = try await container.resolveAsync(Room.self)
    #expect(calls.count == 3 && Creation.current == nil)
  }

  final class Pair<Part: Sendable>: Sendable {
    init(_ one: Part, _ other: Part) {}
  }

  @Test("A registration is looked at once, however many paths lead to it, and however deep the initializers are nested")
  func manyPaths() async throws {
    // 2 to the power of 60 paths.
    _ = try await nest(Database.self, depth: 60) { type, container in _ = try await container.resolveAsync(type) }
    container.reset()
    let request = try await nest(Catalog.self, depth: 200) { type, container in
      Request(type, .none, CodeLocation(), from: container.resolver)
    }
    startThread(stackSize: 512 << 10) {
      #expect(request.answer.map { request.isAwaited($0) } == true)
    }
  }

  /// Registers a type that needs another one twice, which needs another one twice, and so on, and passes it to a closure.
  private func nest<Part: Sendable, Result>(
    _: Part.Type, depth: Int, _ body: (any Sendable.Type, DIContainer) async throws -> Result
  ) async throws -> Result {
    container.register(Shared(autowire: Pair<Part>.init(_:_:)))
    if depth == 1 { return try await body(Pair<Part>.self, container) }
    return try await nest(Pair<Part>.self, depth: depth - 1, body)
  }

  final class Both: Sendable, FirstPart, SecondPart {
    init(database: Database) {}
  }

  final class Whole: Sendable {
    init(second: any SecondPart, first: any FirstPart) {}
  }

  @Test("A registration of two containers is looked at in both, because each has parameters of its own")
  func twoOwners() async throws {
    let both = Module(Shared(autowire: Both.init(database:), as: (any FirstPart).self, (any SecondPart).self))
    let child = DIContainer(parent: container)
    container.register(both)
    child.register {
      both
      Shared(Database())
      Shared(autowire: Whole.init(second:first:))
    }
    child.unregister((any FirstPart).self)
    _ = try await child.resolveAsync(Whole.self)
  }

  @Test("A cycle of initializers is an error, and a check awaits their parameters")
  func cycle() async throws {
    container.register {
      Shared(autowire: Chicken.init(egg:database:))
      Shared(autowire: Egg.init(chicken:))
    }
    #expect(await asyncFailure { try await container.resolveAsync(Egg.self) }?.brief == "cycle: Egg Chicken Egg")
    // A lazy property cannot be the cure if one of them has to be awaited.
    do {
      let container = DIContainer()
      container.register {
        Shared { resolve in Chicken(egg: try await resolve.resolveAsync(), database: Database()) }
        Shared(autowire: Egg.init(chicken:))
      }
      let error = await asyncFailure { try await container.resolveAsync(Egg.self) }
      #expect(error?.brief == "cycle: Egg Chicken Egg")
      #expect(error?.notes.contains { $0.contains("@LazyInject") } == false)
    }
    // The check of the registrations awaits them, also before it has come to what they need.
    do {
      let container = DIContainer()
      container.register {
        Shared(autowire: Catalog.init(database:))
        Shared { await Database.open() }
      }
      try await container.verify()
    }
  }
}
