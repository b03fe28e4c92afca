import DependencyInjection
import Foundation
import Testing

// What stands between the markers stands in README.md or in the article on getting started, word for word.

struct ThreadSnippets {
  @Test("queues and tasks")
  func escaping() {
    // Taking the current container along.
    do {
      let app = DIContainer()
      app.register(New(RouterImpl() as Router))
      DIContainer.withCurrent(app) {
        let queue = DispatchQueue(label: "snippets")
        @Sendable func upload() async { DIContainer.resolve(Router.self).open("/upload") }
        // snippet: escaping
        queue.async(execute: DIContainer.escaping { DIContainer.resolve(Router.self).open("/") })
        Task.detached(operation: DIContainer.escaping { await upload() })
        // end
        queue.sync {}
      }
    }
    // A factory that uses a queue.
    do {
      final class Feed: Sendable {
        let name: String
        init(config: AppConfiguration) { name = "\(type(of: config))" }
      }
      struct OtherConfiguration: AppConfiguration {}
      let (container, parsing) = (DIContainer(), DispatchQueue(label: "parsing"))
      // snippet: factory-threads
      container.register(
        Shared { resolve in
          Feed(config: parsing.sync { resolve(AppConfiguration.self) })
        })
      // end
      container.register(Shared(AppConfigurationImpl() as AppConfiguration))
      let child = DIContainer(parent: container)
      child.register(Shared(OtherConfiguration() as AppConfiguration))
      #expect(child.resolve(Feed.self).name == "AppConfigurationImpl")
      #expect(container.resolve(Feed.self) === child.resolve(Feed.self))
    }
  }

  @Test("main actor types")
  @MainActor
  func mainActor() {
    let container = DIContainer()
    container.register(Shared(AppConfigurationImpl() as AppConfiguration))
    DIContainer.withCurrent(container) {
      // snippet: main-actor
      DIContainer.register {
        Shared(onMain: Screen() as Router)
        New { @MainActor resolve in Screen(config: resolve()) }
      }
      // end
      #expect(DIContainer.resolve(Router.self) is Screen)
      _ = DIContainer.resolve(Screen.self)
      DIContainer.register(Shared(Screen.init, as: Router.self))
      #expect(DIContainer.resolve(Router.self) is Screen)
    }
  }
}
