internal import DependencyInjection
internal import Testing

// Every snippet of the early document, which registers with `DIContainer.shared`. The types are this file's own, so that
// what is registered there means nothing to other tests.

/// The snippets of the early document.
enum EarlyDocument {
  protocol AppConfiguration: AnyObject {}
  protocol Router: AnyObject {}
  protocol DeeplinkHandler: AnyObject {}

  final class AppConfigurationImpl: AppConfiguration {}

  final class RouterImpl: Router, DeeplinkHandler {
    let config: (any AppConfiguration)?
    init() { config = nil }
    init(config: any AppConfiguration) { self.config = config }
  }

  final class PlainRouter: Router, DeeplinkHandler {}
  final class MockRouter: Router {}

  class Responder { init() {} }

  class AppDelegate: Responder {

    @LazyInject private var config: any AppConfiguration
    @LazyInject private var router: any Router

    override init() {
      super.init()

      DIContainer.shared.register {
        Shared(AppConfigurationImpl() as any AppConfiguration)
        Shared(RouterImpl() as any Router)
      }
    }

    func application(didFinishLaunchingWithOptions launchOptions: [String: Any]?) -> Bool {
      config is AppConfigurationImpl && router is RouterImpl
    }
  }
}

@Suite(.serialized)
struct EarlyDocumentTests {
  typealias Document = EarlyDocument

  private func removeAll() {
    DIContainer.shared.unregister((any Document.AppConfiguration).self)
    DIContainer.shared.unregister((any Document.Router).self)
    DIContainer.shared.unregister((any Document.DeeplinkHandler).self)
    // What is registered behind an alias is found under its own type, too.
    DIContainer.shared.unregister(Document.RouterImpl.self)
    DIContainer.shared.unregister(Document.PlainRouter.self)
    DIContainer.shared.unregister(Document.MockRouter.self)
  }

  @Test("Lazily injected properties are used after the initializer has registered them, and $0 is a resolver")
  func usage() {
    defer { removeAll() }
    #expect(Document.AppDelegate().application(didFinishLaunchingWithOptions: nil))
    removeAll()
    DIContainer.shared.register(Shared(Document.AppConfigurationImpl() as any Document.AppConfiguration))
    DIContainer.shared.register {
      Shared { Document.RouterImpl(config: $0.resolve()) }
    }
    let config = DIContainer.shared.resolve((any Document.AppConfiguration).self)
    #expect(DIContainer.shared.resolve(Document.RouterImpl.self).config === config)
  }

  @Test("New gives each property a mock of its own, and aliases lead to one instance")
  func new() {
    defer { removeAll() }
    DIContainer.shared.register(Shared(Document.RouterImpl() as any Document.Router))
    #expect(DIContainer.resolve((any Document.Router).self) is Document.RouterImpl)
    DIContainer.shared.register(New(Document.MockRouter.init, as: (any Document.Router).self))
    let first = DIContainer.shared.resolve((any Document.Router).self)
    #expect(first is Document.MockRouter)
    #expect(DIContainer.shared.resolve((any Document.Router).self) !== first)
    removeAll()
    DIContainer.shared.register(
      Shared(Document.PlainRouter.init, as: (any Document.Router).self, (any Document.DeeplinkHandler).self))
    let router = DIContainer.shared.resolve((any Document.Router).self)
    #expect(DIContainer.shared.resolve((any Document.DeeplinkHandler).self) === router)
  }
}
