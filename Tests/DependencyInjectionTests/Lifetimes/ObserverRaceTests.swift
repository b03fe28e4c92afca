internal import Synchronization
internal import Testing

@testable internal import DependencyInjection

private final class Ear: ResolutionObserver {
  func didResolve(_: ResolutionEvent, for _: Definition?, from _: Definition?) {}
}

@Suite(.timeLimit(.minutes(20)))
struct ObserverRaceTests {
  @Test("An observer that comes and goes on two threads is never counted out before it is counted")
  func count() {
    let (registry, observer) = (Registry(parent: nil), Ear())
    let miscounts = onThreads(3) { thread in
      var miscounts = 0
      for _ in 0..<(isSanitized ? 50_000 : 1_000_000) {
        switch thread {
        case 0: registry.addObserver(observer)
        case 1: registry.removeObserver(observer)
        default:
          let (list, count) = registry.withLock { ($0.observers, registry.observerCount.load(ordering: .relaxed)) }
          if list.count != count { miscounts += 1 }
        }
      }
      return miscounts
    }
    #expect(miscounts == [0, 0, 0])
  }

  @Test("An observer goes while another thread reports to it")
  func reports() {
    // Nothing orders the report and the removal, so the thread sanitizer sees what no lock guards.
    for _ in 0..<20 {
      let (container, observers) = (DIContainer(), [Ear(), Ear()])
      container.register(Shared(Ear()))
      for observer in observers { container.addObserver(observer) }
      onThreads(2) { thread in
        if thread == 0 {
          _ = container.resolve(Ear.self)
        } else {
          for observer in observers { container.removeObserver(observer) }
        }
      }
      #expect(container.observers.isEmpty)
    }
  }
}
