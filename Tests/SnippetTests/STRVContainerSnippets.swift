import DITesting
import DependencyInjection
import Testing

// What stands between the markers stands in the article on migrating from the STRV container, word for word.

final class Manager: Sendable {}

final class Screenplay: Sendable {
  let manager: Manager
  let number: Int

  init(manager: Manager) { (self.manager, number) = (manager, 0) }

  init(integer: Int, manager: Manager) { (self.manager, number) = (manager, integer) }
}

// snippet: strv-module
extension Module {
  static let feature = Module {
    Shared(autowire: Screenplay.init(manager:))
    Shared(Manager())
  }
}
// end

enum STRV {
  // snippet: strv-inject
  final class Object {
    @Inject var screenplay: Screenplay
    @LazyInject var later: Screenplay
  }
  // end

  enum Singletons {
    static let container = DIContainer()
  }

  struct Pieces {
    @Inject(from: Singletons.container) var screenplay: Screenplay
  }
}

@Suite(.isolatedContainer(.empty))
struct STRVContainerSnippets {
  @Test("registrations, modules, wrappers and asynchronous factories")
  func registrations() async throws {
    // Registrations and resolutions.
    try withIsolatedContainer(.empty) {
      // snippet: strv-register
      let container = DIContainer()
      container.register {
        Shared { resolve in Screenplay(manager: resolve()) }
        Shared(Manager())
        New({ resolve, number in Screenplay(integer: number, manager: resolve()) }, named: "numbered")
      }

      let screenplay = container.resolve(Screenplay.self)
      let numbered = container.resolve(Screenplay.self, named: "numbered") { 42 }
      // end
      #expect(screenplay === container.resolve(Screenplay.self) && numbered.number == 42)
      _ = try container.tryResolve(Screenplay.self)
      container.register {
        New { resolve in Screenplay(manager: resolve()) }
        New(autowire: Screenplay.init(manager:))
        New { resolve, number in Screenplay(integer: number, manager: resolve()) }
      }
      #expect(container.resolve(Screenplay.self) { 42 }.number == 42)
      container.reset()
      container.removeAll()
      #expect(container.registrations.isEmpty)
    }
    // Modules and wrappers.
    withIsolatedContainer(.empty) {
      DIContainer.register(Module.feature)
      let object = STRV.Object()
      #expect(object.screenplay === object.later)
      STRV.Singletons.container.register(Module.feature)
      #expect(STRV.Pieces().screenplay.number == 0)
    }
    // Asynchronous factories.
    try await withIsolatedContainer(.empty) {
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      // snippet: strv-async
      DIContainer.register {
        Shared { resolve in try await Database.open(resolve()) }
      }

      let database = try await DIContainer.resolveAsync(Database.self)
      // end
      #expect(database === DIContainer.resolve(Database.self))
    }
  }
}
