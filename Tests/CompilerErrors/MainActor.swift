// What belongs to the main actor: a type in each form of a registration, and the app's own registrations. An error in the
// Swift 6 language mode, and in the Swift 5 language mode what it was before there was a Swift 6. `.ci/run errors`
// compares it in both.

import DependencyInjection

final class Config {}

@MainActor
final class Screen {
  init() {}  // expected-note *{{}}
  init(config: Config) {}  // expected-note *{{}}
  init(id: Int) {}  // expected-note *{{}}
}

final class Mock {  // expected-swift6-note *{{}}
  var count = 0
}

extension Scope {
  static let session = Scope("session")
}

func registered() {
  _ = New { resolve in Screen() }
  // expected-swift6-error@-1 {{call to main actor-isolated initializer}}
  // expected-swift5-warning@-2 {{call to main actor-isolated initializer}}
  _ = New { Screen() }
  // expected-swift6-error@-1 {{call to main actor-isolated initializer}}
  // expected-swift5-warning@-2 {{call to main actor-isolated initializer}}
  _ = Shared { _, id in Screen(id: id) }
  // expected-swift6-error@-1 {{call to main actor-isolated initializer}}
  // expected-swift5-warning@-2 {{call to main actor-isolated initializer}}
  _ = Scoped(in: .session) { resolve in Screen(config: resolve()) }
  // expected-swift6-error@-1 {{call to main actor-isolated initializer}}
  // expected-swift5-warning@-2 {{call to main actor-isolated initializer}}
  _ = Scoped(in: .session) { Screen() }
  // expected-swift6-error@-1 {{call to main actor-isolated initializer}}
  // expected-swift5-warning@-2 {{call to main actor-isolated initializer}}
  _ = New(Screen())
  // expected-error@-1 {{call to main actor-isolated initializer}}
  _ = Scoped(in: .session, Screen())
  // expected-error@-1 {{call to main actor-isolated initializer}}
  _ = New(autowire: { (config: Config) in Screen(config: config) })
  // expected-swift6-error@-1 {{call to main actor-isolated initializer}}
  // expected-swift5-warning@-2 {{call to main actor-isolated initializer}}
  _ = Dependency { resolve in Screen() }
  // expected-error@-1 {{call to main actor-isolated initializer}}
  DIContainer.decorate(Screen.self) { _, _ in Screen() }
  // expected-error@-1 {{call to main actor-isolated initializer}}
}

func typed() {
  _ = New { @MainActor (_: Resolver, id: Int) in Screen(id: id) }
  // expected-swift5-warning@-1 {{extraneous whitespace between attribute name and '('}}
  // expected-swift5-error@-2 {{cannot find 'id' in scope}}
  _ = New { @MainActor _, id in Screen(id: id) }
  _ = MainNew { (_: Resolver, id: Int) in Screen(id: id) }
}

@MainActor
func registeredOnMain() {
  _ = New { resolve in Screen() }
  // expected-swift6-error@-1 {{call to main actor-isolated initializer}}
  // expected-swift5-warning@-2 {{call to main actor-isolated initializer}}
}

func captured() {
  let mock = Mock()
  _ = New { mock }
  // expected-swift6-error@-1 {{capture of 'mock' with non-Sendable type 'Mock'}}
  _ = New(mock)
  // expected-swift6-error@-1 {{implicit capture of 'mock' requires that 'Mock' conforms to 'Sendable'}}
  mock.count += 1
}

func right() {
  _ = New { @MainActor resolve in Screen(config: resolve()) }
  _ = New { @MainActor _, id in Screen(id: id) }
  _ = New(onMain: Screen())
  _ = New(autowire: Screen.init(config:))
  _ = Scoped(in: .session) { @MainActor in Screen() }
  nonisolated(unsafe) let mock = Mock()
  _ = New { mock }
  mock.count += 1
}

extension DIContainer: DependencyInjection.DependencyRegistering {
  // expected-swift6-error@-1 {{crosses into main actor-isolated code}}
  // expected-swift6-note@-2 *{{}}
  // expected-swift5-warning@-3 {{crosses into main actor-isolated code}}
  // expected-swift5-note@-4 *{{}}
  /// Registers what the main actor creates.
  @MainActor public static func registerDependencies() { register(MainShared(Screen())) }  // expected-note *{{}}
}
