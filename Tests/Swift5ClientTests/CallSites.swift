import DITesting
import DependencyInjection
import Dispatch
import XCTest

#if os(macOS) || os(Linux)
  import Testing
#endif

// What an app in Swift 5 language mode has, with nothing marked for concurrency.

protocol Router: AnyObject {}
protocol DeeplinkHandler: AnyObject {}
protocol AppConfiguration {}
protocol ViewModel { var id: String { get } }
protocol Presenter { var text: String { get } }
protocol MediaPlayer {}
protocol Cache: AnyObject {}
protocol FeatureOne {}
protocol FeatureTwo {}

class AppConfigurationImpl: AppConfiguration {}

class RouterImpl: Router, DeeplinkHandler {
  let config: AppConfiguration?
  init() { config = nil }
  init(config: AppConfiguration) { self.config = config }
}

class MockRouter: Router, DeeplinkHandler { var count = 0 }

class LoggingRouter: Router {
  let router: Router
  init(_ router: Router) { self.router = router }
}

class Basket {
  let router: Router
  init(router: Router) { self.router = router }
}

struct ConcreteViewModel: ViewModel { let id: String }

struct PresenterImpl: Presenter {
  let text: String
  init(_ first: String, _ second: Int, _ third: String) { text = "\(first) \(second) \(third)" }
}

@MainActor final class Screen: Router {
  init() {}
  init(config: AppConfiguration) {}
}

@MainActor final class PlainScreen: Router {
  init() {}
}

class DiskCache: Cache {}
class NoCache: Cache {}
struct FeatureOneImpl: FeatureOne {}
struct FeatureTwoImpl: FeatureTwo {}

enum FeatureOneModule {
  static let module = Module {
    Shared(FeatureOneImpl() as FeatureOne)
    New(FeatureTwoImpl() as FeatureTwo)
  }
}

enum FeatureTwoModule {
  static let module = Module(Shared(FeatureTwoImpl() as FeatureTwo))
}

// Not `DIContainer` itself: the other test target conforms it, and both run in one process.
enum Defaults: DependencyRegistering {
  static func registerDependencies() { DIContainer.register(Shared(RegisteredByDefault())) }
}

class RegisteredByDefault {}

final class Singletons {
  static let container = DIContainer()
}

class Owner {
  @Inject private var router: Router
  @Inject var player: MediaPlayer?
  @LazyInject private var lazyRouter: Router
  @MutableInject var mutableRouter: Router
  @MutableLazyInject var mutableLazyRouter: Router
  @Inject(from: Singletons.container) var other: Router
  @LazyInject(from: Singletons.container) var otherLazily: Router

  var routers: [Router] { [router, lazyRouter, mutableRouter, mutableLazyRouter] }
}

@MainActor class ScreenOwner {
  @Inject private var router: Router
  @LazyInject private var lazyRouter: Router
  var routers: [Router] { [router, lazyRouter] }
}

actor ActorOwner {
  @Inject private var router: Router
  @LazyInject private var lazyRouter: Router
  var areSame: Bool { router === lazyRouter }
}

struct StructOwner {
  @Inject var router: Router
  @LazyInject var lazyRouter: Router
}

func bar(router: Router) -> Router { router }

struct Offline: Error {}

func makeRouter(isOffline: Bool = false) throws -> Router {
  if isOffline { throw Offline() }
  return MockRouter()
}

func openRouter() async throws -> Router { try makeRouter() }

extension DIContainer {
  static let configuration = Dependency<AppConfiguration>(.shared) { AppConfigurationImpl() }
  static let router = Dependency<Router>(.shared) { resolve in
    _ = configuration(from: resolve)
    return try makeRouter()
  }
  static let mockRouter = Dependency<Router>(.new) { try makeRouter() }
  static let openedRouter = Dependency<Router> { resolve in try await openRouter() }
}

// Every call site of sections 1 and 2, in the form that has no `any`.
final class CallSiteTests: XCTestCase {
  func testEveryRegistrationIsAccepted() throws {
    let usesCache = true
    DIContainer.withCurrent(DIContainer()) {
      DIContainer.register(Shared(RouterImpl() as Router))
      DIContainer.register(New(MockRouter() as Router))
      DIContainer.register {
        Shared(AppConfigurationImpl() as AppConfiguration)
        New(MockRouter.init)
        New(RouterImpl.init as () -> RouterImpl)
        Shared(MockRouter.init, as: Router.self, DeeplinkHandler.self)
        Shared(RouterImpl(), as: Router.self, DeeplinkHandler.self)
        Shared { RouterImpl() as Router }
        Shared { resolve in RouterImpl(config: resolve()) as Router }
        Shared { RouterImpl(config: $0.resolve()) as Router }
        Shared { RouterImpl(config: $0.resolve()) }
        New { _, id in ConcreteViewModel(id: id) as ViewModel }
        New({ resolve, id in ConcreteViewModel(id: id) }, as: ViewModel.self)
        New { _, first, second, third in PresenterImpl(first, second, third) as Presenter }
        New { @MainActor resolve in Screen(config: resolve()) }
        Shared(onMain: Screen() as Router)
        Shared(RouterImpl(), aliases: { $0 as Router }, { $0 as DeeplinkHandler })
        FeatureOneModule.module
        Module { Shared(FeatureTwoImpl() as FeatureTwo) }
        if usesCache { Shared(DiskCache() as Cache) } else { New(NoCache() as Cache) }
        for plugin in [FeatureOneModule.module, FeatureTwoModule.module] { plugin }
        if #available(macOS 15, *) { Shared(1 as Int) }
        switch usesCache {
        case true: Shared("yes" as String)
        case false: Shared("no" as String)
        }
        Shared({ resolve in RouterImpl(config: resolve()) }, as: Router.self, DeeplinkHandler.self)
      }
      let router: Router = DIContainer.resolve()
      XCTAssertTrue(router === DIContainer.resolve(DeeplinkHandler.self))
      XCTAssertTrue(router === bar(router: DIContainer.resolve()))
      XCTAssertNotNil((router as? RouterImpl)?.config)
      XCTAssertTrue(DIContainer.resolve(Cache.self) is DiskCache)
      XCTAssertEqual(DIContainer.resolve(String.self), "yes")
      XCTAssertEqual(DIContainer.resolve(Int.self), 1)
      // The newest registration of a type wins, also of that of an instance with aliases.
      XCTAssertTrue(DIContainer.resolve(MockRouter.self) === DIContainer.resolve(MockRouter.self))
      XCTAssertEqual(DIContainer.resolve(ViewModel.self, arguments: { "id" }).id, "id")
      XCTAssertEqual(DIContainer.resolve(ViewModel.self) { "other" }.id, "other")
      let presenter = DIContainer.resolve(Presenter.self) { ("argument 1", 23, "argument 3") }
      XCTAssertEqual(presenter.text, "argument 1 23 argument 3")
    }
  }

  func testEveryFormIsListedWithItsAliasItsNameAndItsLocation() {
    let shared = [
      Shared({ RouterImpl() }, as: Router.self, named: "form", line: 1),
      Shared({ _ in RouterImpl() }, as: Router.self, named: "form", line: 2),
      Shared({ (_, _: Int) in RouterImpl() }, as: Router.self, named: "form", line: 3),
      Shared({ () async in RouterImpl() }, as: Router.self, named: "form", line: 4),
      Shared({ (_: Resolver) async in RouterImpl() }, as: Router.self, named: "form", line: 5),
      Shared(autowire: RouterImpl.init(config:), as: Router.self, named: "form", line: 6),
    ]
    expectListed(shared, "Shared")
    let scope = Scope("session")
    let scoped = [
      Scoped(in: scope, { RouterImpl() }, as: Router.self, named: "form", line: 1),
      Scoped(in: scope, { _ in RouterImpl() }, as: Router.self, named: "form", line: 2),
      Scoped(in: scope, { () async in RouterImpl() }, as: Router.self, named: "form", line: 3),
      Scoped(in: scope, { (_: Resolver) async in RouterImpl() }, as: Router.self, named: "form", line: 4),
      Scoped(in: scope, autowire: RouterImpl.init(config:), as: Router.self, named: "form", line: 5),
    ]
    expectListed(scoped, "Scoped(in: session)")
  }

  private func expectListed<Form: Registration>(_ forms: [Form], _ lifetime: String) {
    for (number, form) in zip(1..., forms) {
      let container = DIContainer()
      container.register(form)
      let listing = container.registrations.map { $0.description }.joined()
      XCTAssertTrue(listing.hasPrefix("\(lifetime) RouterImpl"), listing)
      XCTAssertTrue(listing.hasSuffix(" as Router (form) at \(#fileID):\(number)"), listing)
    }
  }

  func testOptionalsAndErrors() throws {
    try DIContainer.withCurrent(DIContainer()) {
      let player: MediaPlayer? = DIContainer.resolve()
      XCTAssertNil(player)
      do {
        _ = try DIContainer.tryResolve(Router.self)
        XCTFail("nothing is registered")
      } catch {
        XCTAssertEqual((error as? ResolutionError)?.code, .missingRegistration)
      }
      DIContainer.register { New { _, id in ConcreteViewModel(id: id) as ViewModel } }
      XCTAssertEqual(try DIContainer.tryResolve(ViewModel.self) { "id" }.id, "id")
      XCTAssertThrowsError(try DIContainer.tryResolve(ViewModel.self)) { error in
        // The name of this module, which the note leaves out, contains a digit.
        XCTAssertTrue("\(error)".contains("`resolve(ViewModel.self) { … }`"), "\(error)")
      }
    }
  }

  func testDeclaredDependenciesThatThrow() async throws {
    try DIContainer.withCurrent(DIContainer()) {
      XCTAssertTrue(try DIContainer.router.tryResolve() === DIContainer.router())
      XCTAssertTrue(DIContainer.mockRouter() is MockRouter)
      DIContainer.router.register { try makeRouter(isOffline: true) }
      XCTAssertThrowsError(try DIContainer.router.tryResolve()) { error in
        XCTAssertTrue((error as? ResolutionError)?.underlyingError is Offline)
      }
      XCTAssertThrowsError(try DIContainer.openedRouter.tryResolve()) { error in
        XCTAssertEqual((error as? ResolutionError)?.code, .asynchronous)
      }
    }
    let opened = try await DIContainer.openedRouter.resolveAsync()
    XCTAssertTrue(opened is MockRouter)
  }

  func testNonSendableMocksAreCaptured() {
    let mock = MockRouter()
    let container = DIContainer()
    container.register(Shared(mock as Router))
    container.register(Shared { mock as DeeplinkHandler })
    mock.count += 1
    XCTAssertTrue(container.resolve(Router.self) === mock)
    XCTAssertTrue(container.resolve(DeeplinkHandler.self) === mock)
  }

  @MainActor func testWrappers() async {
    let container = DIContainer()
    container.register(Shared(RouterImpl() as Router))
    Singletons.container.register(Shared(MockRouter() as Router))
    let owner = DIContainer.withCurrent(container) { () -> Owner in
      let owner = Owner()
      XCTAssertNil(owner.player)
      XCTAssertTrue(owner.routers.allSatisfy { $0 === container.resolve(Router.self) })
      return owner
    }
    XCTAssertTrue(owner.other === Singletons.container.resolve(Router.self))
    XCTAssertTrue(owner.otherLazily === owner.other)
    let mock = MockRouter()
    owner.mutableRouter = mock
    owner.mutableLazyRouter = mock
    XCTAssertTrue(owner.mutableRouter === mock && owner.mutableLazyRouter === mock)
    DIContainer.withCurrent(container) {
      let screen = ScreenOwner()
      XCTAssertTrue(screen.routers.allSatisfy { $0 === container.resolve(Router.self) })
      let value = StructOwner()
      XCTAssertTrue(value.router === value.lazyRouter)
    }
    let areSame = await DIContainer.withCurrent(container) { await ActorOwner().areSame }
    XCTAssertTrue(areSame)
  }

  func testContainers() async throws {
    let container = DIContainer()
    container.register { Shared(RouterImpl() as Router) }
    let router = container.resolve(Router.self)
    let child = DIContainer(parent: container)
    XCTAssertTrue(child.resolve(Router.self) === router)
    child.register(New(MockRouter() as Router))
    XCTAssertTrue(child.resolve(Router.self) is MockRouter)
    DIContainer.withCurrent(container) { XCTAssertTrue(DIContainer.current == container) }
    await DIContainer.withCurrent(container) {
      await Task.yield()
      XCTAssertTrue(DIContainer.current == container)
    }
    DIContainer.withOverrides {
      New(MockRouter() as Router)
    } perform: {
      XCTAssertTrue(bar(router: DIContainer.resolve()) is MockRouter)
    }
    await DIContainer.withOverrides {
      New(MockRouter() as Router)
    } perform: {
      await Task.yield()
      XCTAssertTrue(bar(router: DIContainer.resolve()) is MockRouter)
    }
    let detached = DIContainer.withCurrent(child) {
      Task.detached(operation: DIContainer.escaping { () async -> Bool in DIContainer.current == child })
    }
    let isChild = await detached.value
    XCTAssertTrue(isChild)
    let queued = expectation(description: "The block has run")
    DIContainer.withCurrent(child) {
      DispatchQueue(label: "queue").async(
        execute: DIContainer.escaping {
          XCTAssertTrue(DIContainer.current == child)
          queued.fulfill()
        })
    }
    await fulfillment(of: [queued], timeout: 600)
    child.unregister(Router.self)
    XCTAssertTrue(child.resolve(Router.self) === router)
    container.reset()
    XCTAssertFalse(container.resolve(Router.self) === router)
  }

  func testWhatBelongsToEachContainer() {
    let container = DIContainer()
    container.register {
      Shared(RouterImpl() as Router)
      Scoped(in: .container) { resolve in Basket(router: resolve()) }
    }
    let child = DIContainer(parent: container)
    child.register {
      Decorated(Router.self) { router, _ in LoggingRouter(router) }
      Decorated(DIContainer.configuration) { configuration, _ in configuration }
    }
    let router = container.resolve(Router.self)
    XCTAssertTrue((child.resolve(Router.self) as? LoggingRouter)?.router === router)
    XCTAssertTrue(child.resolve(Basket.self).router === child.resolve(Router.self))
    XCTAssertTrue(container.resolve(Basket.self).router === router)
    XCTAssertTrue(child.resolve(Basket.self) === child.resolve(Basket.self))
    child.reset(.container)
    child.unregister(Router.self)
    XCTAssertTrue(child.resolve(Basket.self).router === router)
  }

  func testTheSharedContainer() {
    let snapshot = DIContainer.snapshot()
    defer { DIContainer.restore(snapshot) }
    Defaults.registerDependencies()
    XCTAssertTrue(
      DIContainer.shared.resolve(RegisteredByDefault.self) === DIContainer.resolve(RegisteredByDefault.self))
    DIContainer.shared.register { Shared(RouterImpl() as Router) }
    DIContainer.shared.register(FeatureOneModule.module)
    XCTAssertNotNil(DIContainer.shared.resolve(FeatureOne?.self))
    DIContainer.shared.unregister(Router.self)
    DIContainer.shared.unregister(RegisteredByDefault.self)
  }

  @MainActor func testMainActorInitializersKeepTheirIsolation() {
    let container = DIContainer()
    container.register(Shared({ @MainActor in Screen() }, as: Router.self))
    XCTAssertTrue(container.resolve(Router.self) is Screen)
    container.register(Shared({ @MainActor in PlainScreen() }, as: Router.self))
    XCTAssertTrue(container.resolve(Router.self) is PlainScreen)
  }

  // What an app delegate does. To the compiler, a named initializer is an expression in here; see below.
  @MainActor func testInitializersAreCalledInClosuresOnTheMainActor() throws {
    let container = DIContainer()
    container.register {
      Shared({ MockRouter() }, as: Router.self, DeeplinkHandler.self)
      New { DiskCache() }
    }
    XCTAssertTrue(container.resolve(Router.self) === container.resolve(DeeplinkHandler.self))
    let resolved = expectation(description: "resolved elsewhere")
    DispatchQueue.global().async {
      XCTAssertTrue(container.resolve(DiskCache.self) !== container.resolve(DiskCache.self))
      resolved.fulfill()
    }
    wait(for: [resolved], timeout: 600)
  }
}

// Only these systems have exit tests.
#if os(macOS) || os(Linux)
  // On the main actor, an initializer is no `Sendable` function in this language mode, so the compiler takes it for an
  // expression. On no actor, the call sites above are what they look like.
  @MainActor private func nameAnInitializer() { DIContainer().register(New(DiskCache.init)) }

  struct NamedInitializerTests {
    @Test("They are rejected, with what to write instead", .exitTest)
    func rejected() async throws {
      let result = try #require(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          await nameAnInitializer()
        })
      let text = String(decoding: result.standardErrorContent, as: UTF8.self)
      #expect(
        text.contains("'() -> DiskCache' is a function, and its result would never be created.")
          && text.contains("pass a closure") && text.contains("CallSites.swift:"))
    }
  }
#endif
