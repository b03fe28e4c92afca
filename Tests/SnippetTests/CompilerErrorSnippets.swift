import DITesting
import DependencyInjection
import Observation
import Testing

// What the article on compiler errors shows as the cure, word for word. The errors are in `Tests/CompilerErrors`.

@MainActor
private final class ProfileModel {
  init() {}
  init(router: Router) {}
}

// snippet: cure-observable
@Observable
final class HomeModel {
  @ObservationIgnored @Inject private var router: Router
}
// end

private enum Names {
  // snippet: cure-ambiguous
  typealias Resolver = DependencyInjection.Resolver
  typealias Declared = DependencyInjection.Dependency
  // end

  static let router = Declared<Router>(.new) { (_: Resolver) in MockRouter() }
}

// snippet: cure-circular
private final class DetailScreen {
  @LazyInject(DIContainer.detailScreen) private var next: DetailScreen
}

extension DIContainer {
  fileprivate static let detailScreen: Dependency<DetailScreen> = Dependency { DetailScreen() }
}
// end

extension DetailScreen {
  var hasNext: Bool { next !== self }
}

// snippet: cure-sendable
final class Downloads: Sendable {
  private let config = DIContainer.resolve(AppConfiguration.self)
}
// end

struct CompilerErrorSnippets {
  @Test("an observable class", .isolatedContainer(.empty) { New(MockRouter() as Router) })
  func observable() {
    expectResolved(Router.self, times: 1) { _ = HomeModel() }
  }

  @Test("a main actor type") @MainActor
  func mainActor() {
    isolated {
      DIContainer.register(New(MockRouter() as Router))
      // snippet: cure-main-actor
      DIContainer.register {
        New(onMain: ProfileModel())
        New { @MainActor resolve in ProfileModel(router: resolve()) }
        New(autowire: ProfileModel.init(router:))
      }
      // end
      _ = DIContainer.resolve(ProfileModel.self)
    }
  }

  @Test("captures, aliases, overrides and instances")
  func builders() {
    // A capture that is not Sendable.
    isolated {
      // snippet: cure-capture
      nonisolated(unsafe) let mock = MockRouter()  // used by one thread at a time
      DIContainer.register(Shared { mock as Router })
      // end
      #expect(DIContainer.resolve(Router.self) === mock)
    }
    // A method that stays with its caller.
    do {
      // snippet: cure-sending
      final class FeedModel {
        nonisolated(nonsending) func load() async {}
      }
      // end
      _ = FeedModel.load
    }
    // Aliases after a closure.
    isolated {
      // snippet: cure-trailing-closure
      DIContainer.register(New({ SearchImpl() }, as: Search.self))
      // end
      #expect(DIContainer.resolve(Search.self) is SearchImpl)
    }
    // An override in a builder.
    isolated {
      // snippet: cure-override
      DIContainer.withOverrides {
        DIContainer.router.overridden { MockRouter() }
      } perform: {
        #expect(DIContainer.router() is MockRouter)
      }
      // end
      DIContainer.override { New { try await Account.signIn() } }
    }
    // A module for a closure.
    withIsolatedContainer {
      Module.app
    } perform: {
      _ = DIContainer.resolve(Router.self)
    }
    // An instance in a builder, and a label.
    isolated {
      // snippet: cure-instance
      DIContainer.register {
        Shared(SearchImpl())
        Shared(SearchImpl() as Search, named: "offline")
      }
      // end
      #expect(DIContainer.resolve(Search.self, named: "offline") is SearchImpl)
      DIContainer.register(Shared({ SearchImpl() as Search }, named: .offline))
      _ = DIContainer.resolve(SearchImpl.self)
      // snippet: cure-awaiting
      DIContainer.register { Shared { try await Account.signIn() } }
      // end
      #expect(DIContainer.current.registrations.count == 3)
    }
  }

  @Test("names and arguments")
  func names() {
    // A type of the library whose name a type of the app has.
    do {
      final class ImageCache: Sendable {}
      let container = DIContainer()
      // snippet: cure-shadowed
      container.register { DependencyInjection.Weak(ImageCache()) }
      // end
      let cache = container.resolve(ImageCache.self)
      #expect(container.resolve(ImageCache.self) === cache)
    }
    // The types of parameters.
    isolated {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      // snippet: cure-factory
      DIContainer.register(
        New { (resolve: Resolver, id: String) in
          print(id)
          return ItemViewModelImpl(id: id, config: resolve()) as ItemViewModel
        })
      // end
      #expect(DIContainer.resolve(ItemViewModel.self) { "42" }.title == "Item 42")
    }
    // An argument, and a forgotten type.
    isolated {
      DIContainer.register {
        New { _, id in ItemViewModelImpl(id: id, config: AppConfigurationImpl()) as ItemViewModel }
        Shared(RouterImpl() as Router)
      }
      // snippet: cure-argument
      let item = DIContainer.resolve(ItemViewModel.self) { "42" }
      // end
      #expect(item.title == "Item 42")
      DIContainer.register {
        New { _, id, title in
          ItemViewModelImpl(id: id, page: 1, title: title ?? "none", config: AppConfigurationImpl()) as ItemViewModel
        }
      }
      do {
        // snippet: cure-untyped-argument
        let item = DIContainer.resolve(ItemViewModel.self) { ("42", nil as String?) }
        // end
        #expect(item.title == "none")
      }
      // snippet: cure-type
      let router: Router = DIContainer.resolve()
      // end
      #expect(router === DIContainer.resolve(Router.self))
    }
    // An ambiguous name.
    do {
      isolated { #expect(Names.router() is MockRouter) }
    }
    // A declared dependency that its own type injects.
    do {
      isolated { #expect(DIContainer.detailScreen().hasNext) }
    }
    // A property of a Sendable class.
    isolated {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      _ = Downloads()
    }
  }
}
