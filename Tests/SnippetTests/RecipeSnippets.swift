import DITesting
import DependencyInjection
import Foundation
import Testing

// What stands between the markers stands in the article with recipes, word for word.

protocol PaymentGateway: Sendable {}

struct LiveGateway: PaymentGateway {}

struct Receipts: Sendable {
  let gateway: PaymentGateway
}

final class UserStore: Sendable {}

// snippet: recipe-singleton
extension UserStore {
  static var shared: UserStore { DIContainer.resolve() }
}
// end

// snippet: recipe-namespace
enum Payments {
  static let gateway = Dependency<PaymentGateway>(.shared) { LiveGateway() }
  static let receipts = Dependency<Receipts> { Receipts(gateway: gateway()) }
}
// end

// snippet: recipe-names
extension DependencyName {
  static let ordersServer: Self = "server.orders"
  static let accountsServer: Self = "server.accounts"
}
// end

// snippet: recipe-decorator
final class LoggingRouter: Router {
  private let router: Router

  init(_ router: Router) { self.router = router }

  func open(_ path: String) {
    print("opens \(path)")
    router.open(path)
  }
}
// end

// snippet: recipe-closure
extension DIContainer {
  static let now = Dependency<@Sendable () -> Date> { { Date() } }
}

final class Token {
  @Inject(DIContainer.now) private var now
  private let end: Date

  init(end: Date) { self.end = end }

  var isExpired: Bool { now() >= end }
}
// end

// snippet: recipe-ids
extension DIContainer {
  static let makeID = Dependency<@Sendable () -> String> { { UUID().uuidString } }
  static let clock = Dependency<any Clock<Duration>>(.shared) { ContinuousClock() }
}
// end

// snippet: recipe-contexts
extension Module {
  static func server(for context: LaunchContext = .current) -> Module {
    Module {
      Shared(AppConfigurationImpl() as AppConfiguration)
      if context.isPreview || context.has("-demo") {
        Shared(MockAPI() as API)
      } else {
        Shared(LiveAPI() as API)
      }
    }
  }
}
// end

@Suite(.isolatedContainer(.empty))
struct RecipeSnippets {
  @Test("singletons, namespaces, closures and contexts")
  func namespaces() {
    // Singletons.
    withIsolatedContainer(.empty) {
      Shared(UserStore())
    } perform: {
      let store = UserStore.shared
      #expect(store === UserStore.shared)
      withIsolatedContainer { #expect(store !== UserStore.shared) }
    }
    // Namespaces.
    withIsolatedContainer(.empty) {
      struct Checkout {
        @Inject(Payments.receipts) private var receipts
        var isLive: Bool { receipts.gateway is LiveGateway }
      }
      #expect(Checkout().isLive)
      DIContainer.register {
        Shared(OfflineSearch() as Search, named: .ordersServer)
        Shared(SearchImpl() as Search, named: .accountsServer)
      }
      #expect(DIContainer.resolve(Search.self, named: .accountsServer) is SearchImpl)
    }
    // Closures.
    withIsolatedContainer(.empty) {
      // snippet: recipe-closure-test
      let noon = Date(timeIntervalSince1970: 43_200)
      DIContainer.override(DIContainer.now, with: { noon })

      #expect(Token(end: noon).isExpired)
      #expect(!Token(end: noon + 1).isExpired)
      // end
      // snippet: recipe-ids-test
      let made = Calls<Void>()
      DIContainer.override(
        DIContainer.makeID,
        with: {
          made()
          return "\(made.count)"
        })

      let makeID = DIContainer.makeID()
      #expect([makeID(), makeID()] == ["1", "2"])
      // end
      DIContainer.override(DIContainer.clock, with: SuspendingClock())
      #expect(DIContainer.clock() is SuspendingClock)
    }
    // Contexts.
    withIsolatedContainer(.empty) {
      // snippet: recipe-contexts-test
      let demo = LaunchContext(arguments: ["App", "-demo"], variable: { _ in nil })
      DIContainer.register(Module.server(for: demo))
      #expect(DIContainer.resolve(API.self) is MockAPI)
      // end
      DIContainer.register(Module.server())
      #expect(DIContainer.resolve(API.self) is LiveAPI)
    }
  }

  @Test("launch arguments, creating when needed, and contributions")
  func launchArguments() {
    // Launch arguments.
    withIsolatedContainer(.empty) {
      struct Server: Sendable {
        let address: String
      }
      // snippet: recipe-arguments
      DIContainer.register {
        Module.app
        if LaunchContext.current.has("-ui-tests") {
          Shared(MockRouter() as Router)
        }
        Shared(Server(address: LaunchContext.current["SERVER"] ?? "https://example.com"))
      }
      // end
      #expect(DIContainer.resolve(Router.self) is RouterImpl)
      #expect(DIContainer.resolve(Server.self).address == "https://example.com")
    }
    // Creating when needed.
    withIsolatedContainer(.empty) {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      // snippet: recipe-later
      final class ItemList {
        private let makeItem: (String) -> ItemViewModel

        init(makeItem: @escaping (String) -> ItemViewModel) { self.makeItem = makeItem }

        func open(_ id: String) -> ItemViewModel { makeItem(id) }
      }

      DIContainer.register {
        New { resolve, id in ItemViewModelImpl(id: id, config: resolve()) as ItemViewModel }
        New { resolve in ItemList { id in resolve(ItemViewModel.self) { id } } }
      }
      // end
      #expect(DIContainer.resolve(ItemList.self).open("42").title == "Item 42")
    }
    // Contributions of several modules.
    withIsolatedContainer(.empty) {
      // snippet: recipe-many
      DIContainer.register {
        Module { Shared(SearchImpl() as Search, named: "books") }
        Module { Shared(OfflineSearch() as Search, named: "downloads") }
      }

      let searches = DIContainer.resolveAll(Search.self)  // in the order of registration
      // end
      #expect(searches.count == 2 && searches.last is OfflineSearch)
    }
  }
}
