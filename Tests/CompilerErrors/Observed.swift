// An injected property of an observable class. The compiler finds the mistake in what a macro makes of the property, where
// `expected-error` cannot stand, so `.ci/run errors` looks for the text.

import DependencyInjection
import Observation

protocol Router {}

// snippet: error-observable
@Observable
final class HomeModel {
  @Inject private var router: Router
}
// end
