import DITesting
import DependencyInjection
import Foundation
import Synchronization
import Testing

// What stands between the markers stands in the article on migration from version 2.x, word for word.

struct VersionTwoSnippets {
  @Test("what is new")
  func new() {
    isolated {
      // snippet: version-two
      DIContainer.register {
        Shared(LiveAPI() as API)
        Shared(autowire: ServiceImpl.init(api:cache:), as: Service.self)  // cache is an optional, and may be missing
        Shared(MockService() as Service, named: "offline")  // a second registration of the type
        Scoped(in: .session) { resolve in Authentication(config: resolve()) }  // until reset(.session)
        Shared(AppConfigurationImpl() as AppConfiguration)
      }

      DIContainer.withOverrides {
        New(MockAPI() as API)
      } perform: {
        let service = DIContainer.resolve(Service.self)  // has the mock; code outside does not see it
        print(service.name)
      }
      // end
      #expect(DIContainer.resolve(Service.self).name == "uncached")
      #expect(DIContainer.resolve(Service.self, named: "offline").name == "mock")
      struct Item {
        let id: Int
      }
      DIContainer.register(Shared { resolve in ServiceImpl(api: resolve(), cache: resolve()) as Service })
      DIContainer.current.rejectsDuplicates = true
      DIContainer.register {
        New(MockRouter() as Router)
        Shared(RouterImpl.init, as: DeeplinkHandler.self)
        New { _, id in Item(id: id) }
      }
      #expect(DIContainer.resolve(Item.self, arguments: { 5 }).id == 5)
      _ = try? DIContainer.tryResolve(Router.self)
    }
  }
}
