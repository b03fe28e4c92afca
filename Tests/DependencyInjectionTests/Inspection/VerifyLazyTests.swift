internal import DependencyInjection
internal import Testing

private final class Owner: @unchecked Sendable {
  @LazyInject var cache: any Cache
}

private final class First: Sendable {}

private final class Second: Sendable {}

struct VerifyLazyTests {
  @Test("A check reports a lazy property that cannot be resolved once, however many factories read it")
  func missing() async throws {
    let container = DIContainer()
    container.register {
      Shared { _ in Owner() }
      Shared { resolve in
        _ = resolve(Owner.self).cache
        return First()
      }
      Shared { resolve in
        _ = resolve(Owner.self).cache
        return Second()
      }
    }
    let error = try await watched {
      await #expect(throws: VerificationError.self) { try await container.verify() }
    }
    #expect(error?.failures.map(\.code) == [.missingRegistration])
  }
}
