import DITesting
import DependencyInjection
import Testing

// What stands between the markers stands in the article with recipes, or in that on migrating from Factory, word for word.

@Suite("Decorators", .isolatedContainer(.empty))
struct DecoratorSnippets {
  @Test("by type, for what is registered later, too")
  func byType() throws {
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

  @Test("of a declared dependency")
  func declared() {
    final class LoudService: Service {
      let name: String

      init(_ service: Service) { name = service.name.uppercased() }
    }

    // snippet: factory-decorate
    DIContainer.service.decorate { service, _ in LoudService(service) }
    // end
    #expect(DIContainer.service().name == "WITH LIVEAPI")
    DIContainer.service.unregister()
    #expect(DIContainer.service().name == "with LiveAPI")
  }

  @Test("one instance for each argument")
  func instancePerArgument() {
    let numbered = Dependency<Service, Int>(instancePerArgument: .shared) { _, id in ServiceImpl(id: id) }
    #expect(numbered(1) === numbered(1))
    #expect(numbered(1) !== numbered(2))
  }
}
