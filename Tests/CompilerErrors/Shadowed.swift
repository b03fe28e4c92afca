// Types of an app that have the names of the library's, in the Swift 6 language mode. The article on compiler errors shows it.

import DependencyInjection

final class ImageCache {}

// snippet: error-shadowed
final class Weak<Object: AnyObject> {
  weak var object: Object?
  init(_ object: Object) { self.object = object }
}

func register(with container: DIContainer) {
  container.register { Weak(ImageCache()) }
  container.register(Weak(ImageCache()))
}
// end
// expected-error@-4 {{'buildExpression' is unavailable: register an instance as 'Shared(…)', for example; if a type of yours has that name, write 'DependencyInjection.Shared(…)'}}
// expected-error@-4 {{instance method 'register' requires that 'Weak<ImageCache>' conform to 'Registration'}}

final class Shared<Value> {
  init(_ value: Value) {}
}

struct New {
  init(_ make: () -> ImageCache) {}
}

enum PerGraph {}

struct Scoped {
  init(in scope: String, _ value: ImageCache) {}
}

struct Module {
  init(_ body: () -> Void) {}
}

struct Decorated<Value> {
  init(_ type: Value.Type, _ body: (Value) -> Value) {}
}

func others() {
  DIContainer.register { Shared(ImageCache()) }  // expected-error {{if a type of yours has that name}}
  DIContainer.register { New { ImageCache() } }  // expected-error {{if a type of yours has that name}}
  DIContainer.register { PerGraph(ImageCache()) }  // expected-error {{it has no accessible initializers}}
  DIContainer.register { Scoped(in: "session", ImageCache()) }  // expected-error {{if a type of yours has that name}}
  DIContainer.register { Module {} }  // expected-error {{if a type of yours has that name}}
  DIContainer.register { Decorated(ImageCache.self) { $0 } }  // expected-error {{if a type of yours has that name}}
  DIContainer.register(Module {})  // expected-error {{requires that 'Module' conform to 'Registration'}}
}

// As the article says.
func cured() {
  DIContainer.register {
    DependencyInjection.Weak(ImageCache())
    DependencyInjection.Shared(ImageCache())
    DependencyInjection.New { ImageCache() }
    DependencyInjection.PerGraph(ImageCache())
    DependencyInjection.Scoped(in: .container, ImageCache())
    DependencyInjection.Module {}
    DependencyInjection.Decorated(ImageCache.self) { cache, _ in cache }
  }
}
