import DependencyInjection
import Observation

// What an app in a new Xcode project has: every type is isolated to the main actor, and nothing says so.

struct ShopApp {
  init() { DIContainer.register(Module.home) }
}

// snippet: new-project-protocol
@MainActor
protocol Router: AnyObject, Sendable {
  func open(_ path: String)
}
// end

@MainActor
protocol DeeplinkHandler: AnyObject, Sendable {}

/// Uses names, scopes and declared dependencies where nothing is isolated.
nonisolated final class Background {
  @Inject(named: .other) var clock: Clock?
  let scope = Scope.session

  func makeModule() -> Module {
    Module {
      Scoped(in: .session) { Clock(hour: 1) }
      Shared(Clock(hour: 2), named: .other)
      DIContainer.noon.overridden { Clock(hour: 3) }
    }
  }
}

extension DIContainer {
  static let noon = Dependency { Clock(hour: 12) }
}

extension Module {
  static let background = Module {
    Scoped(in: .session) { Clock(hour: 1) }
    Shared(Clock(hour: 2), named: .other)
  }
}

final class AppConfig {
  let url: String
  init() { url = "https://example.com" }
}

final class AppRouter: Router, DeeplinkHandler {
  let config: AppConfig
  private(set) var opened: [String] = []
  init(config: AppConfig) { self.config = config }
  func open(_ path: String) { opened.append(config.url + path) }
}

// snippet: new-project-model
@Observable
final class HomeViewModel {
  @ObservationIgnored @Inject private var router: Router
  private(set) var isOpen = false

  init() {}

  func open() {
    router.open("/home")
    isOpen = true
  }
}
// end

final class ItemViewModel {
  let id: String
  let count: Int
  init(id: String, count: Int = 1) { (self.id, self.count) = (id, count) }
}

final class ImageCache { init() {} }
final class Draft { init() {} }
final class Session { init() {} }

struct Database {
  let name: String
  static func open(_ name: String) async throws -> Database {
    await Task.yield()
    return Database(name: name)
  }
}

/// What is resolved on any thread is not isolated, and not registered on the main actor.
nonisolated struct Clock {
  let hour: Int
}

extension DependencyName { static let other: Self = "other" }
extension Scope { static let session = Scope("session") }

// snippet: new-project-register
extension Module {
  static let home = Module {
    MainShared(AppConfig())
    MainShared { resolve in AppRouter(config: resolve()) as Router }
    MainNew(HomeViewModel())
    MainNew { _, id in ItemViewModel(id: id) }
    Shared(Clock(hour: 12))  // what any thread may create
  }
}
// end

// snippet: new-project-declare
extension DIContainer {
  static let router = Dependency<Router>(.shared) { @MainActor resolve in AppRouter(config: resolve()) }
}
// end

extension DIContainer {
  static let item = Dependency<ItemViewModel, String> { @MainActor _, id in ItemViewModel(id: id) }
}

final class Screen {
  @Inject private var router: Router
  @Inject(named: .other) private var otherConfig: AppConfig
  @Inject var cache: ImageCache?
  @LazyInject private var lazyRouter: Router
  @MutableInject var mutableRouter: Router
  @MutableLazyInject var mutableLazyRouter: Router
  @Inject(DIContainer.router) private var declared
  @LazyInject(DIContainer.router) private var declaredLazily

  var routers: [Router] { [router, lazyRouter, mutableRouter, mutableLazyRouter] }
  var declaredRouters: [Router] { [declared, declaredLazily] }
}
