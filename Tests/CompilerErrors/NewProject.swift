// Mistakes in the tests of a new Xcode project, whose default isolation is the main actor. `.ci/run errors` compares what
// the compiler says, in both language modes.

import DITesting
import DependencyInjection
import Home
import Testing

// snippet: error-new-project-test-case
final class HomeTests: DITestCase {
  override func setUp() { DIContainer.override(Router.self, with: MockRouter()) }
}
// end
// expected-error@-4 {{main actor-isolated initializer 'init(name:testClosure:)' has different actor isolation}}
// expected-error@-4 {{main actor-isolated instance method 'setUp()' has different actor isolation}}

nonisolated final class HomeModuleTests: DITestCase {
  // snippet: error-new-project-module
  override var registrations: Module { HomeFeature.module }
  // end
  // expected-swift6-error@-2 {{main actor-isolated static property 'module' can not be referenced from a nonisolated context}}
  // expected-swift5-warning@-3 {{main actor-isolated static property 'module' can not be referenced from a nonisolated context}}
}

func registered() {
  // snippet: error-new-project-register
  DIContainer.register(Shared(MockRouter() as Router))
  // end
  // expected-swift6-error@-2 {{call to main actor-isolated initializer 'init()' in a synchronous nonisolated context}}
  // expected-swift5-warning@-3 {{call to main actor-isolated initializer 'init()' in a synchronous nonisolated context}}
}

final class MemoryLog: Log {  // expected-swift5-note {{}}
  func write(_ text: String) {}
}

func conforming() {
  // snippet: error-new-project-conformance
  DIContainer.register(Shared(MemoryLog() as Log))
  // end
  // expected-swift6-error@-2 {{main actor-isolated conformance of 'MemoryLog' to 'Log' cannot be used in nonisolated context}}
  // expected-swift5-warning@-3 {{main actor-isolated conformance of 'MemoryLog' to 'Log' cannot be used in nonisolated context}}
  // expected-swift5-warning@-4 {{call to main actor-isolated initializer 'init()' in a synchronous nonisolated context}}
  DIContainer.register(MainShared(MemoryLog() as Log))
}

func unlabeled() {
  DIContainer.override(Router.self) { MockRouter() }
  // expected-error@-1 {{label the mock: override(Router.self, with: MockRouter())}}
  DIContainer.override(Router.self, MockRouter())  // expected-error {{label the mock}}
  DIContainer.shared.override(Router.self) { MockRouter() }  // expected-error {{label the mock}}
  DIContainer.shared.override(Router.self, MockRouter())  // expected-error {{label the mock}}
}

func right() {
  DIContainer.register {
    Module.home
    MainShared(MockRouter() as Router)
  }
}

extension DIContainer: DependencyInjection.DependencyRegistering {
  /// Registers the module of the app.
  public static func registerDependencies() { register(Module.home) }
}

nonisolated final class RightTests: DITestCase {
  override var registrations: Module {
    Module {
      Module.home
      MainNew(MockRouter() as Router)
    }
  }
}
