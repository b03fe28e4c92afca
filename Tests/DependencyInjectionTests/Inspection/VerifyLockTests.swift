internal import Testing

@testable internal import DependencyInjection

private protocol Missing {}

private final class First: Sendable {}

private final class Second: Sendable {}

private final class Third: Sendable {}

/// An actor with a thread of its own.
@globalActor
private actor Blocked {
  static let shared = Blocked()
  private static let executor = ThreadExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe Self.executor.asUnownedSerialExecutor() }
}

struct VerifyLockTests {
  // Never freed, because the thread that is abandoned holds them for good.
  private static let locks = [Locked(()), Locked(())]

  @Test(
    "A check ends, and says why, if a factory needs a lock that an abandoned thread holds, also on an actor",
    arguments: [false, true])
  func locked(isOnActor: Bool) async throws {
    let lock = Self.locks[isOnActor ? 1 : 0]
    let container = DIContainer()
    container.register {
      Shared { resolve in
        lock.withLock { _ in
          _ = resolve((any Missing).self)
          return First()
        }
      }
      if isOnActor {
        Shared({ @Blocked in lock.withLock { _ in Second() } }, line: 1)
      } else {
        Shared({ lock.withLock { _ in Second() } }, line: 1)
      }
      New { (_, _: Int) in Third() }
    }
    let missing = #line - 11
    // The second factory never returns, however long the limit is.
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
