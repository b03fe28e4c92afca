internal import DITesting
internal import DependencyInjection
internal import Synchronization
internal import Testing

private final class Log: Sendable {}

private struct Broken: Error {}

@globalActor
private actor OtherActor {
  static let shared = OtherActor()
}

/// Runs a closure on no actor.
@concurrent
private func offMain(_ body: @Sendable () -> Void) async { body() }

extension DIContainer {
  fileprivate static let declared = Dependency<any DecoratorTests.Service>(.shared) { DecoratorTests.Core("declared") }
  fileprivate static let item = Dependency { (_: Resolver, id: String) in
    DecoratorTests.Core(id) as any DecoratorTests.Service
  }

  fileprivate var layers: [String] { resolve((any DecoratorTests.Service).self).layers }

  fileprivate func decorateService(_ name: String, _ counter: LifetimeCounter? = nil) {
    decorate((any DecoratorTests.Service).self) { service, _ in DecoratorTests.Layer(name, service, counter) }
  }
}

// Failures, isolation, and what can be seen from outside.
extension DecoratorTests {
  // MARK: Failures

  @Test("An error on the way is that of the resolution, with one path entry, and a decorator of itself is a cycle")
  func errors() throws {
    container.register {
      Shared { () throws -> any Service in throw Broken() }
      New { resolve in Page(try resolve.tryResolve()) }
    }
    let registered = #line - 3
    container.decorateService("layer")
    let inner = failure { try container.tryResolve(Page.self) }
    #expect(inner?.code == .factoryFailed && inner?.underlyingError is Broken && inner?.path == ["Page", "Service"])
    #expect(inner?.registration?.description == place(registered))
    container.register(Shared(Core() as any Service))
    container.decorate((any Service).self) { _, _ in throw Broken() }
    let decorated = #line - 1
    let outer = failure { try container.tryResolve(Page.self) }
    #expect(outer?.code == .factoryFailed && outer?.underlyingError is Broken && outer?.path == ["Page", "Service"])
    #expect(outer?.registration?.description == place(decorated))
    // A decorator that resolves its own type is a cycle.
    for life in [Life.shared, .new] {
      let suite = Self()
      let container = suite.container
      suite.register(life, LifetimeCounter())
      container.decorate((any Service).self) { _, resolve in try resolve.tryResolve((any Service).self) }
      let error = failure { try container.tryResolve((any Service).self) }
      #expect(
        error?.brief == "cycle: Service Service"
          && error?.notes == ["a decorator resolves what it decorates: that is the first parameter of its closure"])
    }
    // What a decorator of an alias asks for by the own type is on the path, too.
    do {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      container.register(
        New(
          { resolve -> Core in
            let core = Core("core", counter)
            if counter.created > 1 { _ = try resolve.tryResolve(Page.self) }
            return core
          }, as: (any Service).self))
      container.decorate((any Service).self) { _, resolve in try resolve.tryResolve(Core.self) }
      let error = failure { try container.tryResolve((any Service).self) }
      #expect(error?.path == ["Service", "Core", "Page"])
    }
  }

  @Test("A note is about the factory that asks, and not about what decorates that")
  func askers() async {
    struct Shelf: Sendable { let core: Core }
    let ending = ", or by passing it after creation; do not use it in an initializer"
    let unkept = ", which gets another instance because nothing keeps these"
    container.register {
      Shared { (resolve: Resolver) throws in try resolve.tryResolve((any Service).self) }
      Shared { () async in Core() }
      Shared(autowire: Shelf.init(core:))
      New({ (resolve: Resolver) async throws in try resolve.tryResolve(Core.self, named: "slow") }, named: "slow")
    }
    container.decorateService("layer")
    container.decorate(Shelf.self) { shelf, _ in shelf }
    container.decorate(Core.self) { core, _ in core }
    container.decorate(Core.self, named: "slow") { core, _ in core }
    #expect(
      failure { try container.tryResolve((any Service).self) }?.notes == [
        "to wrap what another registration creates, use `Decorated(DecoratorTests.Service.self)`; otherwise break the "
          + "cycle by injecting one of these with `@LazyInject`" + ending
      ])
    #expect(
      failure { try container.tryResolve(Shelf.self) }?.notes == [
        "resolve 'Shelf' with `resolveAsync`, which awaits the parameters of its initializer; or await 'Core' once first, "
          + "and again after a reset or an override in a test: any code of this container then gets the existing instance"
      ])
    let error = await asyncFailure { try await container.resolveAsync(Core.self, named: "slow") }
    #expect(
      error?.brief == "cycle: Core (slow) Core (slow)"
        && error?.notes == ["break the cycle by resolving one of these when it is needed" + unkept + ending])
    await #expect(throws: Never.self) { try await container.resolveAsync(Shelf.self) }
  }

  // MARK: Isolation, and asynchronous ones

  @Test("A factory or a decorator that is asynchronous makes the whole registration so, and is called once")
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
    #expect(
      all.allSatisfy { $0.layers == ["async", "sync", "core"] && $0 === all[0] } && counter.created == 3
        && container.layers == ["async", "sync", "core"])
    container.register(
      New { _, name in
        await Task.yield()
        return Core(name) as any Service
      })
    #expect(try await container.resolveAsync((any Service).self) { "argument" }.layers.last == "argument")
  }

  @Test("A decorator keeps its isolation, and so does what it wraps, on whatever actor that is")
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
    do {
      let container = DIContainer()
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
  }

  /// Decorates an optional type, which is a warning that names the location; `OptionalRegistrationTests` expects it.
  static func decorateOptional(line: UInt) {
    DIContainer().decorate((any Service)?.self, line: line) { service, _ in service }
  }

  // MARK: Declared dependencies

  @Test("A declared dependency is decorated in the current container, with its arguments")
  func declared() {
    DIContainer.withCurrent(container) {
      DIContainer.declared.decorate { service, _ in Layer("layer", service) }
      DIContainer.item.decorate { service, _ in Layer("layer", service) }
      #expect(
        DIContainer.declared().layers == ["layer", "declared"] && DIContainer.declared() === DIContainer.declared()
          && DIContainer.item("42").layers == ["layer", "42"])
      DIContainer.declared.register { Core("other") }
      #expect(DIContainer.declared().layers == ["layer", "other"])
      DIContainer.declared.unregister()
      #expect(DIContainer.declared().layers == ["declared"])
    }
    // In a child, it wraps what the parent has, and not a declaration of the child's own.
    do {
      let container = DIContainer()
      let child = DIContainer(parent: container)
      DIContainer.withCurrent(child) { DIContainer.declared.decorate { service, _ in Layer("child", service) } }
      DIContainer.withCurrent(container) { DIContainer.declared.register { Core("other") } }
      #expect(DIContainer.declared(from: child).layers == ["child", "other"])
    }
  }

  // MARK: Looking inside

  @Test("registrations names the decorators, and a trace sees a resolution once, as what the registration was")
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
        == "Shared DecoratorTests.Both as DecoratorTests.Service, DecoratorTests.Alias at \(place(registered)), "
        + "decorated at \(info.decorators[0]), \(place(line))")
    let child = DIContainer(parent: container)
    child.decorateService("child")
    #expect(child.registrations[0].decorators.count == 3 && container.registrations[0].decorators.count == 2)
    // What a child keeps is listed as what it wraps, whatever its parent registers then.
    do {
      let parent = DIContainer()
      parent.register(Shared(Core() as any Service))
      let line = UInt(#line - 1)
      let child = DIContainer(parent: parent)
      child.decorateService("child")
      _ = child.resolve((any Service).self)
      parent.register(Shared(Core() as any Service))
      #expect(child.registrations.map(\.location.line) == [line])
      parent.unregister((any Service).self)
      #expect(child.registrations.map(\.location.line) == [line])
    }
    // The innermost decorator is the first, and one that wraps nothing is not listed.
    do {
      let container = DIContainer()
      container.decorate((any Service).self) { service, _ in service }
      let line = UInt(#line - 1)
      #expect(container.registrations.isEmpty)
      container.register(Shared(Core() as any Service))
      container.decorate((any Service).self) { service, _ in service }
      #expect(container.registrations.map { $0.decorators.map(\.line) } == [[line, line + 4]])
    }
    do {
      let container = DIContainer()
      container.register(Shared(Core() as any Service))
      let registered = #line - 1
      container.decorateService("first")
      container.decorateService("second")
      let seen = Monitor<[ResolutionEvent]>([])
      let trace = container.trace { event in seen.change { $0.append(event) } }
      _ = (container.layers, container.layers)
      trace.stop()
      let events = seen.change { $0 }
      #expect(
        events.map(\.isCreated) == [true, false] && events.map(\.path) == [["Service"], ["Service"]]
          && events.allSatisfy { $0.registration?.line == UInt(registered) })
    }
  }

  @Test("What a child decorates is no registration of its own, resolved or not", arguments: [true, false])
  func inherited(isResolved: Bool) {
    let module = New(Core("module") as any Service)
    let child = DIContainer(parent: container)
    container.register(module)
    child.rejectsDuplicates = true
    child.decorateService("child")
    if isResolved { #expect(child.layers == ["child", "module"]) }
    // The same registration, as by a module that both contain.
    child.register(module)
    container.register(New(Core("other") as any Service))
    #expect(child.layers == ["child", "module"])
    container.unregister((any Service).self)
    #expect(child.layers == ["child", "module"])
  }

  @Test("What a parent has removed is listed in a child that decorates it as long as the child keeps an instance of it")
  func removed() {
    for isKept in [false, true] {
      let container = DIContainer()
      let child = DIContainer(parent: container)
      container.register {
        if isKept { Shared(Core() as any Service) } else { New(Core() as any Service) }
      }
      child.decorateService("child")
      #expect(child.layers == ["child", "core"])
      container.unregister((any Service).self)
      #expect(child.registrations.count == (isKept ? 1 : 0))
      #expect(child.resolveAll((any Service).self).count == (isKept ? 1 : 0))
      child.reset()
      #expect(child.registrations.isEmpty)
      // It says so, like one that has never wrapped anything.
      let notes = failure { try child.tryResolve((any Service).self) }?.notes
      #expect(notes?.contains { $0.hasPrefix("it is only decorated, at ") } == true)
      DIContainer.withCurrent(child) {
        let notes = failure { try DIContainer().tryResolve((any Service).self) }?.notes
        #expect(notes?.contains { $0.contains("in the current container") } == false)
      }
    }
  }

  @Test("A decorator that comes or goes leaves an alias of what it decorates, whose instance the container has")
  func otherAliases() {
    container.register(Scoped(in: .container, { Core() }, as: (any Service).self, Core.self))
    let middle = DIContainer(parent: container)
    let child = DIContainer(parent: middle)
    child.decorateService("child")
    let core = child.resolve(Core.self)
    #expect(child.layers == ["child", "core"])
    child.decorateService("second")
    #expect(child.resolve(Core.self) === core && child.layers == ["second", "child", "core"])
    middle.decorateService("middle")
    child.unregister((any Service).self)
    #expect(child.layers == ["middle", "core"] && child.resolve(Core.self) === core)
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
    #expect(
      error?.failures.map(\.code) == [.missingRegistration] && error?.failures[0].location.description == place(line)
        && error?.failures[0].path == ["Service", "Log"])
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
    // The own type of a registration with aliases may have a decorator that these do not have.
    do {
      let container = DIContainer()
      container.register {
        Shared(Core(), as: (any Service).self)
        Decorated(Core.self) { core, resolve in
          _ = try resolve.tryResolve(Log.self)
          return core
        }
      }
      let error = await #expect(throws: VerificationError.self) { try await container.verify() }
      #expect(error?.failures.map(\.code) == [.missingRegistration] && error?.failures[0].path == ["Core", "Log"])
      container.register(Shared(Log()))
      try await container.verify()
      let graph = await container.graph()
      #expect(graph.edges.map { [$0.from, $0.to] } == [[0, 1]])
    }
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
      #expect(child.layers == ["last", "end \(round)"] && parent.layers == ["end \(round)"] && counter.alive == 2)
      // The child keeps its wrapper, whatever its parent does.
      parent.removeAll()
      #expect(counter.alive == 2)
      child.removeAll()
      #expect(counter.alive == 0)
    }
  }
}
