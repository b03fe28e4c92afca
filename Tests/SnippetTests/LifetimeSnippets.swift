import DependencyInjection
import Testing

// What stands between the markers stands in the article on lifetimes, word for word.

// snippet: scopes
extension Scope {
  static let session = Scope("session")
}
// end

final class Draft: Sendable {}

struct Toolbar {
  let draft: Draft
}

struct Canvas {
  let draft: Draft
}

struct Editor {
  let toolbar: Toolbar
  let canvas: Canvas
}

final class Authentication: Sendable {
  init(config: AppConfiguration) {}
}

final class Basket: Sendable {
  init(config: AppConfiguration) {}
}

final class SyncClient: Sendable {
  let authentication: Authentication

  init(_ authentication: Authentication) { self.authentication = authentication }
}

enum Declared {
  // snippet: declared-lifetimes
  static let config = Dependency<AppConfiguration>(.shared) { AppConfigurationImpl() }
  static let draft = Dependency(.perGraph) { Draft() }
  static let authentication = Dependency(.scoped(in: .session)) { Authentication(config: config()) }
  // end
}

struct LifetimeSnippets {
  @Test("all of them, and one graph")
  func all() {
    // All of them.
    isolated {
      // snippet: lifetimes
      DIContainer.register {
        Shared(AppConfigurationImpl() as AppConfiguration)  // lives until it is replaced
        New { resolve, id in ItemViewModelImpl(id: id, config: resolve()) as ItemViewModel }  // belongs to the caller
        Weak(DiskCache() as Cache)  // lives while something holds it
        PerGraph(Draft())  // shared by everything that one resolution creates
        Scoped(in: .session) { resolve in Authentication(config: resolve()) }  // lives until the session ends
        Scoped(in: .container) { resolve in Basket(config: resolve()) }  // one for each container
      }
      // end
      #expect(DIContainer.current.registrations.count == 6)
      #expect(DIContainer.resolve(Basket.self) === DIContainer.resolve(Basket.self))
      weak let cache = DIContainer.resolve(Cache.self)
      #expect(cache == nil)
    }
    // One graph.
    isolated {
      // snippet: graphs
      DIContainer.register {
        PerGraph(Draft())
        New { resolve in Toolbar(draft: resolve()) }
        New { resolve in Canvas(draft: resolve()) }
        New { resolve in Editor(toolbar: resolve(), canvas: resolve()) }
      }

      let editor = DIContainer.resolve(Editor.self)  // toolbar and canvas have the same draft
      let other = DIContainer.resolve(Editor.self)  // another draft, which this toolbar and canvas share
      // end
      #expect(editor.toolbar.draft === editor.canvas.draft)
      #expect(other.toolbar.draft !== editor.toolbar.draft)
    }
  }

  @Test("the end of a scope, and those that are declared with a lifetime")
  func scope() {
    // The end of a scope.
    isolated {
      DIContainer.register {
        Shared(AppConfigurationImpl() as AppConfiguration)
        Scoped(in: .session) { resolve in Authentication(config: resolve()) }
      }
      // snippet: captive
      // Wrong: the client keeps the authentication of the first session.
      DIContainer.register {
        Shared { resolve in SyncClient(resolve()) }
      }
      // end
      let captive = DIContainer.resolve(SyncClient.self)
      // snippet: not-captive
      DIContainer.register {
        Scoped(in: .session) { resolve in SyncClient(resolve()) }
      }
      // end
      let first = DIContainer.resolve(SyncClient.self)
      #expect(first.authentication === captive.authentication)
      // snippet: end-of-scope
      DIContainer.reset(.session)
      // end
      #expect(DIContainer.resolve(SyncClient.self).authentication !== first.authentication)
    }
    // What a registration captures.
    isolated {
      struct User: Sendable {}
      let user = User()
      DIContainer.register(Scoped(in: .session, user))
      DIContainer.reset(.session)
      #expect(DIContainer.resolve(User?.self) != nil)
      DIContainer.unregister(User.self)
      #expect(DIContainer.resolve(User?.self) == nil)
    }
    // Declared with a lifetime.
    isolated {
      let first = Declared.authentication()
      #expect(first === Declared.authentication())
      #expect(Declared.draft() !== Declared.draft())
      DIContainer.reset(.session)
      #expect(first !== Declared.authentication())
    }
  }

  @Test("a copy, and an instance from outside")
  func overrideKeeps() {
    final class SyncService {
      let database: Database
      let router: Router

      init(database: Database, router: Router) { (self.database, self.router) = (database, router) }

      func start() { #expect(router is MockRouter) }
    }
    isolated {
      DIContainer.register {
        Shared(Database())
        Shared(RouterImpl() as Router)
        Shared { resolve in SyncService(database: resolve(), router: resolve()) }
      }
      let outside = DIContainer.resolve(SyncService.self)
      // snippet: override-keeps
      let database = DIContainer.resolve(Database.self)

      DIContainer.withOverrides {
        New(MockRouter() as Router)
        Shared(database)  // the instance from outside; everything else is created again
      } perform: {
        DIContainer.resolve(SyncService.self).start()
      }
      // end
      DIContainer.withOverrides {
        New(MockRouter() as Router)
        Shared(database)
      } perform: {
        let inside = DIContainer.resolve(SyncService.self)
        #expect(inside !== outside && inside.database === database)
      }
      #expect(DIContainer.resolve(SyncService.self) === outside)
    }
  }

  @Test("one instance for each container")
  func scopedInContainer() {
    struct User: Sendable {
      let name: String
    }
    final class Trail: Sendable {
      let user: User

      init(user: User) { self.user = user }
    }
    // snippet: scoped-in-container
    let app = DIContainer()
    app.register {
      Scoped(in: .container) { resolve in Trail(user: resolve()) }
    }

    let request = DIContainer(parent: app)
    request.register(Shared(User(name: "Ada")))

    let trail = request.resolve(Trail.self)  // Ada's, the same until the request ends
    // end
    let other = DIContainer(parent: app)
    other.register(Shared(User(name: "Grace")))
    #expect(other.resolve(Trail.self).user.name == "Grace")
    #expect(trail.user.name == "Ada" && request.resolve(Trail.self) === trail)
    request.reset(.container)
    #expect(request.resolve(Trail.self) !== trail)

    app.register(Shared { resolve in try [resolve.tryResolve(User.self)] })
    #expect(throws: ResolutionError.self) { try request.tryResolve([User].self) }
    #expect(request != app)
  }
}
