// What the compiler says about common mistakes, in the Swift 6 language mode. `.ci/run errors` compares it; the
// article on compiler errors shows it. Nothing else builds this file.

import DependencyInjection

protocol AppConfiguration: Sendable {}

protocol Router: AnyObject {}

protocol ItemViewModel {}

protocol Search {}

struct SearchImpl: Search {}

struct ItemViewModelImpl: ItemViewModel {
  init(id: String) {}
  init(id: String, config: AppConfiguration) {}
}

final class RouterImpl: Router {}

final class MockRouter: Router {  // expected-note 2 {{class 'MockRouter' does not conform to the 'Sendable' protocol}}
  var opened: [String] = []
}

@MainActor
final class ProfileModel {
  init() {}  // expected-note {{}}
  init(router: Router) {}  // expected-note {{}}
}

extension DIContainer {
  static let router = Dependency<Router>(.shared) { RouterImpl() }
  static let item = Dependency { (_: Resolver, id: String) in ItemViewModelImpl(id: id) as ItemViewModel }
}

func mainActor() {
  // snippet: error-main-actor
  DIContainer.register {
    New(ProfileModel())
    New { resolve in ProfileModel(router: resolve()) }
  }
  // end
  // expected-error@-4 {{call to main actor-isolated initializer 'init()' in a synchronous nonisolated context}}
  // expected-error@-4 {{call to main actor-isolated initializer 'init(router:)' in a synchronous nonisolated context}}
}

func factory() {
  // snippet: error-factory
  DIContainer.register(
    New { resolve, id in
      print(id)
      return ItemViewModelImpl(id: id, config: resolve()) as ItemViewModel
    })
  // end
  // expected-error@-5 {{cannot infer type of closure parameter 'id' without a type annotation}}
  DIContainer.register {
    New { resolve in  // expected-error {{cannot infer type of closure parameter 'resolve' without a type annotation}}
      let router = resolve()
      return ProfileModel(router: router)
    }
  }
}

func onMain() {
  // snippet: error-on-main
  DIContainer.register(New(onMain: { resolve in ProfileModel(router: resolve()) }))
  // end
  // expected-error@-2 {{cannot infer type of closure parameter 'resolve' without a type annotation}}
}

func capture() {
  // snippet: error-capture
  let mock = MockRouter()
  DIContainer.register(Shared { mock as Router })
  // end
  // expected-error@-2 {{capture of 'mock' with non-Sendable type 'MockRouter' in a '@Sendable' closure}}
  DIContainer.register(Shared(mock as Router))
  // expected-error@-1 {{implicit capture of 'mock' requires that 'MockRouter' conforms to 'Sendable'}}
  mock.opened = []
}

func override() {
  // snippet: error-override
  DIContainer.withOverrides {
    DIContainer.router.register { MockRouter() }
  } perform: {
  }
  // end
  // expected-error@-4 {{'buildExpression' is unavailable: list what to register: 'Shared { … }', or 'dependency.overridden { … }'}}
}

func instance() {
  // snippet: error-instance
  DIContainer.register {
    SearchImpl()
  }
  // end
  // expected-error@-3 {{'buildExpression' is unavailable: register an instance as 'Shared(…)', for example; if a type of yours has that name, write 'DependencyInjection.Shared(…)'}}
}

func noLifetime() {
  // snippet: error-lifetime
  DIContainer.register(Search.self) { SearchImpl() }
  // end
  // expected-error@-2 {{'register(_:named:_:)' is unavailable: say how long an instance lives: register(Shared { … as Router })}}
  DIContainer.register(Search.self, named: "offline") { _ in SearchImpl() }  // expected-error {{say how long}}
  DIContainer.shared.register(Search.self) { SearchImpl() }  // expected-error {{say how long}}
  DIContainer.shared.register(Search.self) { resolve in SearchImpl() }  // expected-error {{say how long}}
  DIContainer.register(Search.self) { _ in SearchImpl() }.inObjectScope(.container)
  // expected-error@-1 {{value of tuple type '()' has no member 'inObjectScope'}}
  // expected-error@-2 {{cannot infer contextual base in reference to member 'container'}}
  DIContainer.register(Shared(autowire: SearchImpl.init) as Search)
  // expected-error@-1 {{cannot convert value of type 'Shared' to type 'any Search' in coercion}}
  // expected-error@-2 {{type 'any Search' cannot conform to 'Registration'}}
  // expected-note@-3 {{only concrete types}}
}

func leadingType() {
  DIContainer.register(Shared(Search.self) { SearchImpl() })  // expected-error {{write the type in the closure}}
  DIContainer.register {
    New(Search.self, named: "offline") { resolve in SearchImpl() }  // expected-error {{write the type in the closure}}
    Shared(Search.self) { try resolved() }  // expected-error {{write the type in the closure}}
    Shared(Search.self) { await fetched() }  // expected-error {{write the type in the closure}}
    Shared(ItemViewModel.self) { resolve in
      // expected-error@-1 {{write the type in the closure}}
      ItemViewModelImpl(id: "42", config: try resolve.tryResolve())
    }
  }
  func resolved() throws -> SearchImpl { SearchImpl() }
  func fetched() async -> SearchImpl { SearchImpl() }
}

func modules(_ module: Module) {
  DIContainer.register(.search)
  // expected-error@-1 {{no exact matches in call to instance method 'register'}}
  DIContainer.register { .search }
  // expected-error@-1 {{cannot infer contextual base in reference to member 'search'}}
  DIContainer.register([module, module])
  // expected-error@-1 {{no exact matches in call to instance method 'register'}}
  _ = DIContainer(module)
  // expected-error@-1 {{no exact matches in call to initializer}}
  _ = DIContainer { module }
  // expected-error@-1 {{trailing closure passed to parameter of type 'DIContainer' that does not accept a closure}}
  DIContainer.register {
    guard true else { return }
    module
  }
  // expected-error@-4 {{type '() -> ()' cannot conform to 'Registration'}}
  // expected-note@-5 {{only concrete types}}
}

func trailingClosure() {
  // snippet: error-trailing-closure
  DIContainer.register(New { SearchImpl() }, as: Search.self)
  // end
  // expected-error@-2 {{extra argument 'as' in call}}
}

func resolverParameter() {
  // snippet: error-resolver
  DIContainer.register(New { id in ItemViewModelImpl(id: id) as ItemViewModel })
  // end
  // expected-error@-2 {{ambiguous use of 'init'}}
}

func arguments() {
  // snippet: error-argument
  let item = DIContainer.resolve(ItemViewModel.self, arguments: "42")
  // end
  // expected-error@-2 {{'resolve(_:named:arguments:)' is unavailable: pass the arguments in a closure: resolve(Page.self) { 3 }}}
  _ = item
  _ = DIContainer.shared.resolve(ItemViewModel.self, arguments: "42")  // expected-error {{in a closure}}
}

func unlabeledArgument() {
  // snippet: error-unlabeled-argument
  let item = DIContainer.resolve(ItemViewModel.self, 42)
  // end
  // expected-error@-2 {{missing argument label 'named:' in call}}
  // expected-error@-3 {{cannot convert value of type 'Int' to expected argument type 'DependencyName'}}
  _ = item
}

func habits() {
  _ = DIContainer.resolve(ItemViewModel.self, argument: "42")
  // expected-error@-1 {{incorrect argument label in call (have '_:argument:', expected '_:arguments:')}}
  _ = DIContainer.resolve(ItemViewModel.self, arguments: "42", 1)
  // expected-error@-1 {{incorrect argument labels in call (have '_:arguments:_:', expected '_:named:arguments:')}}
  // expected-error@-2 {{cannot convert value of type 'Int' to expected argument type 'DependencyName'}}
  _ = DIContainer.resolve(ItemViewModel.self, "42", 1)
  // expected-error@-1 {{missing argument labels 'named:arguments:' in call}}
  _ = DIContainer.resolve(ItemViewModel.self, name: "42")
  // expected-error@-1 {{incorrect argument label in call (have '_:name:', expected '_:named:')}}
  let _: ItemViewModel = DIContainer.resolve("42")
  // expected-error@-1 {{cannot convert value of type 'String' to expected argument type '(any ItemViewModel).Type'}}
  _ = DIContainer.item { "42" }
  // expected-error@-1 {{trailing closure passed to parameter of type 'String' that does not accept a closure}}
  DIContainer.register { Shared(SearchImpl() as Search).inObjectScope(.container) }
  // expected-error@-1 {{value of type 'Shared' has no member 'inObjectScope'}}
  // expected-error@-2 {{cannot infer contextual base in reference to member 'container'}}
  DIContainer.register { Shared(SearchImpl()).implements(Search.self) }
  // expected-error@-1 {{value of type 'Shared' has no member 'implements'}}
  DIContainer.register { Shared { resolve in resolve(Search.self)! as Any } }
  // expected-error@-1 {{cannot force unwrap value of non-optional type 'any Search'}}
  _ = Dependency<Search>(.singleton) { SearchImpl() }
  // expected-error@-1 {{type 'Lifetime' has no member 'singleton'}}
  _ = Dependency<Search>(.session) { SearchImpl() }
  // expected-error@-1 {{type 'Lifetime' has no member 'session'}}
}

func untypedArgument() {
  // snippet: error-untyped-argument
  let item = DIContainer.resolve(ItemViewModel.self) { ("42", nil) }
  // end
  // expected-error@-2 {{instance member 'resolve' cannot be used on type 'DIContainer'}}
  // expected-error@-3 {{extra trailing closure passed in call}}
  // expected-error@-4 {{cannot convert value of type '(any ItemViewModel).Type' to expected argument type 'DependencyName'}}
  _ = item
}

func declaredArguments() {
  // snippet: error-declared-argument
  let item = DIContainer.item()
  // end
  // expected-error@-2 {{pack expansion requires that 'String' and '' have the same shape}}
  _ = item
}

func declared() {
  // snippet: error-declared
  let router: Router = DIContainer.resolve(DIContainer.router)
  // end
  // expected-error@-2 {{cannot convert value of type 'Dependency<any Router>' to expected argument type '(any Router).Type'}}
  _ = router
  _ = DIContainer.resolve(DIContainer.router)
  // expected-error@-1 {{cannot convert value of type 'Dependency<any Router>' to expected argument type 'DIContainer'}}
  _ = DIContainer.shared.resolve(DIContainer.router)
  // expected-error@-1 {{static member 'resolve' cannot be used on instance of type 'DIContainer'}}
  // expected-error@-2 {{missing argument label 'named:' in call}}
  // expected-error@-3 {{cannot convert value of type 'Dependency<any Router>' to expected argument type 'DependencyName'}}
}

func severalRegistrations() {
  // snippet: error-several
  DIContainer.register(Shared(SearchImpl() as Search), New(RouterImpl() as Router))
  // end
  // expected-error@-2 {{instance member 'register' cannot be used on type 'DIContainer'}}
  // expected-error@-3 {{extra argument in call}}
}

func leadingName() {
  // snippet: error-leading-name
  DIContainer.register(Shared(named: .offline) { SearchImpl() as Search })
  // end
  // expected-error@-2 {{incorrect argument labels in call (have 'named:_:', expected '_:as:named:file:line:')}}
  DIContainer.register(Shared("offline") { SearchImpl() as Search })
  // expected-error@-1 {{contextual type for closure argument list expects 1 argument, which cannot be implicitly ignored}}
}

func label() {
  // snippet: error-label
  DIContainer.register {
    Shared(SearchImpl() as Search, name: "offline")
  }
  // end
  // expected-error@-4 {{failed to produce diagnostic for expression}}
  DIContainer.register(Scoped { SearchImpl() as Search })  // expected-error {{requires that 'Scoped' conform to}}
  let name = "offline"
  _ = DIContainer.resolve(Search.self, named: name)
  // expected-error@-1 {{cannot convert value of type 'String' to expected argument type 'DependencyName'}}
}

extension DependencyName {
  static let offline: Self = "offline"
}

// snippet: error-name
struct SearchScreen {
  @Inject(.offline) var search: Search
  @LazyInject("offline") var later: Search
}
// end
// expected-error@-4 {{type 'Dependency<any Search>' has no member 'offline'}}
// expected-error@-4 {{cannot convert value of type 'String' to expected argument type 'Dependency<any Search>'}}

enum Services {
  @LazyInject static var search: Search
  // expected-error@-1 {{static property 'search' is not concurrency-safe because it is nonisolated global shared mutable state}}
  // expected-note@-2 *{{}}
}

struct Home {
  @Inject(Router.self) var typed: Router
  // expected-error@-1 {{cannot convert value of type '(any Router).Type' to expected argument type 'Dependency<any Router>'}}
  @Inject var initial: Router = MockRouter()
  // expected-error@-1 {{no exact matches in call to initializer}}
  @Inject(optional: true) var optional: Router?
  // expected-error@-1 {{no exact matches in call to initializer}}
  @Inject(DIContainer.item) var item: ItemViewModel
  // expected-error@-1 {{cannot convert value of type 'Dependency<any ItemViewModel, String>' to expected argument type 'Dependency<any ItemViewModel>'}}
  // expected-note@-2 {{arguments to generic parameter 'Argument' ('String' and '') are expected to be equal}}
  @Inject(\.router) var injected: Router
  // expected-error@-1 {{cannot convert value of type 'KeyPath<Root, Value>' to expected argument type 'Dependency<any Router>'}}
  // expected-error@-2 {{cannot infer key path type from context}}
  @Dependency(\.router) var router: Router
  // expected-error@-1 {{generic struct 'Dependency' cannot be used as an attribute}}
}

func home() {
  _ = MemberwiseHome(router: RouterImpl())
  // expected-error@-1 {{cannot convert value of type 'RouterImpl' to expected argument type 'Inject<any Router>'}}
}

struct MemberwiseHome {
  @Inject var router: Router
}

extension Dependency where Value == Search {
  static var search: Dependency<Search> { Dependency { SearchImpl() } }
  // expected-error@-1 {{pack expansion requires that 'each Argument' and '' have the same shape}}
}

extension Scope {
  static let session = Scope("session")
}

func scope() {
  DIContainer.register { Scoped(.session) { SearchImpl() as Search } }
  // expected-error@-1 {{trailing closure passed to parameter of type 'DIContainer' that does not accept a closure}}
  DIContainer.register(Scoped(in: "session") { SearchImpl() as Search })
  // expected-error@-1 {{cannot convert value of type 'String' to expected argument type 'Scope'}}
}

func withoutResolver() {
  DIContainer.register(New(ItemViewModelImpl(id: "42", config: resolve()) as ItemViewModel))
  // expected-error@-1 {{cannot find 'resolve' in scope}}
}

extension Module {
  static var search: Module { Shared(SearchImpl() as Search) }
  // expected-error@-1 {{cannot convert return expression of type 'Shared' to return type 'Module'}}
}

final class Window {
  private let container: DIContainer
  @Inject(from: container) private var router: Router
  // expected-error@-1 {{cannot use instance member 'container' within property initializer}}
  init(_ container: DIContainer) { self.container = container }
}

func later() async -> Search { SearchImpl() }

func asynchronous() {
  DIContainer.register(Shared(await later()))
  // expected-error@-1 {{'async' call in an autoclosure that does not support concurrency}}
  DIContainer.register {
    // expected-error@-1 {{cannot pass function of type '() async -> RegistrationList'}}
    Shared(await later())  // expected-note {{'async' inferred from asynchronous operation used here}}
  }
}

func forgottenType() {
  // snippet: error-type
  let router = DIContainer.resolve()
  // end
  // expected-error@-2 {{'resolve(named:)' is unavailable: its type cannot be inferred; write 'let router: Router = ', or pass the type}}
  // expected-warning@-3 {{constant 'router' inferred to have type '()'}}
  // expected-note@-4 {{add an explicit type annotation to silence this warning}}
  // expected-warning@-5 {{initialization of immutable value 'router' was never used}}
}

func otherMembers(open: @escaping @Sendable (AppConfiguration) async throws -> SearchImpl) async throws {
  _ = DIContainer.snapshot()  // expected-error {{type 'DIContainer' has no member 'snapshot'}}
  try await DIContainer.verify()  // expected-error {{instance member 'verify' cannot be used on type 'DIContainer'}}
  DIContainer.register(Shared(autowire: open))
  // expected-error@-1 {{cannot pass function of type '@Sendable (any AppConfiguration) async throws -> SearchImpl' to parameter expecting synchronous function type}}
}

func forgottenTypes(resolve: Resolver) async throws {
  DIContainer.shared.resolve(named: "name")  // expected-error {{its type cannot be inferred}}
  try DIContainer.tryResolve()  // expected-error {{its type cannot be inferred}}
  try DIContainer.shared.tryResolve()  // expected-error {{its type cannot be inferred}}
  try await DIContainer.resolveAsync()  // expected-error {{its type cannot be inferred}}
  try await DIContainer.shared.resolveAsync()  // expected-error {{its type cannot be inferred}}
  resolve()  // expected-error {{its type cannot be inferred}}
  resolve.resolve()  // expected-error {{generic parameter 'Value' could not be inferred}}
  try await resolve.resolveAsync()  // expected-error {{generic parameter 'Value' could not be inferred}}
}

// snippet: error-sendable
final class Downloads: Sendable {
  @Inject private var router: Router
}
// end
// expected-error@-3 {{stored property '_router' of 'Sendable'-conforming class 'Downloads' is mutable}}

final class Owner {
  @Inject var router: Router

  func replace() {
    router = MockRouter()
    // expected-error@-1 {{cannot assign to property: 'router' is a get-only property}}
  }
}

func name(of lifetime: Lifetime) -> String {
  switch lifetime {
  // expected-error@-1 {{switch covers known cases, but 'Lifetime' may have additional unknown values}}
  // expected-note@-2 {{handle unknown values using "@unknown default"}}
  case .shared: "shared"
  case .new: "new"
  case .weak: "weak"
  case .perGraph: "graph"
  case .scoped(let scope): "\(scope)"
  }
}
