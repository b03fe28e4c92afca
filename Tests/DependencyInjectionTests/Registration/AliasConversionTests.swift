internal import Testing

@testable internal import DependencyInjection

private protocol API: Sendable {
  var config: String { get }
}

private struct Config: Sendable {
  let name: String
}

private final class Impl: Sendable {}

private struct Wrapper: API {
  let config: String
  init(_ impl: Impl) { config = DIContainer.resolve(Config.self).name }
}

private struct Circle: API {
  let config: String
  init(_ impl: Impl) {
    let error = #expect(throws: ResolutionError.self) { try DIContainer.tryResolve(Impl.self) }
    config = "\(error?.code.description ?? "none") \(error?.path.joined(separator: " ") ?? "")"
  }
}

private final class User: Sendable {
  init(_ impl: Impl) {}
}

struct AliasConversionTests {
  @Test("A conversion runs for the container that registers the instance, and that of a New for the one that is asked")
  func owner() async throws {
    for isAsync in [false, true] {
      let app = DIContainer()
      app.register {
        Shared(Config(name: "app"))
        Shared(Impl(), aliases: { Wrapper($0) as any API })
      }
      let child = DIContainer(parent: app)
      child.register(Shared(Config(name: "child")))
      let asked = try await DIContainer.withCurrent(child) {
        isAsync ? try await DIContainer.resolveAsync((any API).self) : DIContainer.resolve((any API).self)
      }
      #expect([asked.config, app.resolve((any API).self).config] == ["app", "app"])
    }
    // Also where another one is current.
    do {
      let (app, child) = (DIContainer(), DIContainer())
      app.register {
        Shared(Config(name: "app"))
        New(Impl(), aliases: { Wrapper($0) as any API })
      }
      child.register(Shared(Config(name: "other")))
      DIContainer.withCurrent(child) { #expect(app.resolve((any API).self).config == "app") }
    }
  }

  @Test("A conversion that needs its own instance is a cycle, and a check ends if one cannot resolve what it needs")
  func cycle() async throws {
    let container = DIContainer()
    container.register(Shared(Impl(), aliases: { Circle($0) as any API }))
    let config = try await watched {
      try await onOwnThread { DIContainer.withCurrent(container) { DIContainer.resolve((any API).self).config } }
    }
    #expect(config == "cycle API Impl")
    do {
      let container = DIContainer()
      container.register {
        Shared(Impl(), aliases: { Wrapper($0) as any API })
        Shared { resolve in User(resolve()) }
      }
      let error = try await watched {
        await #expect(throws: VerificationError.self) { try await container.verify() }
      }
      #expect(error?.failures.map(\.code) == [.missingRegistration])
    }
  }
}
