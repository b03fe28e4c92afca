internal import DependencyInjection
internal import Testing

@Suite(.serialized, .timeLimit(.minutes(20)))
struct AsyncRegistrationRaceTests {
  /// What another thread does to the registration again and again, before it registers an asynchronous factory.
  enum Change: CaseIterable {
    case unregister
    case registerSynchronous
  }

  @Test(
    "resolveAsync never says that what it was asked for has to be created asynchronously", arguments: Change.allCases,
    [false, true])
  func neverAsynchronous(change: Change, fromChild: Bool) async throws {
    let (container, counter, isOver) = (DIContainer(), LifetimeCounter(), Flag())
    let end = Event()
    if change == .registerSynchronous { container.register(New { Tracked(counter) }) }
    startThread {
      while !isOver.isSet {
        container.register(New { (_: Resolver) async in Tracked(counter) })
        switch change {
        case .unregister: container.unregister(Tracked.self)
        case .registerSynchronous: container.register(New { Tracked(counter) })
        }
      }
      end.signal()
    }
    let requester = fromChild ? DIContainer(parent: container) : container
    var codes: [ResolutionError.Code: Int] = [:]
    for _ in 0..<4_000 {
      do {
        _ = try await requester.resolveAsync(Tracked.self)
      } catch {
        codes[try #require(error as? ResolutionError).code, default: 0] += 1
      }
    }
    isOver.set()
    end.wait()
    if change == .unregister { codes[.missingRegistration] = nil }
    #expect(codes == [:])
  }
}
