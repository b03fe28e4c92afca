@testable import DITesting
import DependencyInjection
import Testing

private final class Log: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

/// An object that resolves when it is released, like objects that log their end.
private final class Session {
  static let ended = Calls<String>()
  @LazyInject private var log: Log
  deinit { Self.ended(DIContainer.resolve(Log.self).name + " and " + log.name) }
}

/// A mock that inherits lazy properties of the real class.
private class LazyRouter: Router {
  let name = "lazy"
  @LazyInject var log: Log
  @MutableLazyInject var spare: Log
}

private final class LazyMockRouter: LazyRouter {}

private final class Holder {
  static let lazyRouter = Dependency<LazyRouter> { LazyRouter() }
  let session: Session
  init(session: Session) { self.session = session }
}

@Suite(.expectingIssues)
struct EndOfTestTests {
  private static let module = Module {
    Shared { Log("test") }
    Shared(autowire: Holder.init(session:))
    New(Session())
  }

  @Test(
    "releases instances and mocks, as earlier ends do, while its container is current, for what a deinit resolves",
    .exitTest)
  func deinitResolves() async {
    await expectFailures {
      await #expect(processExitsWith: .success) {
        DIContainer.shared.register(Shared(Log("shared")))
        await isolated("short test") {
          DIContainer.register(Self.module)
          _ = DIContainer.resolve(Holder.self)
        }
        withIsolatedContainer {
          Self.module
        } perform: {
          _ = DIContainer.resolve(Holder.self)
        }
        withIsolatedContainer {
          DIContainer.register(Shared { Log("registered") })
          DIContainer.override(Int.self, with: 1)
          DIContainer.override(Session.self, with: Session())
          _ = DIContainer.resolve(Session.self)
        }
        await withIsolatedContainer(.empty) {
          Shared { Log("trait") }
        } perform: {
          await Task.yield()
          DIContainer.override(Log.self, with: Log("mock"))
          DIContainer.override(Session.self, with: Session())
          _ = (DIContainer.resolve(Session.self), DIContainer.resolve(Log.self))
        }
        await withIsolatedContainer(.empty) {
          Self.module
        } perform: {
          _ = DIContainer.resolve(Holder.self)
          DIContainer.removeAll()
          DIContainer.register(Self.module)
          let snapshot = DIContainer.snapshot()
          DIContainer.removeAll()
          DIContainer.register(Shared { Log("after") })
          DIContainer.register(Shared(Session()))
          _ = DIContainer.resolve(Session.self)
          DIContainer.restore(snapshot)
          DIContainer.removeAll()
          DIContainer.register(Shared { Log("verified") })
          DIContainer.register(New(Session()))
          await verifyRegistrations()
        }
        // A lazy property resolves from the container in which its owner was created, which has been restored.
        #expect(
          Session.ended.all == [
            "test and test", "test and test", "registered and registered", "mock and mock", "test and test",
            "after and test", "verified and verified",
          ])
      }
    }
  }

  @Test("leaves the value of an override to work that has the container, and releases one that nothing has read")
  func lateMock() async {
    do {
      let (end, continuation) = AsyncStream.makeStream(of: Void.self)
      let task = await isolated("short test", escapes: .ignore) {
        DIContainer.register(Shared { Log("test") })
        DIContainer.override((any Router).self, with: LazyMockRouter())
        return Task {
          for await _ in end {}
          let router = DIContainer.resolve((any Router).self) as? LazyMockRouter
          return router?.log.name
        }
      }
      continuation.finish()
      await expectFailures { #expect(await task.value == "test") }
    }
    // Leaves the container to a value that other code has, whose lazy properties nothing has read.
    do {
      let router = withIsolatedContainer(escapes: .ignore) {
        DIContainer.register(Shared { Log("test") })
        let router = LazyMockRouter()
        DIContainer.override((any Router).self, with: router)
        return router
      }
      await expectFailures { #expect(router.log.name == "test") }
    }
    // Releases a value of the test, whose lazy properties nothing has read.
    do {
      weak var router: LazyMockRouter?
      weak var read: LazyMockRouter?
      await expectFailures {
        withIsolatedContainer(overrides: .mustBeReleased) {
          let (unread, other) = (LazyMockRouter(), LazyMockRouter())
          (router, read) = (unread, other)
          DIContainer.override((any Router).self, with: unread)
          DIContainer.override(Holder.lazyRouter, with: other)
          DIContainer.register(Shared { Log("test") })
          _ = DIContainer.resolve((any Router).self)
          #expect(
            other.log === DIContainer.resolve(Log.self)
              && DIContainer.withCurrent(DIContainer()) { unread.spare } === other.log)
        }
      }
      #expect(router == nil && read == nil)
    }
  }
}
