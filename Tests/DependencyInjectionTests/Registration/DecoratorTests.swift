internal import DITesting
internal import DependencyInjection
internal import Synchronization
internal import Testing

private protocol Service: AnyObject, Sendable {
  /// The wrappers, the outermost first, and the instance.
  var layers: [String] { get }
  var core: Core { get }
}

private final class Core: Service {
  let name: String
  let token: LifetimeToken?
  init(_ name: String = "core", _ counter: LifetimeCounter? = nil) {
    self.name = name
    token = counter?.token()
  }
  var layers: [String] { [name] }
  var core: Core { self }
}

private final class Layer: Service {
  let name: String
  let inner: any Service
  let token: LifetimeToken?
  init(_ name: String, _ inner: any Service, _ counter: LifetimeCounter? = nil) {
    self.name = name
    self.inner = inner
    token = counter?.token()
  }
  var layers: [String] { [name] + inner.layers }
  var core: Core { inner.core }
}

private protocol Alias: AnyObject, Sendable {}

private final class Both: Service, Alias {
  let own = Core("both")
  var layers: [String] { own.layers }
  var core: Core { own }
}

private final class Log: Sendable {}

private final class Page {
  let service: any Service
  init(_ service: any Service) { self.service = service }
}

private struct Broken: Error {}

/// Injects the service when it is first used.
private final class LazyPage {
  @LazyInject var service: any Service
}

/// Asks its container when it is released.
private final class Asking: Sendable {
  let container: DIContainer
  init(_ container: DIContainer) { self.container = container }
  deinit { _ = container.registrations }
}

@globalActor
private actor OtherActor {
  static let shared = OtherActor()
}

/// Runs a closure on no actor.
@concurrent
private func offMain(_ body: @Sendable () -> Void) async { body() }

extension Scope {
  fileprivate static let session = Scope("decorated session")
}

extension DIContainer {
  fileprivate static let declared = Dependency<any Service>(.shared) { Core("declared") }
  fileprivate static let item = Dependency { (_: Resolver, id: String) in Core(id) as any Service }

  fileprivate var layers: [String] { resolve((any Service).self).layers }

  fileprivate func decorateService(_ name: String, _ counter: LifetimeCounter? = nil) {
    decorate((any Service).self) { service, _ in Layer(name, service, counter) }
  }
}

@Suite("Decorators")
struct DecoratorTests {
  let container = DIContainer()

  @Test("Nothing registered stays nothing, until it is", arguments: [true, false])
  func missing(isChild: Bool) throws {
    let parent = container
    let container = isChild ? DIContainer(parent: parent) : parent
    container.decorateService("layer")
    #expect(container.resolve((any Service)?.self) == nil)
    let error = try #require(failure { try container.tryResolve((any Service).self) })
    #expect(error.code == .missingRegistration && error.path == ["Service"])
    parent.register(Shared(Core() as any Service))
    #expect(container.resolve((any Service)?.self)?.layers == ["layer", "core"])
    #expect(parent.layers == (isChild ? ["core"] : ["layer", "core"]))
  }

  @Test("Several compose in the order of their declaration, on an instance that exists, too")
  func composition() {
    container.register(Shared(Core() as any Service))
    let core = container.resolve((any Service).self).core
    container.decorateService("first")
    #expect(container.layers == ["first", "core"])
    container.decorateService("second")
    #expect(container.layers == ["second", "first", "core"])
    #expect(container.resolve((any Service).self).core === core)
  }

  @Test("An instance is wrapped once, however many threads ask for it first")
  func exactlyOnce() {
    for _ in 0..<50 {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      container.register(Shared(Core("core", counter) as any Service))
      container.decorateService("first", counter)
      container.decorateService("second", counter)
      let all = onThreads(8) { _ in container.resolve((any Service).self) }
      #expect(Set(all.map { ObjectIdentifier($0) }).count == 1)
      #expect(counter.created == 3)
    }
  }

  enum Life: CaseIterable { case shared, new, weak, perGraph, scoped }

  private func register(_ life: Life, _ counter: LifetimeCounter) {
    switch life {
    case .shared: container.register(Shared(Core("core", counter) as any Service))
    case .new: container.register(New(Core("core", counter) as any Service))
    case .weak: container.register(Weak(Core("core", counter) as any Service))
    case .perGraph: container.register(PerGraph(Core("core", counter) as any Service))
    case .scoped: container.register(Scoped(in: .session, Core("core", counter) as any Service))
    }
  }

  @Test("The wrapper has the lifetime of the registration", arguments: Life.allCases, [true, false])
  func lifetimes(life: Life, isChild: Bool) {
    let counter = LifetimeCounter()
    register(life, counter)
    let user = isChild ? DIContainer(parent: container) : container
    user.decorateService("layer", counter)
    container.register {
      New { resolve in Page(resolve()) }
      New { resolve in (resolve(Page.self), resolve(Page.self)) }
    }
    do {
      let pages = user.resolve((Page, Page).self)
      #expect(pages.0.service.layers == ["layer", "core"])
      #expect((pages.0.service === pages.1.service) == (life != .new))
      #expect(counter.created == (life == .new ? 4 : 2))
      let next = user.resolve((any Service).self)
      #expect((next === pages.0.service) == [.shared, .weak, .scoped].contains(life))
      #expect((next.core === pages.0.service.core) == [.shared, .weak, .scoped].contains(life))
    }
    #expect(counter.alive == ([.shared, .scoped].contains(life) ? 2 : 0))
    user.reset(.session)
    #expect(counter.alive == (life == .shared ? 2 : 0))
    #expect(user.layers == ["layer", "core"])
    // A child keeps the wrapper, and its parent what is in it.
    for container in [user, container] { container.reset((any Service).self) }
    #expect(counter.alive == 0)
    #expect(user.layers == ["layer", "core"])
    for container in [user, container] { container.reset() }
    #expect(counter.alive == 0)
  }

  @Test("Another alias leads to the instance itself, which is the one that is wrapped")
  func aliases() {
    container.register(Shared(Both(), as: (any Service).self, (any Alias).self))
    container.decorateService("layer")
    let alias = container.resolve((any Alias).self)
    let service = container.resolve((any Service).self)
    #expect(service.layers == ["layer", "both"])
    #expect(service.core === (alias as? Both)?.own && container.resolve(Both.self) === alias)
    container.reset((any Alias).self)
    #expect(container.resolve((any Service).self).core === container.resolve(Both.self).own)
    container.decorate(Both.self) { _, _ in Both() }
    #expect(container.resolve(Both.self) !== container.resolve((any Alias).self))
  }

  @Test("A decorator belongs to one name, and all names are resolved with theirs")
  func names() throws {
    container.register {
      Shared(Core("plain") as any Service)
      Shared(Core("replica") as any Service, named: "replica")
    }
    container.decorate((any Service).self, named: "replica") { service, _ in Layer("layer", service) }
    #expect(container.layers == ["plain"])
    #expect(container.resolve((any Service).self, named: "replica").layers == ["layer", "replica"])
    #expect(container.resolveAll((any Service).self).map(\.layers) == [["plain"], ["layer", "replica"]])
    #expect(try container.tryResolveAll((any Service).self).map(\.layers.count) == [1, 2])
  }

  @Test("Arguments go to what is wrapped, and wrong ones are an error")
  func arguments() throws {
    container.register(New { (_: Resolver, name: String, number: Int) in Core("\(name) \(number)") as any Service })
    container.decorateService("layer")
    for _ in 0..<2 {
      #expect(container.resolve((any Service).self) { ("core", 7) }.layers == ["layer", "core 7"])
    }
    let error = try #require(failure { try container.tryResolve((any Service).self) { 7 } })
    #expect(error.code == .wrongArguments && error.path == ["Service"])
    container.register(New { _, name in Core(name) as any Service })
    #expect(container.resolve((any Service).self) { "one" }.layers == ["layer", "one"])
  }

  @Test(
    "A decorator resolves what it needs from the container that the wrapper belongs to", arguments: Life.allCases)
  func resolver(life: Life) {
    register(life, LifetimeCounter())
    container.register(Shared(AppConfigurationImpl("parent") as any AppConfiguration))
    container.decorate((any Service).self) { service, resolve in
      Layer(resolve((any AppConfiguration).self).name, service)
    }
    let child = DIContainer(parent: container)
    child.register(Shared(AppConfigurationImpl("child") as any AppConfiguration))
    let isBuiltForChild = life == .new || life == .perGraph
    let service = child.resolve((any Service).self)
    #expect(service.layers == [isBuiltForChild ? "child" : "parent", "core"])
    #expect((container.resolve((any Service).self) === service) == !isBuiltForChild)
    #expect(container.layers == ["parent", "core"])
  }

  // MARK: Children

  @Test("A child has a wrapper of its own around the parent's instance, and the parent does not notice")
  func inherited() {
    container.register {
      Shared(Core() as any Service)
      Shared { resolve in Page(resolve()) }
      New({ resolve in Page(resolve()) }, named: "new")
    }
    let (inner, page) = (container.resolve((any Service).self), container.resolve(Page.self))
    let child = DIContainer(parent: container)
    child.decorateService("child")
    let grandchild = DIContainer(parent: child)
    let wrapper = child.resolve((any Service).self)
    for container in [child, grandchild] {
      #expect(container.resolve((any Service).self) === wrapper && container.resolve((any Service)?.self) === wrapper)
      #expect(wrapper.layers == ["child", "core"] && wrapper.core === inner)
      // What is built for the child sees it, and what the parent keeps does not.
      #expect(container.resolve(Page.self, named: "new").service === wrapper)
      #expect(container.resolve(Page.self) === page)
    }
    #expect(container.resolve((any Service).self) === inner && page.service === inner)
    grandchild.decorateService("grandchild")
    #expect(grandchild.layers == ["grandchild", "child", "core"])
    #expect((grandchild.resolve((any Service).self) as? Layer)?.inner === wrapper)
    container.decorateService("parent")
    #expect(container.layers == ["parent", "core"])
    #expect(child.resolve((any Service).self) === wrapper, "a change ends at its own container")
    child.reset()
    grandchild.reset()
    #expect(grandchild.layers == ["grandchild", "child", "parent", "core"])
    #expect(child.layers == ["child", "parent", "core"])
  }

  @Test("What a child registers takes the place of the parent's registration and its decorators")
  func shadowing() {
    container.register(Shared(Core() as any Service))
    container.decorateService("parent")
    let child = DIContainer(parent: container)
    #expect(child.layers == ["parent", "core"])
    child.register(Shared(Core("own") as any Service))
    #expect(child.layers == ["own"])
    child.decorateService("child")
    #expect(child.layers == ["child", "own"])
    child.unregister((any Service).self)
    #expect(child.layers == ["parent", "core"])
    DIContainer.withCurrent(container) {
      DIContainer.withOverrides {
        New(Core("override") as any Service)
      } perform: {
        #expect(DIContainer.resolve((any Service).self).layers == ["override"])
        DIContainer.decorate((any Service).self) { service, _ in Layer("static", service) }
        #expect(DIContainer.resolve((any Service).self).layers == ["static", "override"])
      }
    }
  }

  enum Change: CaseIterable { case registered, reset, unregistered }

  @Test("A change of the parent leaves the wrapper of a child, until the child is reset", arguments: Change.allCases)
  func change(_ change: Change) {
    let names: [Change: String] = [.registered: "new", .reset: "old"]
    let counter = LifetimeCounter()
    container.register(Shared(Core("old", counter) as any Service))
    let child = DIContainer(parent: container)
    child.decorateService("child", counter)
    do {
      let wrapper = child.resolve((any Service).self)
      #expect(wrapper.layers == ["child", "old"])
      switch change {
      case .registered: container.register(Shared(Core("new", counter) as any Service))
      case .reset: container.reset((any Service).self)
      case .unregistered: container.unregister((any Service).self)
      }
      // However often it is asked for: more than are retained at once.
      #expect((0..<1_100).allSatisfy { _ in child.resolve((any Service).self) === wrapper })
      let core = container.resolve((any Service)?.self)?.core
      #expect(core !== wrapper.core && core?.name == names[change])
    }
    container.reset()
    #expect(counter.alive == 2)
    child.reset()
    #expect(counter.alive == 0)
    #expect(child.resolve((any Service)?.self)?.layers == names[change].map { ["child", $0] })
  }

  @Test("A lazy property uses the wrapper of the container that its owner belongs to")
  func lazy() {
    container.register {
      Shared(Core() as any Service)
      Shared(LazyPage())
      New(LazyPage(), named: "new")
      Scoped(in: .container, LazyPage(), named: "scoped")
    }
    let child = DIContainer(parent: container)
    child.decorateService("child")
    let shared = child.resolve(LazyPage.self)
    #expect(DIContainer.withCurrent(child) { shared.service.layers } == ["core"])
    #expect(container.resolve(LazyPage.self) === shared)
    for name in ["new", "scoped"] as [DependencyName] {
      let page = child.resolve(LazyPage.self, named: name)
      #expect(DIContainer.withCurrent(container) { page.service.layers } == ["child", "core"])
      #expect(container.resolve(LazyPage.self, named: name).service.layers == ["core"])
    }
  }

  // MARK: Undoing it

  @Test("A removed decorator is released when no lock is held", arguments: [true, false])
  func release(isOverride: Bool) {
    func decorate() {
      let asking = Asking(container)
      container.decorate((any Service).self) { service, _ in withExtendedLifetime(asking) { service } }
    }
    decorate()
    if isOverride {
      DIContainer.withCurrent(container) { DIContainer.override { New(Core() as any Service) } }
    } else {
      container.unregister((any Service).self)
    }
    #expect(container.registrations.allSatisfy { $0.decorators.isEmpty })
  }

  @Test("In a child, unregister removes a decorator of what it inherits")
  func undoneInChild() {
    container.register(Shared(Core() as any Service))
    let child = DIContainer(parent: container)
    let counter = LifetimeCounter()
    child.decorateService("child", counter)
    #expect(child.layers == ["child", "core"])
    child.unregister((any Service).self)
    #expect(child.layers == ["core"] && counter.alive == 0)
  }

  @Test("A replaced, reset or newly wrapped instance is released with its wrapper")
  func promptness() {
    let counter = LifetimeCounter()
    container.register(Shared(Core("core", counter) as any Service))
    container.decorateService("layer", counter)
    _ = container.layers
    container.reset((any Service).self)
    #expect(counter.alive == 0)
    _ = container.layers
    container.decorateService("outer", counter)
    #expect(counter.alive == 2, "the instance and its wrapper are what the next one wraps")
    _ = container.layers
    #expect(counter.alive == 3)
    container.register(New(Core() as any Service))
    #expect(counter.alive == 0)
  }

  @Test("Snapshots have the decorators and the instances, and copies have the decorators alone")
  func snapshots() {
    container.register(Shared(Core() as any Service))
    container.decorateService("layer")
    let service = container.resolve((any Service).self)
    let snapshot = container.snapshot()
    container.unregister((any Service).self)
    container.restore(snapshot)
    #expect(container.resolve((any Service).self) === service)
    let child = DIContainer(parent: container)
    child.decorateService("child")
    for (original, layers) in [(container, ["layer", "core"]), (child, ["child", "layer", "core"])] {
      DIContainer.withCurrent(original) {
        DIContainer.withOverrides {
          // None: the copy alone.
        } perform: {
          let copied = DIContainer.resolve((any Service).self)
          #expect(copied.layers == layers && copied.core !== service.core)
        }
      }
    }
    #expect(container.resolve((any Service).self) === service)
  }

  // MARK: Failures

  @Test("An error of the registration or of the decorator is the error of the resolve, with one entry in its path")
  func errors() throws {
    container.register {
      Shared { () throws -> any Service in throw Broken() }
      New { resolve in Page(try resolve.tryResolve()) }
    }
    let registered = #line - 3
    container.decorateService("layer")
    let inner = try #require(failure { try container.tryResolve(Page.self) })
    #expect(inner.code == .factoryFailed && inner.underlyingError is Broken && inner.path == ["Page", "Service"])
    #expect(inner.registration?.description == place(registered))
    container.register(Shared(Core() as any Service))
    container.decorate((any Service).self) { _, _ in throw Broken() }
    let decorated = #line - 1
    let outer = try #require(failure { try container.tryResolve(Page.self) })
    #expect(outer.code == .factoryFailed && outer.underlyingError is Broken && outer.path == ["Page", "Service"])
    #expect(outer.registration?.description == place(decorated))
  }

  @Test("A decorator that resolves its own type is a cycle", arguments: [Life.shared, .new])
  func cycle(life: Life) throws {
    register(life, LifetimeCounter())
    container.decorate((any Service).self) { _, resolve in try resolve.tryResolve((any Service).self) }
    let error = try #require(failure { try container.tryResolve((any Service).self) })
    #expect(error.code == .cycle && error.path == ["Service", "Service"])
    #expect(error.notes == ["a decorator resolves what it decorates: that is the first parameter of its closure"])
  }

  // MARK: Isolation, and asynchronous ones

  @Test("A factory or a decorator that is asynchronous makes the whole so, and is called once")
  func asynchronous() async throws {
    let (container, counter) = (container, LifetimeCounter())
    container.register(
      Shared {
        await Task.yield()
        return Core("core", counter) as any Service
      })
    container.decorateService("sync", counter)
    container.decorate((any Service).self) { service, _ in
      await Task.yield()
      return Layer("async", service, counter)
    }
    #expect(failure { try container.tryResolve((any Service).self) }?.code == .asynchronous)
    let all = try await withThrowingTaskGroup(of: (any Service).self) { group in
      for _ in 0..<8 { group.addTask { try await container.resolveAsync((any Service).self) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(all.allSatisfy { $0.layers == ["async", "sync", "core"] && $0 === all[0] })
    #expect(counter.created == 3)
    #expect(container.layers == ["async", "sync", "core"])
    container.register(
      New { _, name in
        await Task.yield()
        return Core(name) as any Service
      })
    #expect(try await container.resolveAsync((any Service).self) { "argument" }.layers.last == "argument")
  }

  @Test("A decorator keeps its isolation, and so does what it wraps")
  func isolation() async throws {
    let container = container
    container.register(
      Shared { @MainActor in
        MainActor.assertIsolated()
        return Core() as any Service
      })
    container.decorateService("layer")
    func elsewhere() async throws -> [String] { try await container.resolveAsync((any Service).self).layers }
    await offMain { #expect(failure { try container.tryResolve((any Service).self) }?.code == .wrongActor) }
    #expect(try await elsewhere() == ["layer", "core"])
    container.decorate((any Service).self) { @MainActor service, _ in
      MainActor.assertIsolated()
      return Layer("main", service)
    }
    await offMain { #expect(failure { try container.tryResolve((any Service).self) }?.code == .wrongActor) }
    #expect(try await elsewhere() == ["main", "layer", "core"])
    await offMain { #expect(container.layers == ["main", "layer", "core"]) }
    try await container.verify()
  }

  @Test("A decorator on one actor wraps what has to be created on another, or what another one wraps there")
  func otherActor() async throws {
    container.register(
      Shared { @MainActor in
        MainActor.assertIsolated()
        return Core() as any Service
      })
    container.decorate((any Service).self) { @OtherActor service, _ in
      OtherActor.shared.assertIsolated()
      return Layer("other", service)
    }
    container.decorateService("layer")
    try await container.verify()
    #expect(try await container.resolveAsync((any Service).self).layers == ["layer", "other", "core"])
  }

  @Test("A check goes to the actor of an inner decorator")
  func innerActor() async throws {
    container.register(Shared(Core() as any Service))
    container.decorate((any Service).self) { @MainActor service, _ in
      MainActor.assertIsolated()
      return Layer("main", service)
    }
    container.decorateService("layer")
    try await container.verify()
  }

  @Test("A decorator of an optional type is a warning that names the place")
  func optional() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      DIContainer().decorate((any Service)?.self, line: 7) { service, _ in service }
    }
    #expect(
      result?.message.contains(
        "warning: 'Service?' is decorated at \(place(7)), but never resolved: 'Service?' asks for a 'Service'. "
          + "Decorate 'Service'.\n") == true)
  }

  // MARK: Declared dependencies

  @Test("A declared dependency is decorated in the current container, with its arguments")
  func declared() {
    DIContainer.withCurrent(container) {
      DIContainer.declared.decorate { service, _ in Layer("layer", service) }
      DIContainer.item.decorate { service, _ in Layer("layer", service) }
      #expect(DIContainer.declared().layers == ["layer", "declared"])
      #expect(DIContainer.declared() === DIContainer.declared())
      #expect(DIContainer.item("42").layers == ["layer", "42"])
      DIContainer.declared.register { Core("other") }
      #expect(DIContainer.declared().layers == ["layer", "other"])
      DIContainer.declared.unregister()
      #expect(DIContainer.declared().layers == ["declared"])
    }
  }

  // MARK: Looking inside

  @Test("registrations names the decorators")
  func listing() {
    container.register(Shared(Both(), as: (any Service).self, (any Alias).self))
    let registered = #line - 1
    container.decorateService("first")
    container.decorate((any Alias).self) { alias, _ in alias }
    let line = #line - 1
    let info = container.registrations[0]
    #expect(info.decorators.count == 2 && info.decorators[1].line == UInt(line))
    #expect(
      "\(info)"
        == "Shared Both as Service, Alias at \(place(registered)), decorated at \(info.decorators[0]), \(place(line))")
    let child = DIContainer(parent: container)
    child.decorateService("child")
    #expect(child.registrations[0].decorators.count == 3 && container.registrations[0].decorators.count == 2)
  }

  @Test("verify resolves what a decorator needs, and finds what it captures")
  func verify() async throws {
    container.register {
      Shared(Core() as any Service)
      New { resolve in Page(resolve()) }
      New(AppConfigurationImpl() as any AppConfiguration)
    }
    container.decorate((any Service).self) { service, resolve in
      _ = resolve(Log.self)
      return service
    }
    let line = #line - 3
    let error = await #expect(throws: VerificationError.self) { try await container.verify() }
    #expect(error?.failures.map(\.code) == [.missingRegistration])
    #expect(error?.failures[0].location.description == place(line))
    #expect(error?.failures[0].path == ["Service", "Log"])
    container.register(Shared(Log()))
    try await container.verify()
    container.decorate((any Service).self) { service, resolve in
      Layer(resolve((any AppConfiguration).self).name, service)
    }
    let captive = await #expect(throws: VerificationError.self) { try await container.verify() }
    #expect(captive?.failures.map(\.code) == [.captiveDependency])
    let graph = await container.graph()
    let edges = graph.edges.map { "\(graph.registrations[$0.from].type) \(graph.registrations[$0.to].type)" }
    #expect(Set(edges) == ["Service Log", "Service AppConfiguration", "Page Service"])
  }

  @Test("A resolve is seen once, as what the registration was")
  func traced() {
    container.register(Shared(Core() as any Service))
    let registered = #line - 1
    container.decorateService("first")
    container.decorateService("second")
    let seen = Monitor<[ResolutionEvent]>([])
    let trace = container.trace { event in seen.change { $0.append(event) } }
    _ = (container.layers, container.layers)
    trace.stop()
    let events = seen.change { $0 }
    #expect(events.map(\.isCreated) == [true, false] && events.map(\.path) == [["Service"], ["Service"]])
    #expect(events.allSatisfy { $0.registration?.line == UInt(registered) })
  }

  @Test("Threads that register, decorate, undo and resolve see whole answers, and the last change is the answer")
  func race() {
    for round in 0..<20 {
      let (parent, counter) = (DIContainer(), LifetimeCounter())
      let child = DIContainer(parent: parent)
      parent.register(Shared(Core("0", counter) as any Service))
      onThreads(6) { thread in
        for step in 0..<60 {
          switch thread {
          case 0: parent.register(Shared(Core("\(step)", counter) as any Service))
          case 1:
            child.decorateService("child", counter)
            if step % 3 == 0 { child.unregister((any Service).self) }
          case 2 where step % 10 == 9: parent.reset((any Service).self)
          default:
            let layers = (thread % 2 == 0 ? child : parent).layers
            precondition(layers.dropLast().allSatisfy { $0 == "child" }, "\(layers)")
          }
        }
      }
      child.unregister((any Service).self)
      child.decorateService("last", counter)
      parent.register(Shared(Core("end \(round)", counter) as any Service))
      #expect(child.layers == ["last", "end \(round)"])
      #expect(parent.layers == ["end \(round)"])
      #expect(counter.alive == 2)
      // The child keeps its wrapper, whatever its parent does.
      parent.removeAll()
      #expect(counter.alive == 2)
      child.removeAll()
      #expect(counter.alive == 0)
    }
  }
}
