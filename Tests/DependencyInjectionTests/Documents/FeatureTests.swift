internal import DITesting
internal import DependencyInjection
internal import Testing

// What the documents of other libraries offer, what their roadmaps promise, and what their users have asked for, by the
// names it has there. What the snippets of the documents or a suite of its own covers is not repeated here.

// MARK: - Declared dependencies

private protocol MyService: AnyObject, Sendable { var name: String { get } }

private final class MyServiceImpl: MyService {
  let name: String
  init(_ name: String = "real") { self.name = name }
}

private final class ConstructedService: Sendable {
  let service: any MyService
  init(service: any MyService) { self.service = service }
}

private enum Orders {
  static let service = Dependency<any MyService>(.shared) { MyServiceImpl() }
}

private final class ViewModelPoc {
  @LazyInject(Orders.service) private var declared
  @LazyInject private var registered: any MyService
  @LazyInject(named: "poc") private var named: any MyService

  var names: [String] { [declared.name, registered.name, named.name] }
}

// MARK: - VIPER

private protocol PresenterInterface: AnyObject { func didLoad(_ items: [String]) }

private protocol InteractorInterface: AnyObject { func fetch() }

private protocol ViewInterface: AnyObject { var shown: [String] { get } }

private final class Presenter: PresenterInterface, ViewInterface {
  @Inject var interactor: any InteractorInterface
  private(set) var shown: [String] = []
  func didLoad(_ items: [String]) { shown = items }
}

private final class Interactor: InteractorInterface {
  private let presenter: () -> (any PresenterInterface)?
  init(presenter: @escaping () -> (any PresenterInterface)?) { self.presenter = presenter }
  func fetch() { presenter()?.didLoad(["cat"]) }
}

@Suite(.isolatedContainer(.empty))
struct FeatureTests {
  @Test("Container hierarchy, and detecting circular dependencies through it")
  func hierarchy() {
    let child = DIContainer(parent: .current)
    DIContainer.register {
      Scoped(in: .container) { resolve in try ConstructedService(service: resolve.tryResolve()) }
      Shared({ resolve in try ConstructedService(service: resolve.tryResolve()) }, named: "kept")
    }
    child.register(
      Shared { resolve in try resolve.tryResolve(ConstructedService.self).service })
    #expect(
      failure { try child.tryResolve(ConstructedService.self) }?.path == [
        "ConstructedService", "MyService", "ConstructedService",
      ])
    child.register(Shared(MyServiceImpl("child") as any MyService))
    #expect(child.resolve(ConstructedService.self).service.name == "child")
    #expect(child.resolve(ConstructedService.self) === child.resolve(ConstructedService.self))
    // What the parent keeps does not see the child.
    let error = failure { try child.tryResolve(ConstructedService.self, named: "kept") }
    #expect(error?.code == .missingRegistration && error?.path == ["ConstructedService (kept)", "MyService"])
  }

  @Test("A registration in a test reaches lazily injected properties")
  func lazily() {
    DIContainer.register {
      Shared(MyServiceImpl() as any MyService)
      Shared(MyServiceImpl() as any MyService, named: "poc")
    }
    let model = ViewModelPoc()
    Orders.service.register { MyServiceImpl("test project") }
    DIContainer.register {
      Shared(MyServiceImpl("test project") as any MyService)
      Shared(MyServiceImpl("test project") as any MyService, named: "poc")
    }
    #expect(model.names == Array(repeating: "test project", count: 3))
  }

  @Test("Graph scope: one presenter for all parts of a VIPER module, another one for the next module")
  func viper() {
    DIContainer.register {
      PerGraph(Presenter.init, as: (any PresenterInterface).self, (any ViewInterface).self, Presenter.self)
      PerGraph { resolve in
        Interactor { [weak module = resolve(Holder.self)] in module?.presenter } as any InteractorInterface
      }
      PerGraph(Holder())
      New { resolve in
        let holder = resolve(Holder.self)
        holder.presenter = resolve()
        return VIPERModule(holder: holder, view: resolve(), presenter: resolve())
      }
    }
    let (module, other) = (DIContainer.resolve(VIPERModule.self), DIContainer.resolve(VIPERModule.self))
    module.presenter.interactor.fetch()
    #expect(module.view === module.presenter && module.view.shown == ["cat"])
    #expect(other.view.shown.isEmpty && other.view !== module.view)
  }
}

private final class Holder { weak var presenter: Presenter? }

private struct VIPERModule {
  let holder: Holder
  let view: any ViewInterface
  let presenter: Presenter
}
