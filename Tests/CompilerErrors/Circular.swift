// A declared dependency that its own type injects, in the Swift 6 language mode. The article on compiler errors shows it.

import DependencyInjection

// snippet: error-circular
final class Screen {
  @LazyInject(DIContainer.screen) private var next: Screen
}

extension DIContainer {
  static let screen = Dependency<Screen> { Screen() }
}
// end
// expected-error@-8 {{circular reference}}
// expected-note@-8 {{through reference here}}
// expected-note@-5 2 {{through reference here}}
