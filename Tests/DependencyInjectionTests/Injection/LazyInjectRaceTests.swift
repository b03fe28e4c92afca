internal import DependencyInjection
internal import Testing

private final class Session: Sendable {}

private final class Page: Sendable {
  let resolve: Resolver
  let session: Session?
  init(_ resolve: Resolver, _ session: Session?) { (self.resolve, self.session) = (resolve, session) }
}

private final class Owner: @unchecked Sendable {
  // Unchecked: the wrapper may be read on any thread.
  @LazyInject var page: Page
}

struct LazyInjectRaceTests {
  @Test("The kept instance is the one whose creation finished first, and its resolver outlives the factory")
  func race() {
    let container = DIContainer()
    let owner = DIContainer.withCurrent(container) { Owner() }
    let (sessionBegins, pageBegins, end) = (Event(), Event(), Event())
    container.register {
      Shared { () -> Session in
        sessionBegins.signal()
        pageBegins.wait()
        _ = owner.page
        return Session()
      }
      New { resolve -> Page in
        pageBegins.signal()
        return Page(resolve, try? resolve.tryResolve(Session.self))
      }
    }
    startThread {
      _ = container.resolve(Session.self)
      end.signal()
    }
    sessionBegins.wait()
    let page = owner.page
    end.wait()
    #expect(owner.page === page)
    #expect(page.session == nil, "the session was being created")
    #expect(failure { try page.resolve.tryResolve((any Cache).self) }?.brief == "missingRegistration: Cache")
    container.removeAll()
  }
}
