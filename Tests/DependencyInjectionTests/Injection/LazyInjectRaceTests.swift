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

  @Test(
    "A closure that works for another creation may read the property that its thread is resolving",
    .timeLimit(.minutes(20)))
  func closureFromElsewhere() async throws {
    let container = DIContainer()
    let owner = DIContainer.withCurrent(container) { Owner() }
    let closure = Monitor<(@Sendable () -> Page)?>(nil)
    let (isMade, isOver) = (AsyncSignal(), AsyncSignal())
    container.register {
      Shared { () async throws -> Session in
        let read = DIContainer.escaping { owner.page }
        closure.change { $0 = read }
        isMade.open()
        try await isOver.wait()
        return Session()
      }
      New { resolve -> Page in
        // Without this, it would be a cycle to read the property.
        container.register(New { Page($0, nil) })
        _ = closure.change { $0 }?()
        return Page(resolve, nil)
      }
    }
    async let session = container.resolveAsync(Session.self)
    try await isMade.wait()
    let page = try await onOwnThread { owner.page }
    #expect(page === owner.page)
    isOver.open()
    _ = try await session
    container.removeAll()
  }

  @Test("A factory stays in the graph of the asynchronous one around it, even if its property has its value already")
  func graph() async throws {
    let container = DIContainer()
    let owner = DIContainer.withCurrent(container) { Owner() }
    let late = Monitor<Session?>(nil)
    container.register {
      PerGraph(Session())
      New { resolve -> Page in
        // Without this, it would be a cycle to read the property.
        container.register(New { Page($0, $0()) })
        _ = owner.page
        let page = Page(resolve, resolve())
        late.change { $0 = page.session }
        return page
      }
      New { resolve async -> [Session?] in [resolve(), owner.page.session] }
    }
    let sessions = try await container.resolveAsync([Session?].self) + [late.change { $0 }]
    #expect(Set(sessions.map { $0.map { ObjectIdentifier($0) } }).count == 1)
    container.removeAll()
  }

  @Test("A factory belongs to the instance around a property that has its value already")
  func around() async throws {
    final class Keeper: Sendable {
      let resolve: Resolver
      init(_ resolve: Resolver) { self.resolve = resolve }
    }
    let container = DIContainer()
    let owner = DIContainer.withCurrent(container) { Owner() }
    let late = Monitor<Session?>(nil)
    container.register {
      PerGraph(Session())
      New { Keeper($0) }
      New { resolve -> Page in
        // Without this, it would be a cycle to read the property.
        container.register(New { Page($0, nil) })
        _ = owner.page
        let keeper = DIContainer.resolve(Keeper.self)
        let session = onAnotherThread { keeper.resolve(Session.self) }
        late.change { $0 = session }
        return Page(resolve, nil)
      }
      Shared { _ in [owner.page] }
      New { resolve async -> [Session?] in
        _ = resolve([Page].self)
        return [resolve()]
      }
    }
    let session = try await container.resolveAsync([Session?].self)[0]
    #expect(late.change { $0 } === session)
    container.removeAll()
  }

  @Test("The resolver of what a property gets does not work for the asynchronous factory that reads the property")
  func resolver() async throws {
    let container = DIContainer()
    let owner = DIContainer.withCurrent(container) { Owner() }
    container.register {
      PerGraph(Session())
      New { Page($0, nil) }
      New { resolve async throws -> [Session] in
        let page = owner.page
        return [resolve(), try await onOwnThread { page.resolve(Session.self) }]
      }
    }
    let sessions = try await container.resolveAsync([Session].self)
    #expect(sessions[0] !== sessions[1])
    container.removeAll()
  }
}
