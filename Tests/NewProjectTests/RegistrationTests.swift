import DependencyInjection
import XCTest

#if swift(>=6)
  @testable import NewProjectApp
#else
  @testable import NewProjectSwift5App
#endif

nonisolated protocol Titled: AnyObject {
  var title: String { get }
}

/// Its conformance is isolated to the main actor, like the class.
final class Poster: Titled {
  let title: String
  init(title: String = "poster") { self.title = title }
  init(clock: Clock) { title = "poster of \(clock.hour)" }
}

// `XCTestCase` is not isolated, so its subclasses cannot be.
nonisolated final class RegistrationTests: XCTestCase {
  private let container = DIContainer()

  @MainActor func testExpressionsNeedNoLabel() {
    container.register(MainShared(AppConfig()))
    container.register {
      MainNew(HomeViewModel())
      MainNew(ImageCache())
      MainNew(MockRouter(), as: Router.self, DeeplinkHandler.self)
      MainShared(AppConfig(), named: .other)
      MainWeak(Session())
      MainPerGraph(Draft())
    }
    XCTAssert(container.resolve(ImageCache.self) !== container.resolve(ImageCache.self))
    XCTAssert(container.resolve(AppConfig.self) === container.resolve(AppConfig.self))
    XCTAssert(container.resolve(AppConfig.self, named: .other) !== container.resolve(AppConfig.self))
    XCTAssert(container.resolve(Router.self) is MockRouter && container.resolve(DeeplinkHandler.self) is MockRouter)
    let session = container.resolve(Session.self)
    XCTAssert(container.resolve(Session.self) === session)
    _ = (container.resolve(HomeViewModel.self), container.resolve(Draft.self))
  }

  @MainActor func testClosuresNeedNoIsolation() {
    container.register {
      MainShared { AppConfig() }
      MainShared({ resolve in AppRouter(config: resolve()) }, as: Router.self, DeeplinkHandler.self)
      MainNew { _, id in ItemViewModel(id: id) }
      MainNew({ _, id, count in ItemViewModel(id: id, count: count) }, named: .other)
      MainNew { () throws -> ImageCache in throw CancellationError() }
    }
    XCTAssert(container.resolve(Router.self) as? AppRouter === container.resolve(DeeplinkHandler.self) as? AppRouter)
    XCTAssertEqual(container.resolve(ItemViewModel.self) { "7" }.id, "7")
    XCTAssertEqual(container.resolve(ItemViewModel.self, named: .other) { ("7", 3) }.count, 3)
    XCTAssertThrowsError(try container.tryResolve(ImageCache.self))
  }

  @MainActor func testAsynchronousFactoriesConvertOnTheirActor() async throws {
    container.register {
      Shared { () async in Clock(hour: 7) }
      MainShared({ () async in Poster() }, as: Titled.self)
      MainNew({ (_: Resolver) async in Poster(title: "new") }, as: Titled.self, named: .other)
      MainWeak(autowire: Poster.init(clock:), as: Titled.self, named: "autowired")
    }
    for name in [nil, .other, "autowired"] as [DependencyName?] {
      _ = try await container.resolveAsync(Titled.self, named: name)
    }
    let poster = try await container.resolveAsync(Poster.self)
    XCTAssert(container.resolve(Titled.self) === poster)
    let autowired = try await container.resolveAsync(Poster.self, named: "autowired")
    XCTAssert(autowired.title == "poster of 7" && container.resolve(Titled.self, named: "autowired") === autowired)
  }

  @MainActor func testClosuresCaptureInstances() {
    container.register(MainShared(MockRouter(), as: Router.self, DeeplinkHandler.self))
    let router: Router = container.resolve()
    ["/a", "/b"].forEach { router.open($0) }
    let handler = container.resolve(DeeplinkHandler.self)
    XCTAssert([router].allSatisfy { $0 as? DeeplinkHandler === handler })
  }

  @MainActor func testDecoratorsNeedTheIsolation() {
    container.register(MainShared(AppRouter(config: AppConfig()) as Router))
    container.decorate(Router.self) { @MainActor _, _ in MockRouter() }
    XCTAssert(container.resolve(Router.self) is MockRouter)
    container.unregister(Router.self)
    container.register {
      Decorated(Router.self) { @MainActor _, _ in MockRouter() }
      MainShared(AppRouter(config: AppConfig()) as Router)
    }
    XCTAssert(container.resolve(Router.self) is MockRouter)
  }

  @MainActor func testTheLabelCompilesAsWell() {
    container.register {
      Shared(onMain: AppConfig())
      Shared(onMain: AppRouter(config: AppConfig()), as: Router.self)
    }
    XCTAssert(container.resolve(AppConfig.self) === container.resolve(AppConfig.self))
    XCTAssert(container.resolve(Router.self) is AppRouter)
  }

  @MainActor func testInitializersAreAutowired() {
    container.register {
      MainShared(AppConfig())
      MainNew(autowire: HomeViewModel.init)
      MainShared(autowire: AppRouter.init(config:), as: Router.self)
      MainNew(autowire: ItemViewModel.init(id:count:), arguments: String.self, Int.self)
    }
    XCTAssert((container.resolve(Router.self) as? AppRouter)?.config === container.resolve(AppConfig.self))
    XCTAssertEqual(container.resolve(ItemViewModel.self) { ("7", 3) }.count, 3)
  }

  @MainActor func testConversionsAreForAnyThread() {
    container.register(Shared(Clock(hour: 12), aliases: { @Sendable clock in clock.hour }))
    XCTAssertEqual(container.resolve(Int.self), 12)
  }

  @MainActor func testScopesNeedTheLabel() {
    container.register {
      Scoped(in: .session, onMain: Session())
      Scoped(in: .session) { @MainActor _ in MockRouter() as Router }
      Scoped(in: .container, onMain: Draft())
    }
    let session = container.resolve(Session.self)
    XCTAssert(container.resolve(Session.self) === session)
    container.reset(.session)
    XCTAssert(container.resolve(Session.self) !== session)
    _ = container.resolve(Router.self)
    let child = DIContainer(parent: container)
    XCTAssert(child.resolve(Draft.self) === child.resolve(Draft.self))
    XCTAssert(child.resolve(Draft.self) !== container.resolve(Draft.self))
    XCTAssert(child.resolve(Session.self) === container.resolve(Session.self))
  }

  @MainActor func testAsynchronousFactoriesBeginOnTheMainActor() async throws {
    container.register {
      MainShared { try await Database.open("main") }
      MainNew { resolve, name in
        MainActor.preconditionIsolated()
        _ = try await resolve.resolveAsync(Database.self)
        return try await [Database.open(name)]
      }
    }
    let database = try await container.resolveAsync(Database.self)
    XCTAssertEqual(database.name, "main")
    let others = try await container.resolveAsync([Database].self) { "other" }
    XCTAssertEqual(others.map(\.name), ["other"])
  }

  @MainActor func testOtherThreadsWaitForTheMainActorOrFail() async throws {
    container.register { Module.home }
    let container = container
    let code = await Task.detached { () -> ResolutionError.Code? in
      do throws(ResolutionError) {
        _ = try container.tryResolve(HomeViewModel.self)
        return nil
      } catch {
        return error.code
      }
    }.value
    XCTAssertEqual(code, .wrongActor)
    let hour = await Task.detached { container.resolve(Clock.self).hour }.value
    XCTAssertEqual(hour, 12)
    let model = try await Task.detached { try await container.resolveAsync(ItemViewModel.self) { "7" } }.value
    XCTAssertEqual(model.id, "7")
  }

  // In the Swift 5 language mode, the compiler takes an initializer for an expression, whose value is a function. That is
  // rejected, so this has the closure to write there.
  @MainActor func testAnInitializerIsNoInstance() async {
    #if swift(>=6)
      container.register {
        MainNew(ImageCache.init)
        MainPerGraph(Draft.init)
      }
    #else
      container.register {
        MainNew { ImageCache() }
        MainPerGraph { Draft() }
      }
    #endif
    XCTAssert(container.resolve(ImageCache.self) !== container.resolve(ImageCache.self))
    XCTAssert(container.resolve(Draft.self) !== container.resolve(Draft.self))
    let container = container
    let code = await Task.detached { () -> ResolutionError.Code? in
      do throws(ResolutionError) {
        _ = try container.tryResolve(ImageCache.self)
        return nil
      } catch {
        return error.code
      }
    }.value
    XCTAssertEqual(code, .wrongActor)
  }
}
