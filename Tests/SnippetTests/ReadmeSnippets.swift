// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import DependencyInjection
import Foundation
import Testing

// What stands between the markers stands in README.md or in the article on getting started, word for word.

// snippet: modules
extension Module {
  public static let search = Module {
    Shared(SearchImpl() as Search)
    New(SearchViewModelImpl() as SearchViewModel)
  }
}

extension Module {
  public static let player = Module(Shared(PlayerImpl() as Player))
}
// end

// snippet: names
extension DependencyName {
  static let offline: Self = "offline"
}
// end

struct OfflineSearch: Search {}

protocol Remote {}

extension PlayerImpl: Remote {}

enum Injecting {
  // snippet: inject
  final class HomeViewModel {
    @Inject private var router: Router

    func showSettings() { router.open("/settings") }
  }
  // end
}

enum Lazy {
  // snippet: lazy
  final class App {
    @LazyInject private var router: Router  // resolved by the first access
    @MutableInject var config: AppConfiguration  // resolved now, can be set
    @MutableLazyInject var cache: Cache  // resolved by the first access, unless it was set before

    init() {
      DIContainer.register(Shared(RouterImpl() as Router))
    }

    func start() { router.open("/") }
  }
  // end
}

enum Optionals {
  // snippet: optional
  final class NowPlayingBar {
    @Inject private var player: MediaPlayer?

    var isHidden: Bool { player == nil }
  }
  // end
}

enum SendableClass {
  // snippet: sendable-class
  final class SyncService: Sendable {
    let config = DIContainer.resolve(AppConfiguration.self)
  }
  // end
}

enum Containers {
  // snippet: from-container
  enum Preview {
    static let container = DIContainer()
  }

  struct PreviewScreen {
    @Inject(from: Preview.container) var router: Router
    @LazyInject(from: Preview.container) var cache: Cache
  }
  // end
}

enum Home {
  // snippet: inject-all
  final class HomeScreen {
    @Inject private var router: Router  // resolved when the owner is created
    @Inject private var player: MediaPlayer?  // nil if no MediaPlayer is registered
    @Inject(named: .offline) private var offline: Search
    @LazyInject private var search: Search  // resolved by the first access
    @MutableInject var config: AppConfiguration  // can be set; @MutableLazyInject can, too
  }
  // end
}

extension Home.HomeScreen {
  var searches: [Search] { player == nil && router is LoggingRouter ? [search, offline] : [] }
}

struct ReadmeSnippets {
  @Test("everything that can be registered, injected and resolved")
  func all() async throws {
    let container = DIContainer()
    try await DIContainer.withCurrent(container) {
      // snippet: register-all
      DIContainer.register {
        Shared(AppConfigurationImpl() as AppConfiguration)  // one instance for the whole app
        Shared { resolve in RouterImpl(config: resolve()) as Router }  // built from other dependencies
        New(autowire: Toolbar.init)  // a new instance each time; its parameters come from the container
        Shared(OfflineSearch() as Search, named: .offline)  // a second registration of the same type
        Shared { try await Account.signIn() }  // created by resolveAsync, then resolved like any other
        New { resolve, id in ItemViewModelImpl(id: id, config: resolve()) as ItemViewModel }  // takes an argument
        New(onMain: Screen())  // created on the main actor
        Weak(DiskCache() as Cache)  // lives while something holds it
        PerGraph(Draft())  // shared by everything that one resolution creates
        Scoped(in: .session) { resolve in Authentication(config: resolve()) }  // until DIContainer.reset(.session)
        Scoped(in: .container) { resolve in Basket(config: resolve()) }  // one for each container
        Shared(PlayerImpl(), as: Player.self, Remote.self)  // one instance, found under both types
        Decorated(Router.self) { router, _ in LoggingRouter(router) }  // wraps what is registered
        Module.search  // a module: a list of registrations
      }
      // end
      try await resolveAll()
      try await container.verify(arguments: { $0.type == ItemViewModel.self ? "42" : nil })
      #expect(container.registrations.count == 14)
    }
  }

  private func resolveAll() async throws {
    // snippet: resolve-all
    let router = DIContainer.resolve(Router.self)
    let config: AppConfiguration = DIContainer.resolve()
    let item = DIContainer.resolve(ItemViewModel.self) { "42" }  // pass several arguments as a tuple
    let searches = DIContainer.resolveAll(Search.self)  // every registration, named ones included
    let player = try DIContainer.tryResolve(MediaPlayer?.self)  // nil if nothing is registered
    let account = try await DIContainer.resolveAsync(Account.self)  // calls asynchronous factories, too
    // end
    #expect(router is LoggingRouter && config is AppConfigurationImpl && item.title == "Item 42")
    #expect(searches.count == 2 && player == nil && account === DIContainer.resolve(Account.self))
    #expect(Home.HomeScreen().searches.map { $0 is OfflineSearch } == [false, true])
  }

  @Test("registering, resolving in a function, and injecting")
  func register() {
    // Registering, and resolving in a function.
    isolated {
      // snippet: register
      DIContainer.register {
        Shared(AppConfigurationImpl() as AppConfiguration)  // one instance for the whole app
        New(RouterImpl() as Router)  // a new instance for each resolution
      }
      // end
      // snippet: resolve
      let router = DIContainer.resolve(Router.self)
      let config: AppConfiguration = DIContainer.resolve()
      // end
      #expect(router !== DIContainer.resolve(Router.self))
      #expect(config is AppConfigurationImpl)
    }
    // Injecting.
    isolated {
      DIContainer.register(Shared(RouterImpl(), as: Router.self, RouterImpl.self))
      Injecting.HomeViewModel().showSettings()
      #expect(DIContainer.resolve(RouterImpl.self).opened == ["/settings"])
    }
    // Lazy and mutable properties.
    isolated {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      let app = Lazy.App()
      app.start()
      app.cache = DiskCache()
      #expect(app.cache is DiskCache)
    }
    // Optionals.
    isolated {
      final class AnyPlayer: MediaPlayer {}
      DIContainer.register(Shared(AnyPlayer() as MediaPlayer))
      #expect(!Optionals.NowPlayingBar().isHidden)
      DIContainer.unregister(MediaPlayer.self)
      #expect(Optionals.NowPlayingBar().isHidden)
    }
  }

  @Test("aliases, an initializer, and names")
  func aliases() {
    // Aliases.
    do {
      isolated {
        // snippet: aliases
        DIContainer.register {
          Shared(RouterImpl.init, as: Router.self, DeeplinkHandler.self)
        }
        // end
        #expect(DIContainer.resolve(Router.self) === DIContainer.resolve(DeeplinkHandler.self))
      }
      isolated {
        // snippet: checked-aliases
        DIContainer.register {
          Shared(RouterImpl(), aliases: { $0 as Router }, { $0 as DeeplinkHandler })
        }
        // end
        #expect(DIContainer.resolve(Router.self) === DIContainer.resolve(DeeplinkHandler.self))
      }
    }
    // An initializer.
    isolated {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      // snippet: autowire
      DIContainer.register {
        Shared(autowire: RouterImpl.init(config:), as: Router.self)
      }
      // end
      #expect(DIContainer.resolve(Router.self) is RouterImpl)
    }
    // Names.
    isolated {
      // snippet: resolve-names
      DIContainer.register {
        Shared(SearchImpl() as Search)
        Shared(OfflineSearch() as Search, named: .offline)
      }

      let offline = DIContainer.resolve(Search.self, named: .offline)
      let both = DIContainer.resolveAll(Search.self)
      // end
      #expect(offline is OfflineSearch && both.count == 2)
    }
  }

  @Test("dependencies of dependencies, and modules")
  func resolver() {
    // Dependencies of dependencies.
    isolated {
      // snippet: resolver
      DIContainer.register {
        Shared(AppConfigurationImpl() as AppConfiguration)
        Shared { resolve in RouterImpl(config: resolve()) as Router }
      }
      // end
      #expect(DIContainer.resolve(Router.self) is RouterImpl)
    }
    // Modules.
    do {
      let usesDiskCache = true
      isolated {
        // snippet: register-modules
        DIContainer.register {
          Module.search
          Module.player
          if usesDiskCache {
            Shared(DiskCache() as Cache)
          }
        }
        // end
        #expect(DIContainer.resolve(SearchViewModel.self) is SearchViewModelImpl)
        #expect(DIContainer.resolve(Player.self) is PlayerImpl)
        #expect(DIContainer.resolve(Cache.self) is DiskCache)
      }
    }
  }

  @Test("arguments")
  func arguments() {
    isolated {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      // snippet: arguments
      DIContainer.register {
        New { resolve, id in ItemViewModelImpl(id: id, config: resolve()) as ItemViewModel }
      }

      let item = DIContainer.resolve(ItemViewModel.self) { "42" }
      // end
      #expect(item.title == "Item 42")
    }
    isolated {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      // snippet: autowired-argument
      DIContainer.register {
        New(autowire: ItemViewModelImpl.init(id:config:), arguments: String.self, as: ItemViewModel.self)
      }
      // end
      #expect(DIContainer.resolve(ItemViewModel.self) { "42" }.title == "Item 42")
    }
    isolated {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      // snippet: many-arguments
      DIContainer.register {
        New { resolve, id, page, title in
          ItemViewModelImpl(id: id, page: page, title: title, config: resolve()) as ItemViewModel
        }
      }

      let item = DIContainer.resolve(ItemViewModel.self) { ("42", 1, "Cover") }
      // end
      #expect(item.title == "Cover")
    }
  }

  @Test("containers, the current one, and overrides")
  func containers() {
    // Containers.
    do {
      // snippet: containers
      let app = DIContainer()
      app.register {
        Shared(AppConfigurationImpl() as AppConfiguration)
        Shared { resolve in RouterImpl(config: resolve()) as Router }
      }

      let window = DIContainer(parent: app)
      window.register(Shared(RouterImpl() as Router))  // a router of its own

      let router = window.resolve(Router.self)  // the window's
      let config = window.resolve(AppConfiguration.self)  // the app's
      // end
      #expect(router === window.resolve(Router.self) && router !== app.resolve(Router.self))
      #expect(config is AppConfigurationImpl)
      // snippet: unregister-reset
      window.unregister(Router.self)  // the app's registration is visible again
      app.reset()  // releases the instances and keeps the registrations
      // end
      #expect(window.resolve(Router.self) === app.resolve(Router.self))
      Containers.Preview.container.register(Shared(RouterImpl() as Router))
      #expect(Containers.PreviewScreen().router is RouterImpl)
    }
    // The current container and overrides.
    do {
      let app = DIContainer()
      app.register(Shared(RouterImpl() as Router))
      isolated {
        // snippet: overrides
        DIContainer.withCurrent(app) {
          let router = DIContainer.resolve(Router.self)  // app's
          router.open("/")
        }

        DIContainer.withOverrides {
          New(MockRouter() as Router)
        } perform: {
          let router = DIContainer.resolve(Router.self)  // the mock, in here and in the tasks started here
          router.open("/")
        }
        // end
      }
    }
  }

  @Test("a Sendable class, and errors")
  func errors() {
    // A Sendable class.
    isolated {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      _ = SendableClass.SyncService()
    }
    // Errors.
    do {
      isolated {
        var fellBack = false
        func fallBack() { fellBack = true }
        // snippet: try-resolve
        do throws(ResolutionError) {
          let router = try DIContainer.tryResolve(Router.self)
          router.open("/")
        } catch {
          print(error)
          if error.code == .missingRegistration { fallBack() }
        }
        // end
        #expect(fellBack)
      }
      isolated {
        // snippet: throwing-factory
        DIContainer.register {
          Shared { resolve in try RouterImpl(config: resolve.tryResolve()) as Router }
        }
        // end
        let error = #expect(throws: ResolutionError.self) { try DIContainer.tryResolve(Router.self) }
        #expect(error?.path == ["Router", "AppConfiguration"])
      }
    }
  }
}
