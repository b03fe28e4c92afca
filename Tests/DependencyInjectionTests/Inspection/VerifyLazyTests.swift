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

  @Test("A check and a graph of a child know what it hides, as far as a registration of an ancestor needs it")
  func hidden() async throws {
    let app = DIContainer()
    app.register {
      New(1)
      Shared { resolve in "\(resolve(Int.self))" }
    }
    let child = DIContainer(parent: app)
    child.register(Shared(2))
    #expect("\(await child.graph())" == "New Int\nShared Int\nShared String\n  New Int")
    for container in [app, child] {
      do {
        try await container.verify()
        Issue.record("It has passed.")
      } catch {
        #expect((error as? VerificationError)?.failures.map(\.code) == [.captiveDependency])
      }
    }
  }
}
