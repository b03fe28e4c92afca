import DependencyInjection
import Synchronization
import Testing

// What stands between the markers stands in the articles, word for word.

enum Counters {
  // snippet: sendable-counter
  final class AtomicCounter: Sendable {
    private let count = Atomic(0)

    func increment() { count.wrappingAdd(1, ordering: .relaxed) }
  }
  // end

  // snippet: sendable-protocol
  protocol Counting: Sendable {
    func increment()
  }
  // end
}

extension Counters.AtomicCounter: Counters.Counting {}

struct ArticleSnippets {
  @Test("the overview")
  func overview() {
    isolated {
      // snippet: overview
      DIContainer.register {
        Shared(AppConfigurationImpl() as AppConfiguration)
        Shared { resolve in RouterImpl(config: resolve()) as Router }
      }

      final class HomeViewModel {
        @Inject private var router: Router

        func showSettings() { router.open("/settings") }
      }
      // end
      HomeViewModel().showSettings()
      #expect((DIContainer.resolve(Router.self) as? RouterImpl)?.opened == ["/settings"])
    }
  }

  @Test("what to do about shared state")
  func sharing() async {
    let container = DIContainer()
    container.register(Shared(Counters.AtomicCounter() as Counters.Counting))
    await DIContainer.withCurrent(container) {
      // snippet: unsafe-counter
      // Wrong: this compiles, and is a data race as soon as two threads count.
      final class Counter {
        private var count = 0

        func increment() { count += 1 }
      }

      DIContainer.register(Shared(Counter()))
      // end
      #expect(DIContainer.resolve(Counter.self) === DIContainer.resolve(Counter.self))
      // snippet: new-counter
      DIContainer.register(New(Counter()))
      // end
      #expect(DIContainer.resolve(Counter.self) !== DIContainer.resolve(Counter.self))
      // snippet: actor-counter
      actor CounterActor {
        private var count = 0

        func increment() { count += 1 }
      }

      DIContainer.register(Shared(CounterActor()))
      // end
      await DIContainer.resolve(CounterActor.self).increment()
      DIContainer.resolve(Counters.Counting.self).increment()
    }
  }
}
