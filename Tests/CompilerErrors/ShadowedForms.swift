// Types of an app that have the names of the library's, in the forms that apps declare, in the Swift 6 language mode. The article
// on compiler errors lists what the compiler says.

import DependencyInjection

final class ImageCache {}
struct Page {
  let cache: ImageCache
}

final class Weak {
  init() {}
}
class New {}
struct Module {}
enum Shared {}
struct Dependency {}
struct RegistrationList {}
protocol Resolver {}
struct DependencyName {}
struct Scope {}
struct ResolutionError {}

func lifetimes() {
  DIContainer.register { Weak(ImageCache()) }  // expected-error {{argument passed to call that takes no arguments}}
  DIContainer.register { Weak { ImageCache() } }  // expected-error {{extra trailing closure passed in call}}
  DIContainer.register { New(ImageCache()) }  // expected-error {{argument passed to call that takes no arguments}}
  DIContainer.register { New { ImageCache() } }  // expected-error {{extra trailing closure passed in call}}
  DIContainer.register(Weak())
  // expected-error@-1 {{static method 'register' requires that 'Weak' conform to 'Registration'}}
  DIContainer.register { Shared(ImageCache()) }
  // expected-error@-1 {{'Shared' cannot be constructed because it has no accessible}}
  DIContainer.register({ Weak() })  // expected-error {{if a type of yours has that name}}
  DIContainer.register { () -> Weak in Weak() }
  // expected-error@-1 {{type '() -> Weak' cannot conform to 'Registration'}}
  // expected-note@-2 {{only concrete types}}
}

extension Module {
  static let home = Module { PerGraph(ImageCache()) }  // expected-error {{extra trailing closure passed in call}}
}

func modules() {
  DIContainer.register(Module())
  // expected-error@-1 {{static method 'register' requires that 'Module' conform to 'Registration'}}
}

extension DIContainer {
  static let page = Dependency { ImageCache() }  // expected-error {{extra trailing closure passed in call}}
  static let cache = Dependency<ImageCache> { ImageCache() }
  // expected-error@-1 {{cannot specialize non-generic type 'Dependency'}}
}

struct Networking: Registration {  // expected-error {{type 'Networking' does not conform to protocol 'Registration'}}
  // expected-note@-1 {{add stubs}}
  func add(to list: inout RegistrationList) {
    // expected-note@-1 {{candidate has non-matching type}}
    list.add(PerGraph(ImageCache()))  // expected-error {{value of type 'RegistrationList' has no member 'add'}}
  }
}

func makePage(resolve: Resolver) -> Page {
  Page(cache: resolve())  // expected-error {{cannot call value of non-function type 'any Resolver'}}
}

extension DependencyName {
  static let large: Self = "large"
  // expected-error@-1 {{cannot convert value of type 'String' to specified type 'DependencyName'}}
}

extension Scope {
  static let flow = Scope("flow")  // expected-error {{argument passed to call that takes no arguments}}
}

func errors() -> Bool {
  do {
    return try DIContainer.tryResolve(Bool.self)
  } catch let error as ResolutionError {
    // expected-warning@-1 {{cast from 'DependencyInjection.ResolutionError' to unrelated type}}
    return "\(error.code)" == "cycle"  // expected-error {{value of type 'ResolutionError' has no member 'code'}}
  } catch {
    return false
  }
}

// As the article says.
struct CuredNetworking: Registration {
  func add(to list: inout DependencyInjection.RegistrationList) {
    list.add(DependencyInjection.New { (resolve: DependencyInjection.Resolver) in Page(cache: resolve()) })
  }
}

extension DependencyInjection.Module {
  static let cured = DependencyInjection.Module { CuredNetworking() }
}

extension DIContainer {
  static let cured = DependencyInjection.Dependency { ImageCache() }
}
