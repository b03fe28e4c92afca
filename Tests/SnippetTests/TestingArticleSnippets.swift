// The code of the article about testing.

import DITesting
import DependencyInjection
import Testing

// snippet: testing-app
extension Module {
  static let app = Module {
    Shared(RouterImpl() as Router)
    Shared(AppConfigurationImpl() as AppConfiguration)
    New(HomeViewModel())  // has a property `@Inject private var router: Router`
  }
}
// end

// snippet: testing-first
@Suite(.isolatedContainer)
struct SettingsTests {
  @Test func opensSettings() {
    let router = MockRouter()
    DIContainer.override(Router.self, with: router)

    HomeViewModel().showSettings()  // injects the router

    #expect(router.opened == ["/settings"])
    expectResolved(Router.self, times: 1)
  }
}
// end

// snippet: testing-nested
@Suite(.isolatedContainer { Module.app })
struct ProfileTests {
  @Test(.isolatedContainer { New(MockRouter() as Router) })
  func mocked() {
    #expect(DIContainer.resolve(Router.self) is MockRouter)
  }

  @Test(.isolatedContainer(.empty) { Shared(MockRouter() as Router) })
  func nothingElse() {
    #expect(DIContainer.resolve(AppConfiguration?.self) == nil)
  }

  @Test(arguments: ["a", "b"])
  func separate(path: String) {
    // Each argument is a test case, with a container of its own.
    #expect(DIContainer.resolveCount(of: Router.self) == 0)
    DIContainer.resolve(Router.self).open(path)
  }
}
// end

// snippet: testing-trait
extension Trait where Self == IsolatedContainerTrait {
  static var mocked: Self { .isolatedContainer { Shared(MockRouter(), as: Router.self) } }
}

@Suite(.mocked)
struct MockedTests {
  @Inject private var router: MockRouter  // does not count as a request for a `Router`

  @Test func opens() {
    HomeViewModel().showSettings()
    #expect(router.opened == ["/settings"])
    expectResolved(Router.self, times: 1)
  }
}
// end

// snippet: testing-suite-mocks
@Suite(.isolatedContainer { Module.app })
struct HomeTests {
  private let router = MockRouter()
  private let model: HomeViewModel

  init() {
    DIContainer.override(Router.self, with: router)
    model = HomeViewModel()
  }

  @Test func opens() {
    model.showSettings()
    #expect(router.opened == ["/settings"])
  }
}
// end

@Test(
  .isolatedContainer {
    let database = await Database.inMemory()
    Shared(database)
  }, arguments: ["a", "b"])
func savesTo(path: String) {
  #expect(DIContainer.resolve(Database.self) === DIContainer.resolve(Database.self))
}

extension Database {
  static func inMemory() async -> Database { Database() }
}

// snippet: testing-spy
final class RouterSpy: Router, Sendable {
  let opened = Calls<String>()

  func open(_ path: String) { opened(path) }
}
// end

// snippet: testing-helper
func expectOpened(sourceLocation: SourceLocation = #_sourceLocation) {
  expectResolved(Router.self, sourceLocation: sourceLocation)
}
// end

@Suite(
  "Code that the library warns of",
  .filterIssues { $0.comments.first?.rawValue.contains("replaces one that a trait made") != true })
struct WrongCode {
  // snippet: testing-wrong-init
  // Wrong: the initializer runs after the trait of the test, and replaces its override.
  @Suite(.isolatedContainer)
  struct WrongInitializerTests {
    init() {
      DIContainer.register(Module.app)
    }

    @Test(.isolatedContainer { New(MockRouter() as Router) })
    func opens() {
      #expect(DIContainer.resolve(Router.self) is RouterImpl)  // not the mock
    }
  }
  // end
}

@Suite(.isolatedContainer(.empty) { Module.app })
struct TestingArticleSnippets {
  @Test("wrapping the real one, and rebuilding")
  func decorated() {
    // Wrapping the real one.
    withIsolatedContainer {
      final class SpyRouter: Router {
        private let router: Router
        private(set) var opened: [String] = []

        init(_ router: Router) { self.router = router }

        func open(_ path: String) {
          opened.append(path)
          router.open(path)
        }
      }
      // snippet: testing-decorated
      DIContainer.override { Decorated(Router.self) { router, _ in SpyRouter(router) } }

      HomeViewModel().showSettings()  // calls the real router through the spy

      let spy = DIContainer.resolve(Router.self) as? SpyRouter
      #expect(spy?.opened == ["/settings"])
      // end
    }
    // Rebuilding.
    withIsolatedContainer {
      // snippet: testing-rebuild
      DIContainer.register(Shared(HomeViewModel()))
      let before = DIContainer.resolve(HomeViewModel.self)

      let router = MockRouter()
      DIContainer.override(Router.self, with: router)

      before.showSettings()  // still has the router that it was built with
      #expect(router.opened.isEmpty)
      DIContainer.resolve(HomeViewModel.self).showSettings()  // another one
      #expect(router.opened == ["/settings"])
      // end
    }
  }

  @Test("expecting, also of a closure")
  func expecting() async {
    // Expecting.
    withIsolatedContainer {
      // snippet: testing-expect
      _ = DIContainer.resolve(HomeViewModel.self)

      expectResolved(Router.self)  // once or more
      expectResolved(Router.self, times: 1)
      expectResolved(Router.self, times: 1...3)
      expectNotResolved(AppConfiguration.self)
      expectResolvedInOrder(Router.self, HomeViewModel.self)
      #expect(DIContainer.resolveCount(of: Router.self) == 1)
      // end
    }
    // Expecting of a closure.
    await withIsolatedContainer {
      // snippet: testing-expect-closure
      expectResolved(Router.self, times: 1) {
        _ = HomeViewModel()
      }
      await expectResolved(Router.self, times: 2) {
        async let first = DIContainer.resolve(Router.self)
        async let second = DIContainer.resolve(Router.self)
        #expect(await first === second)
      }
      // end
    }
  }

  @Test("overrides drop all instances, and are resolved")
  func dropsAll() {
    // An override drops all instances, and overrides for a part of a test count, too.
    withIsolatedContainer {
      DIContainer.register(Shared(DiskCache() as Cache))
      let cache = DIContainer.resolve(Cache.self)
      DIContainer.override(Router.self, with: MockRouter())
      #expect(DIContainer.resolve(Cache.self) !== cache)
      expectResolved(Router.self, times: 1) {
        DIContainer.withOverrides {
          New(MockRouter() as Router)
        } perform: {
          _ = DIContainer.resolve(Router.self)
        }
      }
    }
    // Unexpected.
    withIsolatedContainer {
      DIContainer.override { Unexpected(AppConfiguration.self) }
      HomeViewModel().showSettings()
    }
    // Overrides that are resolved.
    withIsolatedContainer {
      // snippet: testing-overrides-resolved
      let router = MockRouter()
      DIContainer.override(Router.self, with: router)

      HomeViewModel().showSettings()

      expectOverridesResolved()
      // end
    }
  }

  @Test("what can be overridden, and with what")
  func overriding() async {
    // What can be overridden, and with what.
    withIsolatedContainer {
      let (router, database) = (MockRouter(), Database())
      DIContainer.override(Database.self, named: .replica, with: database)
      DIContainer.override(DIContainer.router, with: router)
      #expect(DIContainer.resolve(Database.self, named: .replica) === database)
      #expect(DIContainer.router() === router)
      #expect(DIContainer.resolutions(of: Database.self).count == 1)
      expectResolved(Database.self, named: .replica)
      expectResolved(DIContainer.router, times: 1)
    }
    // Forbidding a type, and a name of it.
    withIsolatedContainer {
      DIContainer.override {
        Unexpected(Database.self)
        Unexpected(Database.self, named: .replica)
      }
      expectNotResolved(Database.self)
    }
    // Overriding two types with one instance.
    withIsolatedContainer {
      final class MockRouter: Router, DeeplinkHandler {
        func open(_ path: String) {}
      }
      DIContainer.override { Shared(MockRouter(), as: Router.self, DeeplinkHandler.self) }
      #expect(DIContainer.resolve(Router.self) === DIContainer.resolve(DeeplinkHandler.self))
    }
    // A spy.
    await withIsolatedContainer {
      // snippet: testing-spy-use
      let router = RouterSpy()
      DIContainer.override(Router.self, with: router)

      HomeViewModel().showSettings()

      #expect(router.opened.all == ["/settings"] && router.opened.count == 1)
      #expect(await router.opened.next(within: .seconds(600)) == "/settings")
      // end
      expectOpened()
    }
  }

  @Test("overrides that must be resolved", .isolatedContainer(overrides: .mustBeResolved))
  func required() {
    expectNotCreated(Router.self)
    DIContainer.override(Router.self, with: MockRouter())
    HomeViewModel().showSettings()
  }

  @Test(
    "what factories take",
    .isolatedContainer {
      New { resolve, id in ItemViewModelImpl(id: id, config: resolve()) as ItemViewModel }
    })
  func arguments() async {
    await verifyRegistrations(arguments: { $0.type == ItemViewModel.self ? "42" : nil })
  }

  @Test("work that nobody waits for, and taking the container along")
  func within() async throws {
    // Work that nobody waits for.
    try await withIsolatedContainer {
      func refreshInBackground() { Task { DIContainer.resolve(Router.self).open("/refresh") } }
      // snippet: testing-within
      refreshInBackground()

      try await expectResolved(Router.self, times: 1, within: .seconds(600))
      // end
    }
    // Taking the container along.
    await withIsolatedContainer {
      let router = MockRouter()
      DIContainer.override(Router.self, with: router)
      await refresh()
      #expect(router.opened == ["/refresh"])
    }
  }

  // Only compiled: it would be reported.
  // snippet: testing-wrong-detached
  // Wrong: a detached task does not inherit the container of the test.
  func refreshWrongly() async {
    await Task.detached {
      DIContainer.resolve(Router.self).open("/refresh")
    }.value
  }
  // end

  // snippet: testing-right-detached
  func refresh() async {
    await Task.detached(
      operation: DIContainer.escaping {
        DIContainer.resolve(Router.self).open("/refresh")
      }
    ).value
  }
  // end
}

// snippet: testing-outliving
final class Uploader {
  private(set) var upload: Task<Void, Never>?

  func start() {
    upload = Task { DIContainer.resolve(Router.self).open("/uploaded") }
  }
}

@Test(.isolatedContainer { Module.app })
func uploads() async {
  let uploader = Uploader()
  uploader.start()
  await uploader.upload?.value
  expectResolved(Router.self, times: 1)
}
// end
