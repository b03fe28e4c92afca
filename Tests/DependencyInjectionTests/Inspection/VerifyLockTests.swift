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
  // Never freed, because the thread that is abandoned holds it for good.
  private static let lock = Locked(())
  private static let lockOfActor = Locked(())

  @Test("A check ends, and says why, if a factory needs a lock that an abandoned thread holds")
  func locked() async throws {
    let container = DIContainer()
    container.register {
      Shared { resolve in
        Self.lock.withLock { _ in
          _ = resolve((any Missing).self)
          return First()
        }
      }
      Shared { Self.lock.withLock { _ in Second() } }
      Shared(Third())
    }
    let line = #line - 3
    // The second factory never returns, however long the limit is.
    let verification = Verification(
      of: container, limit: .milliseconds(50), except: { _ in false }, arguments: { _ in nil })
    await verification.run()
    let failures = try #require(verification.error).failures
    #expect(failures.map(\.code) == [.missingRegistration, .factoryFailed])
    #expect(
      failures.last?.description == """
        The factory of 'Second' has not returned in 0.05 seconds.
          resolving  Second
          asked at   DependencyInjectionTests/VerifyLockTests.swift:\(line)
          registered DependencyInjectionTests/VerifyLockTests.swift:\(line)
          note       the check has abandoned a thread that could not resolve 'Missing', and that thread may hold a lock \
        which is needed here: use `try resolve.tryResolve()` at DependencyInjectionTests/VerifyLockTests.swift:\(line - 4), which \
        throws
          note       the check ends here
        """)
  }

  @Test("So it does if the factory is another actor's")
  func onActor() async throws {
    let container = DIContainer()
    container.register {
      Shared { resolve in
        Self.lockOfActor.withLock { _ in
          _ = resolve((any Missing).self)
          return First()
        }
      }
      Shared { @Blocked in Self.lockOfActor.withLock { _ in Second() } }
      Shared(Third())
    }
    let verification = Verification(
      of: container, limit: .milliseconds(50), except: { _ in false }, arguments: { _ in nil })
    await verification.run()
    #expect(try #require(verification.error).failures.map(\.code) == [.missingRegistration, .factoryFailed])
  }
}
