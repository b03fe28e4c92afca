import DITesting
import DependencyInjection
import Foundation
import Synchronization
import Testing

// What stands between the markers stands in the articles on migration, word for word. What stands in the last column of
// their tables stands here too.

// MARK: - What the articles talk about

protocol Service: AnyObject {
  var name: String { get }
}

final class ServiceImpl: Service {
  let name: String

  init() { name = "real" }

  init(api: API) { name = "with \(type(of: api))" }

  init(resolver: Resolver) { name = "with \(type(of: resolver.resolve(API.self)))" }

  init(api: API, cache: Cache?) { name = cache == nil ? "uncached" : "cached" }

  init(id: Int) { name = "number \(id)" }
}

final class MockService: Service {
  let name = "mock"
}

protocol API: Sendable {}

struct LiveAPI: API {}

struct MockAPI: API {}

// MARK: - Factory

// snippet: factory-declare
extension DIContainer {
  static let api = Dependency<API>(.shared) { LiveAPI() }
  static let service = Dependency<Service> { ServiceImpl(api: api()) }
  static let numbered = Dependency<Service, Int> { _, id in ServiceImpl(id: id) }
}
// end

// snippet: factory-context
extension DIContainer {
  static let backend = Dependency<API>(.shared) {
    if LaunchContext.current.isPreview || LaunchContext.current.has("-demo") {
      MockAPI()  // what was onPreview and onArg
    } else {
      LiveAPI()
    }
  }
}
// end

extension DIContainer {
  static let titled = Dependency<Service, Int, String> { _, id, title in ServiceImpl(id: id + title.count) }
}

enum FromFactory {
  // snippet: factory-inject
  final class ContentViewModel {
    @Inject(DIContainer.service) private var service
    @LazyInject(DIContainer.api) private var api

    var title: String { service.name }
  }
  // end

  struct Pieces {
    @Inject(DIContainer.service) var service
    @LazyInject(DIContainer.service) var later
    @Inject(DIContainer.api) var api
  }

  static let unique = Dependency<Service> { ServiceImpl() }
  static let screen = Dependency<Screen> { @MainActor resolve in Screen(config: resolve()) }
  static let singleton = Dependency<Service>(.shared) { ServiceImpl() }
  static let shared = Dependency<Service>(.weak) { ServiceImpl() }
  static let graph = Dependency<Service>(.perGraph) { ServiceImpl() }
  static let session = Dependency<Service>(.scoped(in: .session)) { ServiceImpl() }
  static let optional = Dependency<Service?> { nil }

  // snippet: factory-dynamic
  final class Badge {
    var service: Service { DIContainer.service() }  // what was @DynamicInjected
  }
  // end

  // snippet: factory-owner
  final class Store {
    let center: Center

    init(center: Center) { self.center = center }
  }

  final class Center {
    weak var store: Store?  // what was @WeakLazyInjected
  }
  // end

  // snippet: factory-weak
  final class Row {
    weak var service: Service?  // what was @WeakLazyInjected

    init(service: Service) { self.service = service }
  }
  // end

  // snippet: factory-traits
  @Suite(.isolatedContainer)
  struct ContentTests {
    @Test(.isolatedContainer { DIContainer.service.overridden { MockService() } })
    func showsMock() {
      #expect(ContentViewModel().title == "mock")
    }
  }
  // end
}

// snippet: factory-registering
extension Module {
  static let mocks = Module {
    DIContainer.service.overridden { MockService() }
    DIContainer.api.overridden { MockAPI() }
  }
}
// end

struct FactorySnippets {
  @Test("override and reset")
  func overrides() {
    // Override and reset.
    isolated {
      #expect(FromFactory.ContentViewModel().title == "with LiveAPI")
      #expect(
        FromFactory.Pieces().later.name == DIContainer.service().name && FromFactory.Pieces().service.name != "mock")
      // snippet: factory-override
      DIContainer.service.register { MockService() }
      DIContainer.api.register(.new) { MockAPI() }
      // end
      #expect(FromFactory.ContentViewModel().title == "mock")
      #expect(DIContainer.api() is MockAPI && FromFactory.Pieces().api is MockAPI)
      #expect(throws: Never.self) { try DIContainer.service.tryResolve() }
      #expect(FromFactory.Badge().service.name == "mock")
      let mock = MockService()
      #expect(FromFactory.Row(service: mock).service === mock)
      typealias Store = FromFactory.Store
      typealias Center = FromFactory.Center
      // snippet: factory-owner-register
      DIContainer.register {
        New(Center())
        Shared { resolve in
          let store = Store(center: resolve())
          store.center.store = store
          return store
        }
      }
      // end
      let store = DIContainer.resolve(Store.self)
      #expect(store.center.store === store)
      DIContainer.service.unregister()
      #expect(FromFactory.ContentViewModel().title == "with MockAPI")
      DIContainer.register(Module.mocks)
      #expect(DIContainer.service() is MockService)
      DIContainer.reset(.session)
      DIContainer.service.reset()
      DIContainer.reset()
      DIContainer.removeAll()
      let snapshot = DIContainer.snapshot()
      DIContainer.restore(snapshot)
    }
    // The override of a declared dependency that the README shows.
    isolated {
      let mock = MockAPI()
      DIContainer.override(DIContainer.api, with: mock)
      #expect(DIContainer.api() is MockAPI)
    }
  }

  @Test("a kept nil, a weak value, a promise, a lazy property in a graph, and the text of an error")
  func differences() throws {
    isolated {
      let creations = Atomic(0)
      let optional = Dependency<Service?>(.shared) { () -> Service? in
        creations.wrappingAdd(1, ordering: .relaxed)
        return nil
      }
      #expect(optional() == nil && optional() == nil && creations.load(ordering: .relaxed) == 1)
      let value = Dependency<API>(.weak) { LiveAPI() }
      let error = #expect(throws: ResolutionError.self) { try value.tryResolve() }
      #expect(error?.code == .notAnObject)
      #expect(error?.localizedDescription.contains("LiveAPI") == false)
      let promised = Dependency<Service> { fatalError("Register a service.") }
      promised.register { MockService() }
      #expect(promised() is MockService)
      final class Draft: Sendable {}
      struct Editor {
        let draft: Draft
        @LazyInject var later: Draft
      }
      DIContainer.register {
        PerGraph(Draft())
        New { resolve in Editor(draft: resolve()) }
      }
      let editor = DIContainer.resolve(Editor.self)
      #expect(editor.draft !== editor.later)
    }
  }

  @Test("a main actor type")
  func mainActor() async throws {
    try await DIContainer.withCurrent(DIContainer()) {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      _ = try await FromFactory.screen.resolveAsync()
      DIContainer.register { if LaunchContext.current.isRunningTests { Shared(MockAPI() as API) } }
    }
  }

  @Test("arguments, contexts and modules")
  func others() {
    isolated {
      #expect(DIContainer.titled(42, "Cover").name == "number 47")
      #expect(DIContainer.numbered(42).name == "number 42")
      #expect(DIContainer.backend() is LiveAPI)
    }
  }
}

// MARK: - Swinject

// snippet: swinject-assembly
extension Module {
  static let network = Module {
    Shared(LiveAPI() as API)
    PerGraph { resolve in ServiceImpl(api: resolve()) as Service }
  }
}
// end

extension Module {
  static func numbered(id: Int) -> Module { Module { Shared(ServiceImpl(id: id) as Service) } }
}

// snippet: swinject-cycle
final class Parent {
  let child: Child

  init(child: Child) { self.child = child }
}

final class Child {
  weak var parent: Parent?
}
// end

struct SwinjectSnippets {
  @Test("register, resolve, arguments")
  func register() throws {
    let parent = DIContainer()
    parent.register(Module.network)
    // snippet: swinject-register
    let container = DIContainer(parent: parent)
    container.register {
      PerGraph { resolve in ServiceImpl(api: resolve()) as Service }
      Shared({ resolve in RouterImpl(config: resolve()) }, as: Router.self, DeeplinkHandler.self)
      New({ _, id in ServiceImpl(id: id) as Service }, named: "numbered")
      Shared(AppConfigurationImpl() as AppConfiguration)
    }

    let service: Service? = container.resolve()
    let numbered = container.resolve(Service.self, named: "numbered") { 7 }
    // end
    #expect(service?.name == "with LiveAPI" && numbered.name == "number 7")
    container.register {
      Weak(DiskCache() as Cache)
      PerGraph(autowire: ServiceImpl.init(api:), as: Service.self)
      Scoped(in: .session) { resolve in ServiceImpl(api: resolve()) }
    }
    _ = try container.tryResolve(Service.self)
    container.reset(.session)
    container.reset()
    container.removeAll()
    container.unregister(Cache.self)
    #expect(container.resolve(Cache?.self) == nil)
    container.register(Shared(RouterImpl.init, as: Router.self, DeeplinkHandler.self))
    #expect(container.resolve(Router.self) === container.resolve(RouterImpl.self))
    #expect(
      container.registrations.contains { $0.name == nil && ([$0.type] + $0.aliases).contains { $0 == Router.self } })
    container.reset(Router.self)
  }

  @Test("resolvers that are passed on, a forwarded type, and an assembly with a parameter")
  func resolvers() {
    let container = DIContainer()
    container.register {
      Shared(LiveAPI() as API)
      Shared { resolve in ServiceImpl(resolver: resolve) as Service }
      New { resolve in resolve }
      PerGraph(RouterImpl())
      Shared { resolve in resolve(RouterImpl.self) as Router }
    }
    #expect(container.resolve(Service.self).name == "with LiveAPI")
    #expect(ServiceImpl(resolver: container.resolve()).name == "with LiveAPI")
    #expect(container.resolve(Router.self) === container.resolve(Router.self))
    #expect(container.resolve(Service?.self) != nil)
    container.register(Module.numbered(id: 7))
    #expect(container.resolve(Service.self).name == "number 7")
  }

  @Test("lists of arguments, a provider, and a cycle")
  func arguments() {
    // One registration for each list of arguments.
    do {
      let container = DIContainer()
      // snippet: swinject-arguments
      container.register {
        New({ _, id in ServiceImpl(id: id) as Service }, named: "by id")
        New({ _, api in ServiceImpl(api: api) as Service }, named: "by API")
      }

      let service = container.resolve(Service.self, named: "by id") { 7 }
      // end
      #expect(service.name == "number 7")
      let other = container.resolve(Service.self, named: "by API") { LiveAPI() }  // cast to the type of the parameter
      #expect(other.name == "with LiveAPI")
    }
    // A provider.
    isolated {
      // snippet: swinject-provider
      final class Gallery {
        private let makeItem: (Int) -> Service  // what was Provider<Service>

        init(makeItem: @escaping (Int) -> Service) { self.makeItem = makeItem }

        func open(_ id: Int) -> Service { makeItem(id) }
      }

      DIContainer.register {
        New { _, id in ServiceImpl(id: id) as Service }
        New { resolve in Gallery { id in resolve(Service.self) { id } } }
      }
      // end
      #expect(DIContainer.resolve(Gallery.self).open(3).name == "number 3")
    }
    // A cycle.
    isolated {
      // snippet: swinject-init-completed
      DIContainer.register {
        PerGraph(Child())
        PerGraph { resolve in
          let parent = Parent(child: resolve())
          parent.child.parent = parent  // what was initCompleted
          return parent
        }
      }
      // end
      let parent = DIContainer.resolve(Parent.self)
      #expect(parent.child.parent === parent)
    }
  }
}

// MARK: - Resolver

extension DIContainer {
  static let feature = DIContainer()
}

enum FromResolver {
  // snippet: resolver-inject
  final class LoginViewModel {
    @Inject private var service: Service
    @Inject(named: "numbered") private var numbered: Service
    @LazyInject private var later: Service
    @Inject private var cache: Cache?

    var titles: [String] { [service.name, numbered.name, later.name] }
    var isCached: Bool { cache != nil }
  }
  // end

  struct Piece {
    @Inject(from: .feature) var service: Service
  }

  final class Part {
    var service: Service { DIContainer.resolve() }
  }

  final class Library {
    @Inject private var service: Service

    var name: String { service.name }
  }

  final class ItemPage {
    var model: ItemPageModel?
  }

  struct ItemPageModel {
    unowned let page: ItemPage
  }

  // snippet: resolver-args
  final class ItemScreen {
    let service: Service

    init(id: Int) { service = DIContainer.resolve { id } }
  }
  // end
}

struct ResolverSnippets {
  @Test("registrations, scopes and injection")
  func register() {
    isolated {
      // snippet: resolver-register
      DIContainer.register {
        PerGraph { resolve in ServiceImpl(api: resolve()) as Service }  // .graph, the default there
        Shared(LiveAPI() as API)  // .application
        New({ ServiceImpl(id: 1) as Service }, named: "numbered")  // .unique
        Weak(DiskCache() as Cache)  // .shared
        Scoped(in: .session) { resolve in Authentication(config: resolve()) }  // .cached, or a cache of your own
      }
      // end
      #expect(FromResolver.LoginViewModel().titles == ["with LiveAPI", "number 1", "with LiveAPI"])
      #expect(FromResolver.LoginViewModel().isCached)
      // snippet: resolver-optional
      let cache: Cache? = DIContainer.resolve()  // what was Resolver.optional()
      // end
      #expect(cache != nil)
      DIContainer.register(Shared(RouterImpl(), aliases: { $0 as Router }, { $0 as DeeplinkHandler }))
      DIContainer.register(MainShared(Screen()))
      let child = DIContainer(parent: .shared)
      DIContainer.withCurrent(child) {}
      DIContainer.register(New { _, id in ServiceImpl(id: id) as Service })
      #expect(FromResolver.ItemScreen(id: 9).service.name == "number 9")
      let third: Service = DIContainer.resolve { 3 }
      #expect(third.name == "number 3")
      DIContainer.register(Shared(ServiceImpl() as Service))
      let service = DIContainer.resolve(Service.self)
      #expect(service.name == "real")
      #expect(FromResolver.Part().service === service)
      DIContainer.register(Module.network)
      DIContainer.feature.register(Module.network)
      #expect(FromResolver.Piece().service.name == DIContainer.resolve(Service.self).name)
      DIContainer.register {
        New { _, id, title in ServiceImpl(id: id + (title as String).count) as Service }
        New { _, page in FromResolver.ItemPageModel(page: page) }
        New { resolve in
          let page = FromResolver.ItemPage()
          page.model = resolve { page }
          return page
        }
      }
      #expect(DIContainer.resolve(Service.self) { (3, "Cover") }.name == "number 8")
      let page = DIContainer.resolve(FromResolver.ItemPage.self)
      #expect(page.model?.page === page)
    }
  }

  @Test("one object in a graph, under its protocols and names")
  func forwarded() {
    isolated {
      DIContainer.register {
        PerGraph(RouterImpl())
        PerGraph { resolve in resolve(RouterImpl.self) as Router }
        PerGraph({ resolve in resolve(RouterImpl.self) as Router }, named: "main")
        New { resolve in [resolve(Router.self), resolve(named: "main")] }
      }
      let routers = DIContainer.resolve([Router].self)
      #expect(routers[0] === routers[1])
    }
  }

  @Test("a check reports what keeps an object of the default scope", .isolatedContainer(.empty))
  func keepsGraph() async {
    DIContainer.register {
      PerGraph(ServiceImpl() as Service)
      Shared(FromResolver.Library())
    }
    let error = await #expect(throws: VerificationError.self) { try await DIContainer.current.verify() }
    #expect(error?.failures.map(\.code) == [.captiveDependency])
    DIContainer.override { New(MockService() as Service) }
    #expect(DIContainer.resolve(FromResolver.Library.self).name == "mock")
  }
}

// MARK: - Tests

@Suite(
  .isolatedContainer {
    Module.network
    Module.mocks
  })
struct MockSnippets {
  struct Mocks {
    @LazyInject private var mock: MockService

    var service: Service { mock }
  }

  @Test("mocks that exist, and one instance for a mock and its protocol")
  func mocks() {
    let container = DIContainer.current
    let mock = MockService()
    DIContainer.override(DIContainer.service, with: mock)
    #expect(DIContainer.service() === mock)
    let api = MockAPI()
    DIContainer.override(API.self, with: api)
    #expect(container.resolve(API.self) is MockAPI)
    DIContainer.register {
      Shared(MockService(), as: Service.self)
      if LaunchContext.current.has("-mock") { Shared(MockAPI() as API) }
    }
    #expect(DIContainer.resolve(Service.self) === Mocks().service)
    do {
      let mock = LiveAPI()
      DIContainer.override(API.self, with: mock)
      container.override(API.self, with: mock)
      #expect(DIContainer.resolve(API.self) is LiveAPI)
    }
  }

  @Test("a mock that is not Sendable, for a closure")
  func part() {
    let mock = MockService()
    DIContainer.withOverrides {
    } perform: {
      DIContainer.override(DIContainer.service, with: mock)
      #expect(DIContainer.service() === mock)
    }
    #expect(DIContainer.service() !== mock)
  }
}
