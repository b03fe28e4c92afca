internal import Testing

@testable internal import DependencyInjection

private protocol Missing {}

private final class First: Sendable {}

private final class Second: Sendable {}

private final class Third: Sendable {}

private func makeSecond(_ isUnlocked: Event) -> Second {
  isUnlocked.wait()
  return Second()
}

/// An actor with a thread of its own.
@globalActor
private actor Blocked {
  static let shared = Blocked()
  private static let executor = ThreadExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe Self.executor.asUnownedSerialExecutor() }
}

struct VerifyLockTests {
  @Test(
    "A check ends, and says why, if a factory waits for an abandoned thread, also on an actor",
    arguments: [false, true])
  func locked(isOnActor: Bool) async throws {
    // In place of a lock, because nothing unlocks what an abandoned thread holds.
    let isUnlocked = Event()
    defer { isUnlocked.signal() }
    let container = DIContainer()
    container.register {
      Shared { resolve in
        defer { isUnlocked.signal() }
        _ = resolve((any Missing).self)
        return First()
      }
      if isOnActor {
        Shared({ @Blocked in makeSecond(isUnlocked) }, line: 1)
      } else {
        Shared({ makeSecond(isUnlocked) }, line: 1)
      }
      New { (_, _: Int) in Third() }
    }
    let missing = #line - 10
    // The second factory does not return before the check ends, however long the limit is.
    let verification = Verification(
      of: container, limit: .milliseconds(50), except: { _ in false }, arguments: { _ in nil })
    await verification.run()
    let failures = try #require(verification.error).failures
    #expect(failures.map(\.code) == [.missingRegistration, .factoryFailed])
    #expect(
      failures.last?.description == """
        The factory of 'Second' did not return within 0.05 seconds.
          resolving  Second
          asked at   \(place(1))
          registered \(place(1))
          note       the check has abandoned a thread that could not resolve 'Missing', and that thread may hold a lock \
        that is needed here: use `try resolve.tryResolve()` at \(place(missing)), which throws
          note       the check ends here
        """)
  }
}
