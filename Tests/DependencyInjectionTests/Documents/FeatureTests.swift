internal import DITesting
internal import DependencyInjection
internal import Testing

// What the documents of other libraries offer, what their roadmaps promise, and what their users have asked for, by the
// names it has there. What the snippets of the documents or a suite of its own covers is not repeated here.

// MARK: - Modules that know each other by protocols only

/// What features see: protocols, and nothing of who implements them.
private enum Interfaces {
  protocol HTTPClient: AnyObject, Sendable {}
  protocol Links: AnyObject, Sendable { var client: any HTTPClient { get } }
  protocol Offers: AnyObject { var links: any Links { get } }
}

/// Implements an interface, and uses another one whose implementation it does not know.
private enum Services {
  final class LinksService: Interfaces.Links, @unchecked Sendable {
    // Unchecked: what is injected does not change.
    @Inject var client: any Interfaces.HTTPClient
  }

  static let module = Module(Shared(LinksService() as any Interfaces.Links))
}

private enum Feature {
  final class OffersModel: Interfaces.Offers {
    @Inject var links: any Interfaces.Links
  }

  static let module = Module(New(OffersModel() as any Interfaces.Offers))
}

/// The only one who knows all.
private enum Bootstrap {
  final class Client: Interfaces.HTTPClient {}

  static func start() {
    DIContainer.register {
      Feature.module
      Services.module
      Shared(Client() as any Interfaces.HTTPClient)
    }
  }
}

// MARK: - Declared dependencies

private protocol MyService: AnyObject, Sendable { var name: String { get } }

private final class MyServiceImpl: MyService {
  let name: String
  init(_ name: String = "real") { self.name = name }
}

private final class ConstructedService: Sendable {
  let service: any MyService
  init(service: any MyService) { self.service = service }
}

private enum Orders {
  static let constructed = Dependency { ConstructedService(service: Orders.service()) }
  static let service = Dependency<any MyService>(.shared) { MyServiceImpl() }
  static let optional = Dependency<(any MyService)?> { nil }
}

private enum Payments {
  static let another = Dependency { resolve in [Orders.service(from: resolve).name, "paid"] }
  static func setupMocks() {
    Orders.service.register { MyServiceImpl("mock") }
    Orders.optional.register { MyServiceImpl("from the main module") }
  }
}

private final class ViewModelPoc {
  @LazyInject(Orders.service) private var declared
  @LazyInject private var registered: any MyService
  @LazyInject(named: "poc") private var named: any MyService

  var names: [String] { [declared.name, registered.name, named.name] }
}

// MARK: - VIPER

private protocol PresenterInterface: AnyObject { func didLoad(_ items: [String]) }

private protocol InteractorInterface: AnyObject { func fetch() }

private protocol ViewInterface: AnyObject { var shown: [String] { get } }

private final class Presenter: PresenterInterface, ViewInterface {
  @Inject var interactor: any InteractorInterface
  private(set) var shown: [String] = []
  func didLoad(_ items: [String]) { shown = items }
}

private final class Interactor: InteractorInterface {
  private let presenter: () -> (any PresenterInterface)?
  init(presenter: @escaping () -> (any PresenterInterface)?) { self.presenter = presenter }
  func fetch() { presenter()?.didLoad(["cat"]) }
}

// MARK: -

extension Scope {
  fileprivate static let session = Scope("session")
  fileprivate static let purchase = Scope("purchase")
}

extension DependencyName {
  fileprivate static let undecorated: Self = "undecorated"
}

@Suite("What other documents offer and their users ask for", .isolatedContainer(.empty))
struct FeatureTests {
  // MARK: From the synchronous and the asynchronous container

  @Test("Register an instance with an identifier")
  func identifier() {
    DIContainer.register {
      Shared(MyServiceImpl("one") as any MyService, named: "one")
      Shared(MyServiceImpl("two") as any MyService, named: "two")
    }
    #expect(DIContainer.resolve((any MyService).self, named: "two").name == "two")
  }

  @Test("Autoregister, also with an argument")
  func autoregister() {
    DIContainer.register {
      Shared(MyServiceImpl() as any MyService)
      Shared(autowire: ConstructedService.init(service:))
      New(autowire: MyServiceImpl.init(_:), arguments: String.self)
    }
    #expect(DIContainer.resolve(ConstructedService.self).service.name == "real")
    #expect(DIContainer.resolve(MyServiceImpl.self) { "42" }.name == "42")
  }

  @Test("Property wrappers that resolve from a static container")
  func staticContainer() {
    enum Singletons {
      static let container = DIContainer()
      static func configure() { container.register(Shared(MyServiceImpl("configured") as any MyService)) }
    }
    struct Object {
      @Inject(from: Singletons.container) var dependency: any MyService
    }
    Singletons.configure()
    #expect(Object().dependency.name == "configured")
  }

  @Test("Container hierarchy, and detecting circular dependencies through it")
  func hierarchy() {
    let child = DIContainer(parent: .current)
    DIContainer.register {
      Scoped(in: .container) { resolve in try ConstructedService(service: resolve.tryResolve()) }
      Shared({ resolve in try ConstructedService(service: resolve.tryResolve()) }, named: "kept")
    }
    child.register(
      Shared { resolve in try resolve.tryResolve(ConstructedService.self).service })
    #expect(
      failure { try child.tryResolve(ConstructedService.self) }?.path == [
        "ConstructedService", "MyService", "ConstructedService",
      ])
    child.register(Shared(MyServiceImpl("child") as any MyService))
    #expect(child.resolve(ConstructedService.self).service.name == "child")
    #expect(child.resolve(ConstructedService.self) === child.resolve(ConstructedService.self))
    // What the parent keeps does not see the child.
    let error = failure { try child.tryResolve(ConstructedService.self, named: "kept") }
    #expect(error?.code == .missingRegistration && error?.path == ["ConstructedService (kept)", "MyService"])
  }

  @Test("Async: main actor types and other actors' resolve from concurrent code")
  func async() async throws {
    DIContainer.register {
      Shared(onMain: Screen())
      New { @MainActor resolve in [ObjectIdentifier(resolve(Screen.self))] }
    }
    async let first = DIContainer.resolveAsync(Screen.self)
    async let second = DIContainer.resolveAsync(Screen.self)
    let screen = try await first
    #expect(try await second === screen)
    #expect(try await DIContainer.resolveAsync([ObjectIdentifier].self) == [ObjectIdentifier(screen)])
  }

  // MARK: From the compile-time safe library

  @Test("Compile-time safe: a declared dependency needs no registration, and is called like a function")
  func compileTimeSafe() {
    #expect(Orders.service() === Orders.service())
    #expect(Orders.constructed().service === Orders.service())
  }

  @Test("Mocks for previews: a function overrides what deeper dependencies resolve")
  func mocks() {
    #expect(Orders.constructed().service.name == "real")
    Payments.setupMocks()
    #expect(Orders.constructed().service.name == "mock")
  }

  @Test("Scopes: unique, singleton, cached, shared (weak), graph and custom ones")
  func scopes() {
    DIContainer.register {
      New(MyServiceImpl(), named: "unique")
      Shared(MyServiceImpl(), named: "singleton")
      Scoped(in: .purchase, MyServiceImpl(), named: "cached")
      Weak(MyServiceImpl(), named: "shared")
      PerGraph(MyServiceImpl(), named: "graph")
      Scoped(in: .session, MyServiceImpl(), named: "session")
    }
    func instance(_ name: DependencyName) -> MyServiceImpl { DIContainer.resolve(named: name) }
    let before = ["singleton", "cached", "shared", "session"].map { instance($0) }
    #expect(instance("unique") !== instance("unique") && instance("graph") !== instance("graph"))
    DIContainer.reset(.session)
    let after = ["singleton", "cached", "shared", "session"].map { instance($0) }
    #expect(zip(before, after).map { $0 === $1 } == [true, true, true, false])
    DIContainer.current.reset()
    #expect(instance("cached") !== before[1])
  }

  @Test("Custom containers: dependencies in several places use each other, and there are optional ones")
  func customContainers() {
    #expect(Payments.another() == ["real", "paid"])
    #expect(Orders.optional() == nil)
  }

  @Test("Multi-module projects: the main module provides what a feature has declared as optional")
  func optionalModules() {
    Payments.setupMocks()
    #expect(Orders.optional()?.name == "from the main module")
  }

  @Test("Unit tests: push the registrations and pop them again")
  func pushAndPop() {
    let outer = DIContainer.snapshot()
    Orders.service.register { MyServiceImpl("outer") }
    let inner = DIContainer.snapshot()
    Orders.service.register(.new) { MyServiceImpl("inner") }
    #expect(Orders.service().name == "inner")
    DIContainer.restore(inner)
    #expect(Orders.service().name == "outer")
    DIContainer.restore(outer)
    #expect(Orders.service().name == "real")
  }

  @Test("Decorators: an instance wraps another one of the same type")
  func decorators() {
    final class Logging: MyService {
      let wrapped: any MyService
      init(_ wrapped: any MyService) { self.wrapped = wrapped }
      var name: String { "logged \(wrapped.name)" }
    }
    DIContainer.register {
      Shared(MyServiceImpl() as any MyService, named: .undecorated)
      Shared { resolve in Logging(resolve(named: .undecorated)) as any MyService }
    }
    #expect(DIContainer.resolve((any MyService).self).name == "logged real")
    // In a copy without touching the original, or in a child around the parent's.
    let original = DIContainer.resolve((any MyService).self)
    DIContainer.withOverrides {
      Decorated((any MyService).self) { service, _ in Logging(service) }
    } perform: {
      let service = DIContainer.resolve((any MyService).self)
      #expect(service.name == "logged logged real" && (service as? Logging)?.wrapped !== original)
    }
    let child = DIContainer(parent: .current)
    child.register(Decorated((any MyService).self) { service, _ in Logging(service) })
    #expect((child.resolve((any MyService).self) as? Logging)?.wrapped === original)
    #expect(DIContainer.resolve((any MyService).self) === original)
  }

  // MARK: From its users' requests

  @Test("A registration in a test reaches lazily injected properties")
  func lazily() {
    DIContainer.register {
      Shared(MyServiceImpl() as any MyService)
      Shared(MyServiceImpl() as any MyService, named: "poc")
    }
    let model = ViewModelPoc()
    Orders.service.register { MyServiceImpl("test project") }
    DIContainer.register {
      Shared(MyServiceImpl("test project") as any MyService)
      Shared(MyServiceImpl("test project") as any MyService, named: "poc")
    }
    #expect(model.names == Array(repeating: "test project", count: 3))
  }

  @Test("Dynamic registration after login: nothing before it, the user's after it, gone after logout")
  func login() {
    final class Account: Sendable {
      let user: String
      init(user: String) { self.user = user }
    }
    final class Greeting {
      @Inject var account: Account?
    }
    #expect(Greeting().account == nil)
    for user in ["Ada", "Grace"] {
      DIContainer.register(Scoped(in: .session, Account(user: user)))
      weak let account = Greeting().account
      #expect(account?.user == user && account === Greeting().account)
      DIContainer.current.unregister(Account.self)
      #expect(Greeting().account == nil && account == nil)
    }
  }

  @Test("Clean architecture and micro-features: features know protocols only, one module registers the implementations")
  func interfaces() {
    Bootstrap.start()
    let offers = DIContainer.resolve((any Interfaces.Offers).self)
    #expect(offers.links === DIContainer.resolve((any Interfaces.Links).self))
    #expect(offers.links.client is Bootstrap.Client)
  }

  @Test("Optional injection: what no module provides is nil")
  func optionalInjection() {
    struct Owner {
      @Inject var client: (any Interfaces.HTTPClient)?
      @LazyInject var later: (any Interfaces.HTTPClient)?
    }
    let owner = Owner()
    #expect(owner.client == nil)
    Bootstrap.start()
    #expect(owner.later != nil)
  }

  @Test("Resolving by passing a type, without naming where it is declared")
  func byType() {
    Bootstrap.start()
    func resolve<Value>(_ type: Value.Type) -> Value? { DIContainer.resolve() }
    #expect(resolve((any Interfaces.Links).self) != nil)
    #expect(resolve((any MyService).self) == nil)
  }

  @Test("Graph scope: one presenter for all parts of a VIPER module, another one for the next module")
  func viper() {
    DIContainer.register {
      PerGraph(Presenter.init, as: (any PresenterInterface).self, (any ViewInterface).self, Presenter.self)
      PerGraph { resolve in
        Interactor { [weak module = resolve(Holder.self)] in module?.presenter } as any InteractorInterface
      }
      PerGraph(Holder())
      New { resolve in
        let holder = resolve(Holder.self)
        holder.presenter = resolve()
        return VIPERModule(holder: holder, view: resolve(), presenter: resolve())
      }
    }
    let (module, other) = (DIContainer.resolve(VIPERModule.self), DIContainer.resolve(VIPERModule.self))
    module.presenter.interactor.fetch()
    #expect(module.view === module.presenter && module.view.shown == ["cat"])
    #expect(other.view.shown.isEmpty && other.view !== module.view)
  }

  @Test("A singleton that is declared in a singleton and asked for while it is created does not crash")
  func nestedSingleton() {
    enum Application {
      static let provider = Dependency<any MyService>(.shared) { MyServiceImpl("application") }
      static let state = Dependency(.shared) { ConstructedService(service: Application.provider()) }
    }
    DIContainer.withCurrent(DIContainer()) {
      let check = DIContainer.escaping { precondition(Application.state().service === Application.provider()) }
      onThreads(4) { _ in check() }
      #expect(Application.state().service.name == "application")
    }
  }
}

private final class Holder { weak var presenter: Presenter? }

private struct VIPERModule {
  let holder: Holder
  let view: any ViewInterface
  let presenter: Presenter
}
