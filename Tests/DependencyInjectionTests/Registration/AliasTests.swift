internal import DependencyInjection
internal import Testing

struct AliasTests {
  let container = DIContainer()

  @Test("Aliases may convert, be a superclass, or be what only the dynamic type conforms to")
  func converted() {
    container.register(
      Shared(AppConfigurationImpl("converted"), aliases: { $0 as any AppConfiguration }, { $0.name }, { $0.name.count })
    )
    #expect(
      container.resolve((any AppConfiguration).self).name == "converted"
        && container.resolve(String.self) == "converted" && container.resolve(Int.self) == 9)
    #expect(container.resolve(AppConfigurationImpl.self).name == "converted")
    // An alias may be a superclass.
    do {
      let container = DIContainer()
      final class Special: RouterImpl {}
      container.register(Shared({ Special() }, as: RouterImpl.self, (any Router).self))
      #expect(
        container.resolve(RouterImpl.self) is Special
          && container.resolve((any Router).self) === container.resolve(RouterImpl.self))
    }
    // An alias that only the dynamic type conforms to works.
    do {
      let container = DIContainer()
      container.register(Shared(RouterImpl() as any Router, as: (any DeeplinkHandler).self, RouterImpl.self))
      #expect(
        container.resolve((any DeeplinkHandler).self) is RouterImpl
          && container.resolve(RouterImpl.self) === container.resolve((any DeeplinkHandler).self))
    }
    // It may be a subclass.
    do {
      let container = DIContainer()
      final class Special: RouterImpl {}
      container.register(Shared({ Special() as RouterImpl }, as: Special.self))
      #expect(container.resolve(Special.self) === container.resolve(RouterImpl.self))
    }
    // A conversion may lead to a class that has nothing to do with it.
    do {
      let container = DIContainer()
      final class Wrapper {
        let router: RouterImpl
        init(_ router: RouterImpl) { self.router = router }
      }
      container.register(Shared(RouterImpl(), aliases: { Wrapper($0) }))
      #expect(container.resolve(Wrapper.self).router === container.resolve(RouterImpl.self))
    }
    // A list has the aliases that no other registration answers.
    do {
      let container = DIContainer()
      container.register {
        Shared(RouterImpl(), as: (any Router).self, (any DeeplinkHandler).self)
        Shared(RouterImpl() as any Router)
      }
      #expect(container.registrations.map { $0.aliases.map { "\($0)" } } == [[], ["DeeplinkHandler"]])
    }
  }

  @Test("Behind aliases, an instance is found under its own type, too, which is a key like any other")
  func ownType() {
    for isNew in [false, true] {
      let container = DIContainer()
      let registration: any Registration =
        isNew ? New(RouterImpl(), as: (any Router).self) : Shared(RouterImpl(), as: (any Router).self)
      container.register(registration)
      #expect(
        (container.resolve(RouterImpl.self) === container.resolve((any Router).self)) == !isNew
          && (container.resolve(RouterImpl.self) === container.resolve(RouterImpl.self)) == !isNew)
      #expect(
        container.registrations.map(\.description).count == 1
          && container.registrations[0].aliases.map { "\($0)" } == ["Router"]
          && container.resolveAll(RouterImpl.self).count == 1)
    }
    // The own type alone can be unregistered.
    do {
      let container = DIContainer()
      container.register(Shared(RouterImpl(), as: (any Router).self))
      let router = container.resolve(RouterImpl.self)
      container.unregister(RouterImpl.self)
      #expect(container.resolve(RouterImpl?.self) == nil && container.resolve((any Router).self) === router)
    }
    // The own type is a key like any other: the newest registration of it wins.
    for isExplicitFirst in [false, true] {
      let container = DIContainer()
      let explicit = Shared(RouterImpl())
      let behind = Shared({ RouterImpl() }, as: (any Router).self)
      container.register {
        if isExplicitFirst { explicit }
        behind
        if !isExplicitFirst { explicit }
      }
      let router = container.resolve((any Router).self)
      #expect((container.resolve(RouterImpl.self) === router) == isExplicitFirst)
      // Of two that are behind aliases, it is the newer one's, too, and the alias of the older one stays.
      container.register(Shared({ RouterImpl() }, as: (any DeeplinkHandler).self))
      #expect(
        container.resolve(RouterImpl.self) === container.resolve((any DeeplinkHandler).self) as AnyObject
          && container.resolve(RouterImpl.self) !== router && container.resolve((any Router).self) === router)
      // In another order of requests, so that no instance exists when the first one comes.
      container.register(Shared({ RouterImpl() }, as: AnyObject.self))
      let own = container.resolve(RouterImpl.self)
      #expect(own === container.resolve(AnyObject.self))
      container.register(New(MockRouter() as AnyObject))
      #expect(container.resolve(RouterImpl.self) === own)
    }
    // So does one of an alias that comes while the instance is created.
    do {
      let container = DIContainer()
      container.register(
        Shared(
          {
            DIContainer.register(Shared(MockRouter() as any Router))
            return RouterImpl()
          }, as: (any Router).self))
      let router = container.resolve((any Router).self)
      #expect(container.resolve((any Router).self) is MockRouter && container.resolve(RouterImpl.self) === router)
    }
    // The own type stays when an alias goes, and its instance with it.
    for isUnregistered in [false, true] {
      let container = DIContainer()
      let counter = LifetimeCounter()
      container.register(Shared(Tracked(counter), as: AnyObject.self))
      let child = DIContainer(parent: container)
      let tracked = container.resolve(Tracked.self)
      #expect(container.resolve(AnyObject.self) === tracked)
      if isUnregistered {
        container.unregister(AnyObject.self)
        #expect(container.resolve(AnyObject?.self) == nil)
      } else {
        container.register(Shared(RouterImpl() as AnyObject))
        #expect(container.resolve(AnyObject.self) is RouterImpl)
      }
      #expect(
        container.resolve(Tracked.self) === tracked && child.resolve(Tracked.self) === tracked && counter.created == 1)
    }
  }

  @Test("An instance that does not match an alias is reported by each resolution, with both types and the registration")
  func mismatch() throws {
    let line: UInt = #line + 1
    container.register(Shared(PlayerObject(), as: (any MediaPlayer).self, (any Router).self))
    #expect(container.resolve((any MediaPlayer).self) is PlayerObject)
    let asked: UInt = #line + 1
    let error = failure { try container.tryResolve((any Router).self) }
    #expect(error?.code == .aliasMismatch && error?.registration?.line == line)
    #expect(
      error?.description == """
        'PlayerObject' is registered as 'Router', but is not one.
          resolving  Router
          asked at   \(place(Int(asked)))
          registered \(place(Int(line)))
          note       make PlayerObject conform to Router, or let the compiler check it: `aliases: { $0 as Router }`
        """)
    // The cure for an alias that is not a protocol is one that compiles.
    do {
      let container = DIContainer()
      container.register(Shared(PlayerObject(), as: [Int].self))
      #expect(
        failure { try container.tryResolve([Int].self) }?.notes == [
          "leave out that alias, or let the compiler check it: `aliases: { $0 as Array<Int> }`"
        ])
    }
    // What is not an object may be bridged to one, so it is not rejected before.
    do {
      let container = DIContainer()
      container.register(Shared(SimplePlayer(), as: RouterImpl.self))
      #expect(failure { try container.tryResolve(RouterImpl.self) }?.code == .aliasMismatch)
    }
    // A type is not an instance.
    do {
      let container = DIContainer()
      container.register(Shared(PlayerObject.self, as: (any MediaPlayer).self))
      #expect(
        failure { try container.tryResolve((any MediaPlayer).self) }?.notes == [
          "that is a type: register an instance of it"
        ])
    }
    // The dynamic type is named when a New existential does not match an alias.
    do {
      let container = DIContainer()
      container.register(New(PlayerObject() as any MediaPlayer, as: (any Router).self))
      let error = failure { try container.tryResolve((any Router).self) }
      #expect(
        error?.code == .aliasMismatch
          && error?.description.hasPrefix("'PlayerObject' is registered as 'Router', but is not one.\n") == true)
    }
    // A mismatch stays an error, and the optional of the alias is one too.
    do {
      let container = DIContainer()
      container.register(Shared(PlayerObject(), as: (any Router).self))
      for _ in 0..<3 {
        #expect(
          failure { try container.tryResolve((any Router).self) }?.code == .aliasMismatch
            && failure { try container.tryResolve((any Router)?.self) }?.code == .aliasMismatch)
      }
    }
  }

  @Test("An alias that is an unrelated class is reported when it is registered, at the registration", .exitTest)
  func unrelatedClass() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.unrelatedClass()
    }
    #expect(
      result?.trapped(
        with: "'PlayerObject' is registered as 'RouterImpl', but is neither that class nor a subclass.") == true)
  }
}

// What ends a process. Not in the closures of the exit tests, because lines do not count there.
private enum Trapping {
  static func unrelatedClass() {
    expectTrap(atLine: #line + 1)
    DIContainer().register(Shared(PlayerObject(), as: RouterImpl.self))
  }
}
