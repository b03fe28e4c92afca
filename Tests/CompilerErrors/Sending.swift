// What the compiler says about an object that an asynchronous closure uses, in a target without
// `NonisolatedNonsendingByDefault`. `.ci/run errors` compares it; the article on compiler errors shows it.

import DITesting
import DependencyInjection
import XCTest

protocol Router {}

final class FeedModel {
  func load() async {}
}

// snippet: error-sending
func loads() async {
  let model = FeedModel()
  await expectResolved(Router.self) { await model.load() }
}
// end
// expected-error@-3 {{sending 'model' risks causing data races}}
// expected-note@-4 *{{sending nonisolated(nonsending) task-isolated 'model' to nonisolated}}

final class NonsendingModel {
  nonisolated(nonsending) func load() async {}
}

func cures() async {
  let model = NonsendingModel()
  await expectResolved(Router.self) { await model.load() }
  await DIContainer.withOverrides {
  } perform: {
    let model = FeedModel()
    await model.load()
  }
}

@MainActor
final class FeedTests: DITestCase {
  // expected-error@+1 {{sending value of non-Sendable type 'DITestCase' risks causing data races}}
  override func setUp() async throws { try await super.setUp() }
  // expected-note@-1 *{{sending main actor-isolated value of non-Sendable type 'DITestCase'}}
}
