internal import DependencyInjection
internal import Testing

// Every snippet of the 2.x document, in its order, with `any` where this target asks for it. What an app has around
// them stands here first. Each snippet is a type or a function of its own.

/// The snippets of the 2.x document.
enum CurrentDocument {
  protocol AppConfiguration: AnyObject {}
  protocol Router: AnyObject {}
  protocol DeeplinkHandler: AnyObject {}
  protocol MediaPlayer {}
  protocol FeatureOne {}
  protocol FeatureOneViewModel: AnyObject {}
  protocol FeatureTwo {}
  protocol ViewModelProtocol { var id: String { get } }
  protocol PresenterProtocol { var text: String { get } }

  final class AppConfigurationImpl: AppConfiguration {}

  final class RouterImpl: Router, DeeplinkHandler {
    let config: (any AppConfiguration)?
    init() { config = nil }
    init(config: any AppConfiguration) { self.config = config }
  }

  final class PlainRouter: Router, DeeplinkHandler {}
  final class MockRouter: Router {}
  struct Player: MediaPlayer {}
  struct FeatureOneImplementation: FeatureOne {}
  final class FeatureOneViewModelImplementation: FeatureOneViewModel {}
  struct FeatureTwoImplementation: FeatureTwo {}
  struct ConcreteViewModel: ViewModelProtocol { let id: String }
  struct ConcretePresenter: PresenterProtocol { let text: String }

  /// What an app delegate inherits from, without the platform.
  class Responder { init() {} }

  // MARK: Usage

  class AppDelegate: Responder {

    @LazyInject private var config: any AppConfiguration
    @LazyInject private var router: any Router

    override init() {
      super.init()

      DIContainer.register {
        Shared(AppConfigurationImpl() as any AppConfiguration)
        Shared(RouterImpl() as any Router)
      }
    }

    func application(didFinishLaunchingWithOptions launchOptions: [String: Any]?) -> Bool {
      config is AppConfigurationImpl && router is RouterImpl
    }
  }

  // MARK: Mutable vs immutable injected properties

  class Mutable {
    @MutableInject var router: any Router
    @MutableLazyInject var lazyRouter: any Router
  }

  // MARK: Optional dependencies

  class Watching {
    @Inject var player: (any MediaPlayer)?
  }

  // MARK: Modules

  struct FeatureOneDependencyInjection {
    static let module = Module {
      Shared(FeatureOneImplementation() as any FeatureOne)
      New(FeatureOneViewModelImplementation() as any FeatureOneViewModel)
    }
  }

  struct FeatureTwoDependencyInjection {
    static let module = Module(Shared(FeatureTwoImplementation() as any FeatureTwo))
  }

  class ModularAppDelegate: Responder {
    override init() {
      super.init()

      DIContainer.register {
        FeatureOneDependencyInjection.module
        FeatureTwoDependencyInjection.module
      }
    }
  }

  // MARK: Usage without property wrappers

  static func foo() {
    _ = DIContainer.resolve((any Router).self)
  }

  static func inferringFoo() -> any Router {
    bar(router: DIContainer.resolve())
  }

  static func bar(router: any Router) -> any Router {
    router
  }

  // MARK: Parameterized resolution

  static func register() {
    DIContainer.register {
      New({ resolver, id in ConcreteViewModel(id: id) }, as: (any ViewModelProtocol).self)

      // alternatively:
      New { _, id in ConcreteViewModel(id: id) as any ViewModelProtocol }
    }
  }

  static func resolve() -> any ViewModelProtocol {
    DIContainer.resolve((any ViewModelProtocol).self, arguments: { "id_goes_here" })
  }

  static func resolve() -> any PresenterProtocol {
    // multiple arguments are provided as tuple:
    DIContainer.resolve((any PresenterProtocol).self) { ("argument 1", 23, "argument 3") }
  }
}

struct CurrentDocumentTests {
  typealias Document = CurrentDocument

  private func inContainer(_ body: () throws -> Void) rethrows {
    try DIContainer.withCurrent(DIContainer(), body)
  }

  @Test("Usage: injected lazily, after the initializer has registered it, or resolved without property wrappers")
  func usage() {
    inContainer {
      #expect(Document.AppDelegate().application(didFinishLaunchingWithOptions: nil))
    }
    inContainer {
      DIContainer.register(Shared(Document.RouterImpl() as any Document.Router))
      Document.foo()
      #expect(Document.inferringFoo() === DIContainer.resolve((any Document.Router).self))
    }
  }

  @Test("Mutable properties can be set")
  func mutable() {
    inContainer {
      DIContainer.register(Shared(Document.RouterImpl() as any Document.Router))
      let owner = Document.Mutable()
      #expect(owner.router === owner.lazyRouter)
      owner.router = Document.MockRouter()
      owner.lazyRouter = Document.MockRouter()
      #expect(owner.router is Document.MockRouter)
      #expect(owner.lazyRouter is Document.MockRouter)
    }
  }

  /// Optional dependencies: nil if not registered, nil if an Optional is registered, else the instance.
  ///
  /// `OptionalRegistrationTests` calls it in a process of its own, because that is a warning.
  static func watchOptional(line: UInt) {
    DIContainer.withCurrent(DIContainer()) {
      #expect(Document.Watching().player == nil)
      DIContainer.register(Shared(Document.Player() as (any Document.MediaPlayer)?, line: line))
      #expect(Document.Watching().player == nil)
      DIContainer.register(Shared(Document.Player() as any Document.MediaPlayer))
      #expect(Document.Watching().player is Document.Player)
    }
  }

  @Test("Shared is identical, under each alias, and New overrides it with mocks that are not shared")
  func sharedAndNew() {
    inContainer {
      DIContainer.register(Shared(Document.RouterImpl() as any Document.Router))
      let first = DIContainer.resolve((any Document.Router).self)
      #expect(DIContainer.resolve((any Document.Router).self) === first)
      DIContainer.register(New(Document.MockRouter() as any Document.Router))
      let second = DIContainer.resolve((any Document.Router).self)
      #expect(second is Document.MockRouter)
      #expect(DIContainer.resolve((any Document.Router).self) !== second)
    }
    inContainer {
      DIContainer.register(
        Shared(Document.PlainRouter.init, as: (any Document.Router).self, (any Document.DeeplinkHandler).self))
      let router = DIContainer.resolve((any Document.Router).self)
      #expect(DIContainer.resolve((any Document.DeeplinkHandler).self) === router)
    }
  }

  @Test("A resolver closure passes dependencies to an initializer")
  func resolver() {
    inContainer {
      DIContainer.register(Shared(Document.AppConfigurationImpl() as any Document.AppConfiguration))
      DIContainer.register {
        Shared { resolve in Document.RouterImpl(config: resolve()) }
      }
      let config = DIContainer.resolve((any Document.AppConfiguration).self)
      #expect(DIContainer.resolve(Document.RouterImpl.self).config === config)
    }
  }

  @Test("Modules are registered in one place, and used inline")
  func modules() {
    inContainer {
      _ = Document.ModularAppDelegate()
      expectFeatures()
    }
    inContainer {
      DIContainer.register {
        Module {
          Shared(Document.FeatureOneImplementation() as any Document.FeatureOne)
          New(Document.FeatureOneViewModelImplementation() as any Document.FeatureOneViewModel)
        }
        Module {
          Shared(Document.FeatureTwoImplementation() as any Document.FeatureTwo)
        }
      }
      expectFeatures()
    }
  }

  private func expectFeatures() {
    #expect(DIContainer.resolve((any Document.FeatureOne).self) is Document.FeatureOneImplementation)
    #expect(DIContainer.resolve((any Document.FeatureTwo).self) is Document.FeatureTwoImplementation)
    let model = DIContainer.resolve((any Document.FeatureOneViewModel).self)
    #expect(DIContainer.resolve((any Document.FeatureOneViewModel).self) !== model)
  }

  // The conformance of `DIContainer` to `DependencyRegistering` is tested in DependencyRegisteringTests.

  @Test("Arguments are provided in a closure, several as a tuple, in both ways to register with them")
  func arguments() {
    inContainer {
      Document.register()
      let model: any Document.ViewModelProtocol = Document.resolve()
      #expect(model.id == "id_goes_here")
      DIContainer.register(
        New { (_, a: String, b: Int, c: String) in
          Document.ConcretePresenter(text: "\(a), \(b), \(c)") as any Document.PresenterProtocol
        })
      let presenter: any Document.PresenterProtocol = Document.resolve()
      #expect(presenter.text == "argument 1, 23, argument 3")
    }
    inContainer {
      DIContainer.register {
        New({ resolver, id in Document.ConcreteViewModel(id: id) }, as: (any Document.ViewModelProtocol).self)
      }
      let model: any Document.ViewModelProtocol = Document.resolve()
      #expect(model.id == "id_goes_here")
    }
  }

  @Test("Registering and resolving are safe on any thread, and re-entrant")
  func threads() {
    let container = DIContainer()
    container.register(Shared(Document.AppConfigurationImpl() as any Document.AppConfiguration))
    let isRight = onThreads(4) { index in
      (0..<500).allSatisfy { _ in
        container.register(New { resolve in Document.RouterImpl(config: resolve()) as any Document.Router })
        return (container.resolve((any Document.Router).self) as? Document.RouterImpl)?.config != nil
      }
    }
    #expect(isRight == [true, true, true, true])
  }
}
