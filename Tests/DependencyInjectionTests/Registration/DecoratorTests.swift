internal import DITesting
internal import DependencyInjection
internal import Synchronization
internal import Testing

extension Scope {
  fileprivate static let session = Scope("decorated session")
}

extension DIContainer {
  fileprivate var layers: [String] { resolve((any DecoratorTests.Service).self).layers }

  fileprivate func decorateService(_ name: String, _ counter: LifetimeCounter? = nil) {
    decorate((any DecoratorTests.Service).self) { service, _ in DecoratorTests.Layer(name, service, counter) }
  }
}

struct DecoratorTests {
  let container = DIContainer()

  @Test("Decorators compose in the order of their declaration, of what exists or comes later, once, in a child, too")
  func composition() throws {
    container.register(Shared(Core() as any Service))
    let core = container.resolve((any Service).self).core
    container.decorateService("first")
    #expect(container.layers == ["first", "core"])
    container.decorateService("second")
    #expect(container.layers == ["second", "first", "core"] && container.resolve((any Service).self).core === core)
    // One that comes while the instance is created wraps that.
    do {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      container.register(
        Shared { () -> any Service in
          DIContainer.current.decorateService("layer")
          return Core("core", counter)
        })
      let core = container.resolve((any Service).self).core
      #expect(
        container.layers == ["layer", "core"] && container.resolve((any Service).self).core === core
          && counter.created == 1)
    }
    // Nothing registered stays nothing, until it is.
    for isChild in [true, false] {
      let parent = DIContainer()
      let container = isChild ? DIContainer(parent: parent) : parent
      container.decorateService("layer")
      #expect(
        container.resolve((any Service)?.self) == nil
          && failure { try container.tryResolve((any Service).self) }?.brief == "missingRegistration: Service")
      parent.register(Shared(Core() as any Service))
      #expect(
        container.resolve((any Service)?.self)?.layers == ["layer", "core"]
          && parent.layers == (isChild ? ["core"] : ["layer", "core"]))
    }
    // An instance is wrapped once, however many threads ask for it first.
    for _ in 0..<50 {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      container.register(Shared(Core("core", counter) as any Service))
      container.decorateService("first", counter)
      container.decorateService("second", counter)
      let all = onThreads(8) { _ in container.resolve((any Service).self) }
      let instances = Set(all.map { ObjectIdentifier($0) })
      #expect(instances.count == 1 && counter.created == 3)
    }
  }

  enum Life: CaseIterable { case shared, new, weak, perGraph, scoped }

  func register(_ life: Life, _ counter: LifetimeCounter) {
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
      #expect(
        pages.0.service.layers == ["layer", "core"] && (pages.0.service === pages.1.service) == (life != .new)
          && counter.created == (life == .new ? 4 : 2))
      let next = user.resolve((any Service).self)
      #expect(
        (next === pages.0.service) == [.shared, .weak, .scoped].contains(life)
          && (next.core === pages.0.service.core) == [.shared, .weak, .scoped].contains(life))
    }
    #expect(counter.alive == ([.shared, .scoped].contains(life) ? 2 : 0))
    user.reset(.session)
    #expect(counter.alive == (life == .shared ? 2 : 0) && user.layers == ["layer", "core"])
    // A child keeps the wrapper, and its parent what is in it.
    for container in [user, container] { container.reset((any Service).self) }
    #expect(counter.alive == 0 && user.layers == ["layer", "core"])
    for container in [user, container] { container.reset() }
    #expect(counter.alive == 0)
  }

  @Test("A decorator belongs to one name or alias, and passes arguments on to what it wraps")
  func keys() throws {
    container.register {
      Shared(Core("plain") as any Service)
      Shared(Core("replica") as any Service, named: "replica")
    }
    container.decorate((any Service).self, named: "replica") { service, _ in Layer("layer", service) }
    #expect(
      [container.layers, container.resolve((any Service).self, named: "replica").layers] == [
        ["plain"], ["layer", "replica"],
      ])
    #expect(
      try container.resolveAll((any Service).self).map(\.layers) == [["plain"], ["layer", "replica"]]
        && container.tryResolveAll((any Service).self).map(\.layers.count) == [1, 2])
    // Arguments go to what is wrapped, and wrong ones are an error.
    do {
      let container = DIContainer()
      container.register(New { (_: Resolver, name: String, number: Int) in Core("\(name) \(number)") as any Service })
      container.decorateService("layer")
      for _ in 0..<2 {
        #expect(container.resolve((any Service).self) { ("core", 7) }.layers == ["layer", "core 7"])
      }
      #expect(failure { try container.tryResolve((any Service).self) { 7 } }?.brief == "wrongArguments: Service")
      container.register(New { _, name in Core(name) as any Service })
      #expect(container.resolve((any Service).self) { "one" }.layers == ["layer", "one"])
    }
    // Another alias leads to the instance itself, which is the one that is wrapped.
    do {
      let container = DIContainer()
      container.register(Shared(Both(), as: (any Service).self, (any Alias).self))
      container.decorateService("layer")
      let alias = container.resolve((any Alias).self)
      let service = container.resolve((any Service).self)
      #expect(
        service.layers == ["layer", "both"] && service.core === (alias as? Both)?.own
          && container.resolve(Both.self) === alias)
      container.reset((any Alias).self)
      #expect(container.resolve((any Service).self).core === container.resolve(Both.self).own)
      container.decorate(Both.self) { _, _ in Both() }
      #expect(container.resolve(Both.self) !== container.resolve((any Alias).self))
    }
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
    #expect(
      service.layers == [isBuiltForChild ? "child" : "parent", "core"]
        && (container.resolve((any Service).self) === service) == !isBuiltForChild
        && container.layers == ["parent", "core"])
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
      #expect(container.resolve(Page.self, named: "new").service === wrapper && container.resolve(Page.self) === page)
    }
    #expect(container.resolve((any Service).self) === inner && page.service === inner)
    grandchild.decorateService("grandchild")
    #expect(
      grandchild.layers == ["grandchild", "child", "core"]
        && (grandchild.resolve((any Service).self) as? Layer)?.inner === wrapper)
    container.decorateService("parent")
    #expect(container.layers == ["parent", "core"])
    #expect(child.resolve((any Service).self) === wrapper, "a change ends at its own container")
    child.reset()
    grandchild.reset()
    #expect(
      [grandchild.layers, child.layers] == [["grandchild", "child", "parent", "core"], ["child", "parent", "core"]])
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
      // What is traced is not asked of the table.
      let trace = child.trace { _ in }
      #expect(child.resolve((any Service).self) === wrapper)
      trace.stop()
      let core = container.resolve((any Service)?.self)?.core
      #expect(core !== wrapper.core && core?.name == names[change])
    }
    container.reset()
    #expect(counter.alive == 2)
    child.reset()
    #expect(counter.alive == 0 && child.resolve((any Service)?.self)?.layers == names[change].map { ["child", $0] })
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
    #expect(
      DIContainer.withCurrent(child) { shared.service.layers } == ["core"]
        && container.resolve(LazyPage.self) === shared)
    for name in ["new", "scoped"] as [DependencyName] {
      let page = child.resolve(LazyPage.self, named: name)
      #expect(
        [
          DIContainer.withCurrent(container) { page.service.layers },
          container.resolve(LazyPage.self, named: name).service.layers,
        ] == [["child", "core"], ["core"]])
    }
  }

  // MARK: Undoing it

  @Test("A removed decorator is released when no lock is held, and a replaced or reset instance with its wrapper")
  func release() {
    for isOverride in [true, false] {
      let container = DIContainer()
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
    // In a child, unregister removes a decorator of what it inherits.
    do {
      let container = DIContainer()
      container.register(Shared(Core() as any Service))
      let child = DIContainer(parent: container)
      let counter = LifetimeCounter()
      child.decorateService("child", counter)
      #expect(child.layers == ["child", "core"])
      child.unregister((any Service).self)
      #expect(child.layers == ["core"] && counter.alive == 0)
    }
    // A replaced, reset or newly wrapped instance is released with its wrapper.
    do {
      let container = DIContainer()
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
    // A reset of a decorated alias is one of all keys of the instance, but for those that something else has.
    do {
      let container = DIContainer()
      container.register(Shared({ Core() }, as: (any Service).self, AnyObject.self))
      container.decorateService("layer")
      container.register(Shared(RouterImpl() as AnyObject))
      let (core, other) = (container.resolve(Core.self), container.resolve(AnyObject.self))
      #expect(container.resolve((any Service).self).core === core)
      container.reset((any Service).self)
      #expect(container.resolve(Core.self) !== core && container.resolve(AnyObject.self) === other)
    }
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
}

// The cast.
extension DecoratorTests {
  protocol Service: AnyObject, Sendable {
    /// The wrappers, the outermost first, and the instance.
    var layers: [String] { get }
    var core: Core { get }
  }

  final class Core: Service {
    let name: String
    let token: LifetimeToken?
    init(_ name: String = "core", _ counter: LifetimeCounter? = nil) {
      self.name = name
      token = counter?.token()
    }
    var layers: [String] { [name] }
    var core: Core { self }
  }

  final class Layer: Service {
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

  protocol Alias: AnyObject, Sendable {}

  final class Both: Service, Alias {
    let own = Core("both")
    var layers: [String] { own.layers }
    var core: Core { own }
  }

  final class Page {
    let service: any Service
    init(_ service: any Service) { self.service = service }
  }

  /// Injects the service when it is first used.
  final class LazyPage {
    @LazyInject var service: any Service
  }

  /// Asks its container when it is released.
  final class Asking: Sendable {
    let container: DIContainer
    init(_ container: DIContainer) { self.container = container }
    deinit { _ = container.registrations }
  }
}
