// What the compiler says about common mistakes in tests, in the Swift 6 language mode. `.ci/run errors` compares it; the
// article on compiler errors shows some of it. Nothing else builds this file.

import DITesting
import DependencyInjection
import Testing
import XCTest

protocol Router: Sendable {}

protocol Search: Sendable {}

struct MockRouter: Router {}

struct ItemViewModel: Sendable {
  let id: String
}

extension DIContainer {
  static let router = Dependency<Router>(.shared) { MockRouter() }
}

extension Module {
  static let app = Module { Shared(MockRouter() as Router) }
}

func opened() throws {}

func messages() {
  expectResolved(Router.self, "opens")
  // expected-error@-1 {{it takes one type or dependency, a number after 'times:', and no message}}
  expectResolved(Router.self, times: 1, "opens")  // expected-error {{and no message}}
  expectResolved(DIContainer.router, "opens \(MockRouter())")  // expected-error {{and no message}}
  expectCreated(Router.self, times: 1, "opens")  // expected-error {{and no message}}
  expectNotResolved(Router.self, "must not open")
  // expected-error@-1 {{it takes one type or dependency, and no number or message}}
  expectNotResolved(Router.self, in: .current, "must not open")  // expected-error {{no number or message}}
  expectNotCreated(Router.self, "must not open")  // expected-error {{no number or message}}
  XCTAssertResolved(Router.self, times: 1, "opens")
  // expected-error@-1 {{it takes one type or dependency, a number after 'times:', and no message or closure}}
  XCTAssertNotResolved(Router.self, "must not open")
  // expected-error@-1 {{it takes one type or dependency, and no number or message or closure}}
  XCTAssertNotResolved(Router.self, "", file: #filePath, line: 1)  // expected-error {{no number or message}}
}

func unlabeledNumbers() async throws {
  expectResolved(Router.self, 1)  // expected-error {{a number after 'times:'}}
  expectResolved(Router.self, in: .current, 1)  // expected-error {{a number after 'times:'}}
  expectResolved(Router.self, "opens", sourceLocation: nil)  // expected-error {{and no message}}
  expectResolved(Router.self, in: .current, times: 1)
  // expected-error@-1 {{argument 'times' must precede argument 'in'}}
  expectResolved(Router.self, 1...) { try opened() }  // expected-error {{a number after 'times:'}}
  try await expectResolved(Router.self, 1, within: .seconds(600))  // expected-error {{a number after 'times:'}}
  // expected-warning@-1 {{no 'async' operations}}
  // expected-warning@-2 {{no calls to throwing functions}}
  expectCreated(Router.self, 1) { _ = MockRouter() }  // expected-error {{a number after 'times:'}}
  expectNotResolved(Router.self, times: 0)  // expected-error {{no number or message}}
  XCTAssertResolved(Router.self, 1)  // expected-error {{a number after 'times:'}}
}

func severalTypes() {
  expectResolved(Router.self, Search.self)  // expected-error {{one type}}
  expectResolved(Router.self, Search.self, MockRouter.self)  // expected-error {{one type}}
  expectResolved([Router.self, Search.self])  // expected-error {{one type}}
  expectNotCreated(Router.self, Search.self)  // expected-error {{one type}}
}

// What is wrong in the closure of a correct expectation, and in its labels.
func closures() {
  expectResolved(Router.self, times: 1) { MockRouter().open() }
  // expected-error@-1 {{value of type 'MockRouter' has no member 'open'}}
  expectResolved(Router.self) { router in print(router) }
  // expected-error@-1 {{contextual closure type '() throws -> ()' expects 0 arguments}}
  expectResolved(Router.self, time: 1) { try opened() }
  // expected-error@-1 {{incorrect argument label in call (have '_:time:_:', expected '_:times:_:')}}
}

func suite(_: any SuiteTrait...) {}

func modules() {
  suite(.isolatedContainer(.app))
  // expected-error@-1 {{list the modules in a closure: .isolatedContainer { Module.app }}}
  suite(.isolatedContainer(Module.app, escapes: .ignore))  // expected-error {{list the modules in a closure}}
  withIsolatedContainer(Module.app) {}
  // expected-error@-1 {{cannot convert value of type 'Module' to expected argument type 'IsolationOrigin'}}
  withIsolatedContainer(.app) {}  // expected-error {{type 'IsolationOrigin' has no member 'app'}}
}

func factories() {
  DIContainer.override(Router.self) { resolve in MockRouter() }
  // expected-error@-1 {{for a factory, write override { New { … as Router } }}}
  DIContainer.override(ItemViewModel.self) { (resolve: Resolver, id: String) in ItemViewModel(id: id) }
  // expected-error@-1 {{for a factory, write}}
  DIContainer.override(Router.self) { throw CancellationError() }  // expected-error {{for a factory, write}}
  DIContainer.override(Router.self) { () async in MockRouter() }  // expected-error {{for a factory, write}}
  DIContainer.override(DIContainer.router) { MockRouter() }
  // expected-error@-1 {{label the mock: override(DIContainer.router, with: router)}}
  DIContainer.override(DIContainer.router) { resolve in MockRouter() }
  // expected-error@-1 {{for a factory, write override { DIContainer.router.overridden { … } }}}
  DIContainer.override { DIContainer.router.overridden { MockRouter() } }
  DIContainer.override(DIContainer.router, MockRouter())  // expected-error {{label the mock}}
  DIContainer.shared.override(DIContainer.router) { MockRouter() }  // expected-error {{label the mock}}
  DIContainer.shared.override(Router.self) { resolve in MockRouter() }  // expected-error {{for a factory, write}}
}

func declared() {
  DIContainer.override(\.router, with: MockRouter())
  // expected-error@-1 {{cannot convert value of type 'KeyPath<Root, Value>' to expected argument type 'MockRouter.Type'}}
  // expected-error@-2 {{cannot infer key path type from context}}
  DIContainer.override(.router, with: MockRouter())
  // expected-error@-1 {{instance member 'override' cannot be used on type 'DIContainer'}}
  // expected-error@-2 {{extraneous argument label 'with:' in call}}
  // expected-error@-3 {{cannot infer contextual base in reference to member 'router'}}
  DIContainer.router.override { MockRouter() }
  // expected-error@-1 {{value of type 'Dependency<any Router>' has no member 'override'}}
}

func closureWithoutLabel() async {
  await verifyRegistrations { $0.type == Search.self }
  // expected-warning@-1 {{label the closure: 'except:' leaves registrations out, 'arguments:' passes arguments}}
  let isLeftOut: @Sendable (RegistrationInfo) -> Bool = { _ in false }
  await verifyRegistrations(isLeftOut)  // expected-error {{no exact matches in call}}
  await verifyRegistrations(excpt: isLeftOut)
  // expected-error@-1 {{incorrect argument label in call (have 'excpt:', expected 'except:')}}
  await verifyRegistrations()
  await verifyRegistrations(except: { $0.type == Search.self })
  await verifyRegistrations(except: { $0.type == Search.self }) { _ in "42" }
  await verifyRegistrations(arguments: { $0.type == ItemViewModel.self ? "42" : nil })
}
