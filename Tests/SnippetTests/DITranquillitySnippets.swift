import DITesting
import DependencyInjection
import Testing

// What stands between the markers stands in the article on migration from DITranquillity, word for word. What stands in
// the last column of its tables stands here too.

private struct SearchServices {
  let searches: [Search]
}

private final class Start {
  var router: Router?
  private(set) var isStarted = false

  func start() { isStarted = true }
}

enum FromDITranquillity {
  // snippet: tranquillity-inject
  final class MenuModel {
    @Inject private var service: Service
    @Inject(named: .offline) private var search: Search  // what was by(tag:on:)
    @LazyInject private var router: Router  // what was Lazy<Router>

    func open() { router.open(service.name) }
  }
  // end
}

struct DITranquillitySnippets {
  @Test("registrations, lifetimes and injection")
  func register() {
    isolated {
      // snippet: tranquillity-register
      DIContainer.register {
        New(autowire: ServiceImpl.init(api:), as: Service.self)  // .prototype, the default there
        Shared(autowire: RouterImpl.init(config:), as: Router.self, DeeplinkHandler.self)  // .single, .perRun(.strong)
        Shared(LiveAPI() as API)  // .perContainer(.strong)
        Weak(DiskCache() as Cache)  // .perRun(.weak), .perContainer(.weak)
        PerGraph(Draft())  // .objectGraph
        Scoped(in: .session) { resolve in Authentication(config: resolve()) }  // .custom(session)
        Shared(AppConfigurationImpl() as AppConfiguration)
        Shared(OfflineSearch() as Search, named: .offline)  // a tag
        New { resolve, id in ItemViewModelImpl(id: id, config: resolve()) as ItemViewModel }  // arg($0)
      }
      // end
      FromDITranquillity.MenuModel().open()
      #expect(DIContainer.resolve(Router.self) === DIContainer.resolve(DeeplinkHandler.self))
      let service: Service = DIContainer.resolve()
      #expect(service.name == "with LiveAPI")
      let player: Player? = DIContainer.resolve()
      #expect(player == nil)
      #expect(DIContainer.resolve(ItemViewModel.self, arguments: { "42" }).title == "Item 42")
      #expect(DIContainer.resolve(Search.self, named: .offline) is OfflineSearch)
      let child = DIContainer(parent: .current)
      #expect(child.resolve(Router.self) === DIContainer.resolve(Router.self))
      DIContainer.register(Shared(RouterImpl(), aliases: { $0 as Router }, { $0 as DeeplinkHandler }))
      DIContainer.register(Module.network)
      DIContainer.reset(.session)
      DIContainer.reset()
      DIContainer.override(API.self, with: MockAPI())
      #expect(DIContainer.resolve(API.self) is MockAPI)
    }
  }

  @Test("several implementations of a type")
  func many() {
    isolated {
      // snippet: tranquillity-many
      DIContainer.register {
        Shared(SearchImpl() as Search, named: "online")
        Shared(OfflineSearch() as Search, named: "offline")
        New { resolve in SearchServices(searches: resolve.resolveAll()) }  // what was many($0)
      }
      // end
      #expect(DIContainer.resolve(SearchServices.self).searches.count == 2)
    }
  }

  @Test("properties, and what follows them")
  func properties() {
    isolated {
      DIContainer.register(Shared(RouterImpl() as Router))
      // snippet: tranquillity-properties
      DIContainer.register {
        New { resolve in
          let start = Start()
          start.router = resolve()  // what was .injection(\.router)
          start.start()  // what was .postInit { $0.start() }
          return start
        }
      }
      // end
      let start = DIContainer.resolve(Start.self)
      #expect(start.router != nil)
      #expect(start.isStarted)
    }
  }

  @Test("actors and asynchronous factories")
  func asynchronous() async throws {
    let container = DIContainer()
    try await DIContainer.withCurrent(container) {
      DIContainer.register {
        New(onMain: Screen())
        Shared { await Feed.connect() }
      }
      let feed = try await DIContainer.resolveAsync(Feed.self)
      #expect(feed.isConnected)
      _ = try await DIContainer.resolveAsync(Screen.self)
    }
  }
}

private struct Feed: Sendable {
  let isConnected: Bool

  static func connect() async -> Feed { Feed(isConnected: true) }
}
