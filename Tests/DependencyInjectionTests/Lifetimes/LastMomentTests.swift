internal import DependencyInjection
internal import Synchronization
internal import Testing

/// Keeps its container, as most instances do that resolve later.
private final class Keeper: Sendable {
  let resolve: Resolver
  private let token: LifetimeToken
  init(_ resolve: Resolver, _ counter: LifetimeCounter) { (self.resolve, token) = (resolve, counter.token()) }
}

private final class Reader: @unchecked Sendable {
  @LazyInject var keeper: Keeper?
}

/// A barrier for two threads that wait without sleeping, so that they go on at the same moment.
private final class SpinningBarrier: Sendable {
  private let arrivals = Atomic(0)

  func meet(_ round: Int) {
    arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing)
    var tries = 0
    while arrivals.load(ordering: .acquiring) < round * 2 {
      tries += 1
      if tries.isMultiple(of: 1_000) { letOthersRun() }
    }
  }
}

@Suite(.timeLimit(.minutes(20)))
struct LastMomentTests {
  @Test("What a lazy property of a kept object gets while the container ends does not keep the container")
  func lastMoment() {
    let (counter, start, end, reader) = (
      LifetimeCounter(), SpinningBarrier(), SpinningBarrier(), Monitor<Reader?>(nil)
    )
    onThreads(2) { thread in
      for round in 1...(isSanitized ? 5_000 : 50_000) {
        if thread == 0 {
          let container = DIContainer()
          container.register(Shared { resolve in Keeper(resolve, counter) })
          let object = DIContainer.withCurrent(container) { Reader() }
          container.registry.releaseLazyProperties(of: object)
          reader.change { $0 = object }
          start.meet(round)
          // In the first round, the property gets its value before the container ends.
          if round == 1 { end.meet(round) }
          for _ in 0..<round % 64 { _ = counter.alive }
          _ = consume container
          if round > 1 { end.meet(round) }
          reader.change { $0 = nil }
        } else {
          start.meet(round)
          let object = reader.change { $0 }
          for _ in 0..<round / 64 % 16 { _ = counter.alive }
          _ = object?.keeper
          end.meet(round)
        }
      }
    }
    #expect(counter.created > 0 && counter.alive == 0)
  }
}
