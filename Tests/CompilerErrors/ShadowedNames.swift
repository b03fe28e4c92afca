// More types of an app that have the names of the library's, in the Swift 6 language mode. The article on compiler errors lists
// what the compiler says.

import DependencyInjection

final class ImageCache {}

struct Inject {}  // expected-note {{'Inject' declared here}}
struct LazyInject<Value> {}  // expected-note {{'LazyInject' declared here}}
struct Dependency<Value> { let make: () -> Value }
struct DependencyName {}
struct Registration {}

extension DependencyInjection.DIContainer {
  static let cache = Dependency<ImageCache>(.shared) { ImageCache() }  // expected-error {{has no member 'shared'}}
  // expected-error@-1 {{extra trailing closure passed in call}}
}

struct Networking: Registration {}  // expected-error {{inheritance from non-protocol type 'Registration'}}

struct Page {
  @Inject var cache: ImageCache  // expected-error {{struct 'Inject' cannot be used as an attribute}}
  @LazyInject var other: ImageCache  // expected-error {{generic struct 'LazyInject' cannot be used as an attribute}}
}

struct DIContainer {}

func register() {
  DIContainer.register { Shared(ImageCache()) }  // expected-error {{type 'DIContainer' has no member 'register'}}
}

// As the article says.
struct CuredPage {
  @DependencyInjection.Inject var cache: ImageCache
  @DependencyInjection.LazyInject var other: ImageCache
}

func cured() {
  let name: DependencyInjection.DependencyName = "cache"
  DependencyInjection.DIContainer.register { Shared(ImageCache(), named: name) }
}
