// The code of the article about testing: where tests run, and where their authors come from.

import DITesting
import DependencyInjection
import Testing

protocol Payment: AnyObject {}

final class MockPayment: Payment {}

struct Profile {
  let id: String
}

enum Launch {
  static func start() { _ = DIContainer.resolve(HomeViewModel.self) }
}

// snippet: testing-own-container
@Suite(.isolatedContainer)
struct OwnContainerTests {
  let container = DIContainer()

  init() { container.register(Module.app) }

  @Test func resolvesOnce() {
    _ = container.resolve(Router.self)

    expectResolved(Router.self, times: 1, in: container)
    expectNotResolved(AppConfiguration.self, in: container)
  }
}
// end

// snippet: testing-wrong-own-container
// Wrong: all tests change it, and no expectation can tell whose resolutions it counts.
private let sharedByAll = DIContainer()

@Suite(.isolatedContainer)
struct WrongOwnContainerTests {
  @Test func resolutions() {
    sharedByAll.register(Module.app)
    _ = sharedByAll.resolve(Router.self)
  }
}
// end

/// Stands for the class of XCTest, which exists on Apple's platforms only.
private final class XCUIApplication {
  var launchArguments: [String] = []
  func launch() {}
}

/// Only compiled: UI tests run on Apple's platforms only.
private struct UserInterfaceTests {
  // snippet: testing-ui
  func testOpens() {
    let app = XCUIApplication()
    app.launchArguments = ["-stubs"]
    app.launch()
  }
  // end

  // snippet: testing-wrong-ui
  // Wrong: the app runs in another process, which does not see the override.
  func testOpensWrongly() {
    DIContainer.override(Router.self, with: MockRouter())
    XCUIApplication().launch()
  }
  // end
}

extension Launch {
  static func register() {
    if LaunchContext.current.has("-stubs") {
      DIContainer.register(New(MockRouter() as Router))
    } else {
      DIContainer.register(Module.app)
    }
  }
}

@Suite(.exitTest)
struct LaunchTests {
  // snippet: testing-exit
  @Test func launches() async {
    await #expect(processExitsWith: .success) {
      withIsolatedContainer(.empty) {
        Module.app
      } perform: {
        Launch.start()
      }
    }
  }
  // end
}

// snippet: testing-main-actor
@MainActor
@Suite(.isolatedContainer { Shared(onMain: Screen() as Router) })
struct ScreenTests {
  @Test func opens() {
    DIContainer.resolve(Router.self).open("/")
  }

  @Test func opensLater() async throws {
    let router = try await DIContainer.resolveAsync(Router.self)
    router.open("/")
  }
}
// end

@Suite(.isolatedContainer(.empty) { Module.app })
struct TestingPlacesSnippets {
  @Test("an override of what takes arguments", .isolatedContainer { New { _, id in Profile(id: id) } })
  func arguments() {
    // snippet: testing-arguments
    DIContainer.override(Profile.self, with: Profile(id: "mock"))

    #expect(DIContainer.resolve(Profile.self) { "42" }.id == "mock")
    #expect(DIContainer.resolutions(of: Profile.self).first?.arguments as? String == "42")
    // end
  }

  private static let reports = Calls<String>()

  @Test(
    "what is forbidden",
    .filterIssues { issue in
      guard let text = issue.comments.first?.rawValue, text.contains("declares it unexpected") else { return true }
      reports(text)
      return false
    })
  func forbidden() {
    let before = Self.reports.all.count
    DIContainer.override { Unexpected(DIContainer.router) }
    _ = DIContainer.router()
    DIContainer.override { Unexpected(Router.self) }
    _ = DIContainer.resolve(Router.self)
    #expect(Self.reports.all.count == before + 2)
  }

  @Test("a launch, overrides, costs, a copy, and the shared container on purpose")
  func places() async {
    // A launch.
    withIsolatedContainer(.empty) {
      Launch.register()
      #expect(DIContainer.resolve(Router.self) is RouterImpl)
    }
    // Comments.
    withIsolatedContainer {
      protocol Analytics {}
      final class MockRouter: Router {
        init(config: AppConfiguration) {}
        func open(_ path: String) {}
      }
      DIContainer.override {
        Unexpected(Analytics.self)
        Unexpected(Payment.self) { MockPayment() }
      }
      DIContainer.withOverrides {
        DIContainer.router.overridden { resolve in MockRouter(config: resolve()) }
      } perform: {
        #expect(DIContainer.router() is MockRouter)
      }
    }
    // An unexpected type with a stub.
    withIsolatedContainer {
      // snippet: testing-unexpected-stub
      DIContainer.override {
        Unexpected(AppConfiguration.self)
        Unexpected(Payment.self) { MockPayment() }
      }
      // end
    }
    // Costs.
    withIsolatedContainer {
      // snippet: testing-cost
      expectCreated(Router.self, times: 1) { Launch.start() }

      let cost = DIContainer.cost { Launch.start() }
      #expect(cost.isWithin(creations: 24, depth: 7))  // a failure lists the types
      #expect(cost[Router.self].creations == 0)  // it exists already
      // end
    }
    // A copy.
    withIsolatedContainer {
      let container = DIContainer.current
      let copy = DIContainer(copying: container)
      #expect(copy.resolve(Router.self) !== container.resolve(Router.self))
    }
    // The shared container on purpose.
    await withIsolatedContainer {
      await Task.detached { DIContainer.withCurrent(.shared) { #expect(DIContainer.current == DIContainer.shared) } }
        .value
    }
  }

  @Test("everything live", .isolatedContainer(.unexpected) { Shared(MockRouter() as Router) })
  func live() {
    DIContainer.resolve(Router.self).open("/")
  }

  @Test(
    "handling of escapes", .isolatedContainer(escapes: .ignore),
    .isolatedContainer(recording: false))
  func parameters() {
    #expect(DIContainer.current != DIContainer.shared)
  }
}

@Suite(
  "What the library warns of",
  .filterIssues { $0.comments.first?.rawValue.contains("was registered by its type") != true })
struct WarningSnippets {
  @Test("names and declarations", .isolatedContainer(.empty) { Module.app })
  func namesAndDeclarations() {
    DIContainer.register(Shared(Database(), named: .replica))
    _ = DIContainer.resolve(Database.self, named: .replica)
    _ = DIContainer.router()
    expectResolved(Database.self, named: nil, times: 0)
    expectNotResolved(Router.self, named: nil) { _ = DIContainer.router() }
    expectResolved(DIContainer.router) { _ = DIContainer.router() }
  }
}
