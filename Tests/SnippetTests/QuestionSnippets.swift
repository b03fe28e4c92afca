import DITesting
import DependencyInjection
import Testing

// What stands between the markers stands in the article with questions, word for word.
@Suite(.isolatedContainer(.empty))
struct QuestionSnippets {
  @Test("initializers instead of wrappers")
  func initializers() {
    DIContainer.register(Module.app)
    // snippet: question-initializer
    final class HomeViewModel {
      private let router: Router

      init(router: Router) { self.router = router }
    }

    DIContainer.register(New(autowire: HomeViewModel.init(router:)))
    // end
    _ = DIContainer.resolve(HomeViewModel.self)
    expectResolved(Router.self, times: 1)
    let router = DIContainer.resolve(Router.self)
    DIContainer.reset(Router.self)
    #expect(router !== DIContainer.resolve(Router.self))
  }
}
