import DITesting
import DependencyInjection
import Testing

// What stands between the markers stands in the article with recipes, or in that on migrating from Factory, word for word.

// snippet: recipe-decorated
extension Module {
  static let diagnostics = Module {
    Decorated(Router.self) { router, _ in LoggingRouter(router) }
  }
}
// end

private struct CountingSearch: Search {
  let search: Search

  init(_ search: Search) { self.search = search }
}

private final class LoudService: Service {
  let name: String

  init(_ service: Service) { name = service.name.uppercased() }
}

@Suite(.isolatedContainer(.empty))
struct DecoratorSnippets {
  @Test("as registrations, in a module, for a child, and in a copy")
  func registrations() throws {
    // As registrations.
    withIsolatedContainer(.empty) {
      // snippet: decorated
      DIContainer.register {
        Decorated(Router.self) { router, resolve in LoggingRouter(router) }
        Decorated(DIContainer.service) { service, _ in LoudService(service) }  // a declared dependency
        Decorated(Search.self, named: .offline) { search, _ in CountingSearch(search) }
      }
      // end
      DIContainer.register {
        Shared(MockRouter() as Router)
        Shared(SearchImpl() as Search)
        Shared(OfflineSearch() as Search, named: .offline)
      }
      #expect(DIContainer.resolve(Router.self) is LoggingRouter)
      #expect(DIContainer.service().name == "WITH LIVEAPI")
      #expect(DIContainer.resolve(Search.self, named: .offline) is CountingSearch)
      #expect(DIContainer.resolve(Search.self) is SearchImpl)
    }
    // In a module, for a child, and in a copy.
    withIsolatedContainer(.empty) {
      DIContainer.register(Shared(MockRouter() as Router))
      let router = DIContainer.resolve(Router.self)

      let child = DIContainer(parent: .current)
      child.register(Module.diagnostics)
      #expect(child.resolve(Router.self) is LoggingRouter)
      #expect(DIContainer.resolve(Router.self) === router)

      DIContainer.withOverrides {
        Module.diagnostics
      } perform: {
        #expect(DIContainer.resolve(Router.self) is LoggingRouter)
      }
      DIContainer.override { Decorated(Router.self) { router, _ in LoggingRouter(router) } }
      #expect(DIContainer.resolve(Router.self) is LoggingRouter)
    }
  }

  @Test("by type, for what is registered later, too, and of a declared dependency")
  func byType() throws {
    // By type, for what is registered later, too.
    try withIsolatedContainer(.empty) {
      // snippet: recipe-decorate
      DIContainer.decorate(Router.self) { router, _ in LoggingRouter(router) }
      // end
      let original = MockRouter()
      nonisolated(unsafe) let router = original  // used by this thread only
      DIContainer.register(Shared { router as Router })

      let decorated = try #require(DIContainer.resolve(Router.self) as? LoggingRouter)
      #expect(DIContainer.resolve(Router.self) === decorated)
      decorated.open("/")
      #expect(original.opened == ["/"])

      DIContainer.withOverrides {
        New(MockRouter() as Router)
      } perform: {
        #expect(DIContainer.resolve(Router.self) is MockRouter)
      }
      DIContainer.unregister(Router.self)
      DIContainer.register(Shared(MockRouter() as Router))
      #expect(DIContainer.resolve(Router.self) is MockRouter)
    }
    // Of a declared dependency.
    withIsolatedContainer(.empty) {
      // snippet: factory-decorate
      DIContainer.service.decorate { service, _ in LoudService(service) }
      // end
      #expect(DIContainer.service().name == "WITH LIVEAPI")
      DIContainer.service.unregister()
      #expect(DIContainer.service().name == "with LiveAPI")
    }
    // One instance for each argument.
    withIsolatedContainer(.empty) {
      let numbered = Dependency<Service, Int>(instancePerArgument: .shared) { _, id in ServiceImpl(id: id) }
      #expect(numbered(1) === numbered(1))
      #expect(numbered(1) !== numbered(2))
    }
  }
}
