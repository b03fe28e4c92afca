// snippet: first-example
import DependencyInjection

protocol Greeter {
  func greet(_ name: String) -> String
}

struct FriendlyGreeter: Greeter {
  func greet(_ name: String) -> String { "Hello, \(name)!" }
}

struct WelcomeScreen {
  @Inject private var greeter: Greeter
  var title: String { greeter.greet("world") }
}

DIContainer.register(Shared(FriendlyGreeter() as Greeter))
print(WelcomeScreen().title)  // Hello, world!
// end

// The registration of `registerDependencies` in the other file.
print(DIContainer.resolve(Router.self).path)  // /
