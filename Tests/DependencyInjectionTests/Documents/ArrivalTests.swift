internal import DependencyInjection
internal import Testing

private final class LoggingRouter: Router {
  let inner: any Router
  init(_ inner: any Router) { self.inner = inner }
  var config: (any AppConfiguration)? { inner.config }
}

private final class Folder {
  let document: Document
  let token: LifetimeToken?
  init(_ document: Document, _ token: LifetimeToken?) { (self.document, self.token) = (document, token) }
}

private final class Document {
  weak var folder: Folder?
  let token: LifetimeToken?
  init(_ token: LifetimeToken?) { self.token = token }
}

private final class Chapter {
  @LazyInject(DIContainer.chapter) var next: Chapter
}

extension DIContainer {
  fileprivate static let router = Dependency<any Router>(.shared) { resolve in
    RouterImpl(config: try resolve.tryResolve())
  }
  fileprivate static let mock = Dependency<any Router>(MockRouter.init)
  fileprivate static let item = Dependency { (_: Resolver, id: String) in ConcreteViewModel(id: id) as any ViewModel }
  fileprivate static let kept = Dependency<Tracked, LifetimeCounter>(.shared) { _, counter in Tracked(counter) }
  fileprivate static let chapter: Dependency<Chapter> = Dependency { Chapter() }
}

/// One test for each thing that a user of another library expects; the details are in the tests of each feature.
@Suite("What a migrating user types")
struct ArrivalTests {
  let container = DIContainer()

  @Test("The concrete type behind aliases")
  func concreteType() {
    container.rejectsDuplicates = true
    container.register(Shared(RouterImpl.init, as: (any Router).self))
    let router = container.resolve(RouterImpl.self)
    #expect(container.resolve((any Router).self) === router)
    container.register(Shared(RouterImpl()))
    #expect(container.resolve(RouterImpl.self) !== router, "the newest one wins, and is no duplicate")
    container.unregister((any Router).self)
    #expect(container.resolve(RouterImpl?.self) != nil, "and it does not need the alias")
    container.unregister(RouterImpl.self)
    #expect(container.resolve(RouterImpl?.self) == nil)
  }

  @Test("Release one instance")
  func reset() {
    let counter = LifetimeCounter()
    container.register {
      Shared(Tracked(counter))
      Shared(RouterImpl() as any Router)
    }
    DIContainer.withCurrent(container) {
      let router = DIContainer.resolve((any Router).self)
      _ = (DIContainer.resolve(Tracked.self), DIContainer.kept(counter))
      #expect(counter.alive == 2)
      DIContainer.reset(Tracked.self)
      #expect(counter.alive == 1)
      DIContainer.kept.reset()
      #expect(counter.alive == 0)
      DIContainer.kept.register { _, counter in Tracked(counter) }
      _ = DIContainer.kept(counter)
      DIContainer.kept.reset()
      #expect(counter.alive == 0 && counter.created == 3, "the override's instance")
      #expect(DIContainer.resolve((any Router).self) === router)
      DIContainer.removeAll()
      #expect(DIContainer.resolve(Tracked?.self) == nil)
    }
  }

  @Test("Declared dependencies with arguments")
  func arguments() {
    DIContainer.withCurrent(container) {
      #expect(DIContainer.item("42").id == "42")
      DIContainer.item.register { _, id in ConcreteViewModel(id: "mock of \(id)") }
      #expect(DIContainer.item("42").id == "mock of 42")
    }
  }

  @Test("tryResolve and resolveAsync of a declared dependency, in factories too")
  func throwing() async throws {
    container.register(
      New { resolve in
        ConcreteViewModel(id: try DIContainer.router.tryResolve(from: resolve).config?.name ?? "") as any ViewModel
      })
    #expect(
      failure { try container.tryResolve((any ViewModel).self) }?.path == ["ViewModel", "Router", "AppConfiguration"])
    #expect(try container.tryResolveAll((any MediaPlayer).self).isEmpty)
    container.register(Shared(AppConfigurationImpl() as any AppConfiguration))
    #expect(try container.tryResolve((any ViewModel).self).id == "production")
    #expect(try await DIContainer.router.resolveAsync(from: container).config?.name == "production")
  }

  @Test("Every form of a registration on declared dependencies")
  func forms() {
    DIContainer.withCurrent(container) {
      #expect(DIContainer.mock() is MockRouter)
      DIContainer.router.register(MockRouter.init)
      #expect(DIContainer.router() is MockRouter)
      DIContainer.register(Shared(autowire: MockRouter.init, as: (any Router).self))
      #expect(DIContainer.resolve((any Router).self) is MockRouter)
    }
  }

  @Test("Decorators")
  func decorators() async throws {
    container.decorate((any Router).self) { router, _ in LoggingRouter(router) }
    container.register(Shared(RouterImpl() as any Router))
    let router = try #require(container.resolve((any Router).self) as? LoggingRouter)
    #expect(router === container.resolve((any Router).self) && router.inner is RouterImpl)
    #expect(container.registrations.map(\.decorators.count) == [1])
    try await container.verify()
    container.unregister((any Router).self)
    container.register(Shared(RouterImpl() as any Router))
    #expect(container.resolve((any Router).self) is RouterImpl)
    container.register(Decorated((any Router).self) { router, _ in LoggingRouter(router) })
    #expect((container.resolve((any Router).self) as? LoggingRouter)?.inner is RouterImpl)
  }

  @Test("Two-phase creation of a parent and a child, without a leak", arguments: [false, true])
  func twoPhases(isInGraph: Bool) {
    let counter = LifetimeCounter()
    if isInGraph {
      container.register(PerGraph { Document(counter.token()) })
    } else {
      container.register(New { Document(counter.token()) })
    }
    container.register(
      Weak { resolve in
        let folder = Folder(resolve(), counter.token())
        folder.document.folder = folder
        return folder
      })
    var folder: Folder? = container.resolve(Folder.self)
    #expect(folder?.document.folder === folder && folder === container.resolve(Folder.self))
    #expect(counter.alive == 2)
    folder = nil
    #expect(counter.alive == 0 && counter.created == 2)
  }

  @Test("The text of an error, the arguments in registrations, and early cycles")
  func texts() throws {
    container.register(New { (_: Resolver, id: String, count: Int) in ConcreteViewModel(id: id) as any ViewModel })
    let line = #line - 1
    #expect(container.registrations[0].arguments == (String, Int).self)
    #expect("\(container.registrations[0])" == "New ViewModel(String, Int) at \(place(line))")
    container.register(New { (_: Resolver, id: String) in ConcreteViewModel(id: id) as any ViewModel })
    #expect("\(container.registrations[0])".hasPrefix("New ViewModel(String) at \(place(line + 4)), replaces "))
    let error = try #require(failure { try container.tryResolve((any ViewModel).self) })
    #expect("\(error)".hasPrefix("'ViewModel' takes arguments (String), got none."))
    #expect(error.notes == ["it has replaced the registration at \(place(line))"])
    let calls = CallCounter()
    container.register(
      New { resolve in
        calls.call()
        return try resolve.tryResolve((any Router).self)
      })
    #expect(failure { try container.tryResolve((any Router).self) }?.code == .cycle)
    #expect(calls.count == 1, "at the first return")
  }

  @Test("A declared dependency that its own type injects")
  func circularDeclaration() {
    DIContainer.withCurrent(container) {
      let chapter = DIContainer.chapter()
      #expect(chapter.next !== chapter && chapter.next === chapter.next)
    }
  }
}
