// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import DITesting
import DependencyInjection
import Dispatch
import Testing
import XCTest

// What the documentation comments of the libraries show, statement by statement, word for word.

extension DIContainer {
  static let router = Dependency<Router>(.shared) { resolve in RouterImpl(config: resolve()) }
  static let item = Dependency { (resolve: Resolver, id: String) in Document(id: id) }
}

extension DependencyName {
  static let replica: Self = "replica"
}

final class RouterTests: DITestCase {
  func testOpens() {
    DIContainer.override(Router.self, with: MockRouter())
    XCTAssertTrue(DIContainer.resolve(Router.self) is MockRouter)
  }
}

final class RestoringTests: XCTestCase {
  override func setUp() {
    restoreRegistrationsAfterTest()
  }

  func testRegisters() {
    DIContainer.register(New(MockRouter() as Router))
    XCTAssertTrue(DIContainer.resolve(Router.self) is MockRouter)
  }
}

enum Traits {
  @Suite(.isolatedContainer) struct RouterTests {
    @Test(.isolatedContainer { New(MockRouter() as Router) })
    func opens() { #expect(DIContainer.resolve(Router.self) is MockRouter) }
  }
}

@Suite(.isolatedContainer(.empty) { Shared(RouterImpl() as Router) })
struct OwnerCommentSnippets {
  @Test("@Inject, @LazyInject, and Dependency")
  func properties() {
    // @Inject.
    withIsolatedContainer {
      final class HomeViewModel {
        @Inject private var router: Router
        @Inject var player: MediaPlayer?  // nil if nothing is registered
      }
      #expect(HomeViewModel().player == nil)
    }
    // @LazyInject.
    withIsolatedContainer(.empty) {
      class UIResponder {}
      protocol UIApplicationDelegate {}
      class AppDelegate: UIResponder, UIApplicationDelegate {
        @LazyInject private var router: Router

        override init() {
          super.init()
          DIContainer.register(Shared(RouterImpl() as Router))
        }
      }
      _ = AppDelegate()
      #expect(DIContainer.resolve(Router.self) is RouterImpl)
    }
    // Dependency.
    withIsolatedContainer {
      struct Owner {
        @Inject(DIContainer.router) private var router
        var hasMock: Bool { router is MockRouter }
      }
      DIContainer.register(Shared(AppConfigurationImpl() as AppConfiguration))
      let router = DIContainer.router()
      #expect(router is RouterImpl)
      let item = DIContainer.item("42")  // the compiler checks the arguments
      #expect(item.id == "42")
      DIContainer.router.register { MockRouter() }  // an override, in the current container
      #expect(Owner().hasMock)
    }
  }
}

@Suite(.isolatedContainer(.empty))
struct RegistrationCommentSnippets {
  @Test("names, scopes and modules")
  func names() {
    // Names.
    withIsolatedContainer(.empty) {
      protocol Database: Sendable {}
      struct Replica: Database {}
      DIContainer.register(Shared(Replica() as Database, named: .replica))
      let database = DIContainer.resolve(Database.self, named: .replica)
      #expect(database is Replica)
    }
    // Scopes.
    withIsolatedContainer(.empty) {
      final class Authentication: Sendable {}
      DIContainer.register(Scoped(in: .session) { resolve in Authentication() })
      let first = DIContainer.resolve(Authentication.self)
      DIContainer.reset(.session)  // the user logs out
      #expect(first !== DIContainer.resolve(Authentication.self))
    }
    // Modules.
    withIsolatedContainer(.empty) {
      DIContainer.register(Module.search)
      #expect(DIContainer.current.registrations.count == 2)
    }
  }

  @Test("New, Weak and PerGraph")
  func lifetimes() {
    protocol ViewModel {}
    struct ConcreteViewModel: ViewModel {
      let id: String
    }
    DIContainer.register {
      New(MockRouter() as Router)
      New { _, id in ConcreteViewModel(id: id) as ViewModel }
    }
    #expect((DIContainer.resolve(ViewModel.self) { "1" } as? ConcreteViewModel)?.id == "1")

    final class ImageCache: Cache {}
    DIContainer.register(Weak(ImageCache() as Cache))
    #expect(DIContainer.resolve(Cache.self) is ImageCache)

    final class Document {
      weak var folder: Folder?
    }
    final class Folder {
      let document: Document
      init(document: Document) { self.document = document }
    }
    DIContainer.register {
      New(Document())
      Weak { resolve in
        let folder = Folder(document: resolve())
        folder.document.folder = folder
        return folder
      }
    }
    let folder = DIContainer.resolve(Folder.self)
    #expect(folder.document.folder === folder)

    final class Session: Sendable {}
    struct Header {
      @Inject var session: Session
    }
    struct Screen {
      let header: Header
      let list: Session
    }
    DIContainer.register(New(Header()))
    DIContainer.register {
      PerGraph { resolve in Session() as Session }
      New { resolve in Screen(header: resolve(), list: resolve()) }  // both get the same session, and no other screen
    }
    let screen = DIContainer.resolve(Screen.self)
    #expect(screen.header.session === screen.list)
  }

  @Test("a type that conforms to Registration, and how the process was started")
  func ownRegistration() {
    // A type that conforms to Registration.
    withIsolatedContainer(.empty) {
      protocol Client {}
      struct HTTPClient: Client {
        let host: String
      }
      struct Networking: Registration {
        let host: String

        func add(to list: inout RegistrationList) {
          let host = host
          list.add(Shared(HTTPClient(host: host) as Client))
        }
      }
      DIContainer.register(Networking(host: "example.com"))
      #expect((DIContainer.resolve(Client.self) as? HTTPClient)?.host == "example.com")
    }
    // How the process was started.
    withIsolatedContainer(.empty) {
      protocol Client {}
      struct DemoClient: Client {}
      struct HTTPClient: Client {}
      protocol Log {}
      struct ConsoleLog: Log {}
      struct SystemLog: Log {}
      DIContainer.register {
        if LaunchContext.current.isPreview || LaunchContext.current.has("-demo") {
          Shared(DemoClient() as Client)
        } else {
          Shared(HTTPClient() as Client)
        }
        #if DEBUG
          Shared(ConsoleLog() as Log)
        #else
          Shared(SystemLog() as Log)
        #endif
      }
      #expect(DIContainer.resolve(Client.self) is HTTPClient)
      #expect(DIContainer.current.registrations.count == 2)
    }
  }
}

@Suite(.isolatedContainer(.empty) { Module.app })
struct TestCommentSnippets {
  @Test(.isolatedContainer) func everythingResolves() async {
    await verifyRegistrations()
  }

  @Test func registrations() async throws {
    try await DIContainer.current.verify()
  }

  @Test("expectations, taking the container along, and traces")
  func expectations() {
    // What must not be resolved, and the order of the rest.
    withIsolatedContainer {
      protocol Analytics {}
      DIContainer.override { Unexpected(Analytics.self) }
      _ = (DIContainer.resolve(AppConfiguration.self), DIContainer.resolve(Router.self))
      expectResolvedInOrder(AppConfiguration.self, Router.self)
    }
    // Leaving the current container, and taking it along.
    withIsolatedContainer {
      let queue = DispatchQueue(label: "snippets")
      @Sendable func upload() { DIContainer.resolve(Router.self).open("/upload") }
      queue.async(execute: DIContainer.escaping { upload() })
      queue.sync {}
      expectResolved(Router.self, times: 1)
    }
    // Traces.
    do {
      struct Logger {
        func debug(_ message: String) {}
      }
      let logger = Logger()
      let trace = DIContainer.current.trace { event in logger.debug("\(event)") }
      trace.stop()
    }
  }
}
