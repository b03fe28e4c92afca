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
    let areCounted = onThreads(3) { thread in
      (0..<(isSanitized ? 50_000 : 1_000_000)).allSatisfy { _ in
        switch thread {
        case 0: registry.addObserver(observer)
        case 1: registry.removeObserver(observer)
        default: return registry.withLock { $0.observers.count == registry.observerCount.load(ordering: .relaxed) }
        }
        return true
      }
    }
    #expect(areCounted == [true, true, true])
  }

  @Test("An observer goes while another thread reports to it")
  func reports() {
    for _ in 0..<20 {
      let (container, observers, calls) = (DIContainer(), [Ear(), Ear()], CallCounter())
      container.register(Shared(Ear()))
      for observer in observers { container.addObserver(observer) }
      onThreads(2) { thread in
        if thread == 0 {
          _ = container.resolve(Ear.self)
          calls.call()
        } else {
          for observer in observers { container.removeObserver(observer) }
        }
      }
      #expect(calls.count == 1 && container.observers.isEmpty)
    }
  }
}
