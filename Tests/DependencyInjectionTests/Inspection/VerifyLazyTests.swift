internal import DependencyInjection
internal import Testing

private final class Owner: @unchecked Sendable {
  @LazyInject var cache: any Cache
}

private final class Caller: @unchecked Sendable {
  @LazyInject var callee: Callee
  init() { callee.isCalled = true }
}

private final class Callee: @unchecked Sendable {
  @Inject var caller: Caller
  var isCalled = false
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

  @Test("A cycle through a lazy property that is read during creation says not to read it there")
  func cycle() async throws {
    let container = DIContainer()
    container.register {
      Shared(Caller())
      Shared(Callee())
    }
    let error = try await watched {
      await #expect(throws: VerificationError.self) { try await container.verify() }
    }
    #expect(error?.failures.map(\.code) == [.cycle])
    #expect(error?.failures[0].notes[0].hasSuffix("after creation; do not use it in an initializer") == true)
  }
}
