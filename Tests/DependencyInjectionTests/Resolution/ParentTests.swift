internal import DependencyInjection
internal import Testing

extension Scope {
  fileprivate static let session = Scope("session of parents")
}

@Suite("Parents and children")
struct ParentTests {
  let parent = DIContainer()
  let child: DIContainer
  let grandchild: DIContainer

  init() {
    child = DIContainer(parent: parent)
    grandchild = DIContainer(parent: child)
    parent.register {
      Shared(AppConfigurationImpl("production") as any AppConfiguration)
      Shared { resolve in RouterImpl(config: resolve()) as any Router }
      New { resolve in ConcreteViewModel(id: resolve((any AppConfiguration).self).name) as any ViewModel }
    }
  }

  private func override(_ container: DIContainer, _ name: String = "test") {
    container.register(Shared(AppConfigurationImpl(name) as any AppConfiguration))
  }

  @Test("A child falls back to its parent, at any depth")
  func fallback() {
    #expect(grandchild.resolve((any AppConfiguration).self).name == "production")
    #expect(grandchild.resolve((any ViewModel).self).id == "production")
    #expect(grandchild.resolve((any AppConfiguration)?.self)?.name == "production")
    #expect(grandchild.resolve((any MediaPlayer)?.self) == nil)
    #expect(failure { try grandchild.tryResolve((any MediaPlayer).self) }?.code == .missingRegistration)
  }

  @Test("A child shadows its parent, and the parent knows nothing of it")
  func shadowing() {
    override(child)
    #expect(child.resolve((any AppConfiguration).self).name == "test")
    #expect(grandchild.resolve((any AppConfiguration).self).name == "test")
    #expect(parent.resolve((any AppConfiguration).self).name == "production")
    child.register(Shared(PlayerObject() as any MediaPlayer))
    #expect(parent.resolve((any MediaPlayer)?.self) == nil)
  }

  @Test("What the parent registers later shows through")
  func later() {
    #expect(child.resolve((any MediaPlayer)?.self) == nil)
    parent.register(Shared(PlayerObject() as any MediaPlayer))
    #expect(child.resolve((any MediaPlayer)?.self) is PlayerObject)
    parent.register(Shared(SimplePlayer() as any MediaPlayer))
    #expect(child.resolve((any MediaPlayer).self) is SimplePlayer)
    parent.unregister((any MediaPlayer).self)
    #expect(child.resolve((any MediaPlayer)?.self) == nil)
  }

  @Test("A Shared of the parent is one instance, whichever container is asked first", arguments: [false, true])
  func oneInstance(childFirst: Bool) {
    child.register(Shared("unrelated"))
    let first = childFirst ? grandchild.resolve((any Router).self) : parent.resolve((any Router).self)
    #expect(parent.resolve((any Router).self) === first)
    #expect(child.resolve((any Router).self) === first)
    #expect(grandchild.resolve((any Router).self) === first)
    #expect(DIContainer(parent: parent).resolve((any Router).self) === first)
  }

  @Test("What the parent keeps is built in the parent, and the rest in the container that is asked")
  func current() {
    let seen = Monitor<[DIContainer]>([])
    @Sendable func note() -> Int {
      seen.change { seen in
        seen.append(.current)
        return seen.count
      }
    }
    parent.register {
      Shared({ note() }, named: "shared")
      Scoped(in: .session, { note() }, named: "session")
      Scoped(in: .container, { note() }, named: "container")
      PerGraph({ note() }, named: "graph")
      New({ note() }, named: "new")
    }
    for name in ["shared", "session", "container", "graph", "new"] as [DependencyName] {
      _ = grandchild.resolve(Int.self, named: name)
    }
    #expect(seen.change { $0 } == [parent, parent, grandchild, grandchild, grandchild])
    #expect(parent != grandchild)
  }

  @Test(
    "What a child registers is seen all the way down, and never by what the parent keeps", arguments: [false, true])
  func allTheWayDown(parentFirst: Bool) {
    if parentFirst { _ = parent.resolve((any Router).self) }
    override(child)
    for container in [child, grandchild] {
      #expect(container.resolve((any ViewModel).self).id == "test")
      #expect(container.resolve((any Router).self).config?.name == "production")
      #expect(container.resolve((any Router).self) === parent.resolve((any Router).self))
    }
    #expect(parent.resolve((any ViewModel).self).id == "production")
    #expect(parent.resolve((any Router).self).config?.name == "production")
  }

  @Test("It reaches through a chain of New and PerGraph, optionals and aliases, up to what the parent keeps")
  func chain() {
    struct Top { let middle: Middle }
    final class Middle {
      let bottom: Bottom
      init(bottom: Bottom) { self.bottom = bottom }
    }
    struct Bottom { let config: (any AppConfiguration)? }
    parent.register {
      New { resolve in Top(middle: resolve()) }
      PerGraph({ resolve in Middle(bottom: resolve()) }, as: Middle.self, AnyObject.self)
      New { resolve in Bottom(config: resolve()) }
      Shared({ resolve in Top(middle: resolve()) }, named: "kept")
      New({ resolve in resolve(Top.self, named: "kept") }, named: "around")
    }
    override(child)
    #expect(child.resolve(Top.self).middle.bottom.config?.name == "test")
    #expect((child.resolve(AnyObject.self) as? Middle)?.bottom.config?.name == "test")
    #expect(parent.resolve(Top.self).middle.bottom.config?.name == "production")
    let kept = child.resolve(Top.self, named: "around").middle
    #expect(kept.bottom.config?.name == "production")
    #expect(parent.resolve(Top.self, named: "kept").middle === kept)
  }

  @Test("An optional that only the child has is nil for what the parent keeps", arguments: [false, true])
  func optional(parentFirst: Bool) {
    struct Screenplay { let player: (any MediaPlayer)? }
    parent.register {
      Shared { resolve in Screenplay(player: resolve()) }
      New({ resolve in Screenplay(player: resolve()) }, named: "new")
    }
    if parentFirst { #expect(parent.resolve(Screenplay.self).player == nil) }
    child.register(Shared(PlayerObject() as any MediaPlayer))
    #expect(child.resolve(Screenplay.self).player == nil)
    #expect(child.resolve(Screenplay.self, named: "new").player is PlayerObject)
    #expect(parent.resolve(Screenplay.self).player == nil)
    #expect(parent.resolve(Screenplay.self, named: "new").player == nil)
  }

  @Test("@Inject resolves from the container that its owner is built for", arguments: [false, true])
  func injected(parentFirst: Bool) {
    final class Injecting {
      @Inject var config: any AppConfiguration
      @Inject var model: any ViewModel
      var names: [String] { [config.name, model.id] }
    }
    parent.register {
      Shared(Injecting())
      New(Injecting(), named: "new")
    }
    if parentFirst { _ = parent.resolve(Injecting.self) }
    override(child)
    #expect(child.resolve(Injecting.self).names == ["production", "production"])
    #expect(child.resolve(Injecting.self) === parent.resolve(Injecting.self))
    #expect(child.resolve(Injecting.self, named: "new").names == ["test", "test"])
    DIContainer.withCurrent(parent) {
      DIContainer.withOverrides {
        Shared(AppConfigurationImpl("override") as any AppConfiguration)
      } perform: {
        #expect(DIContainer.resolve(Injecting.self).names == ["override", "override"])
      }
      #expect(DIContainer.resolve(Injecting.self).names == ["production", "production"])
    }
  }

  @Test("Each level has what it registers itself")
  func levels() {
    override(child, "child")
    override(grandchild, "grandchild")
    #expect(grandchild.resolve((any ViewModel).self).id == "grandchild")
    #expect(child.resolve((any ViewModel).self).id == "child")
    #expect(parent.resolve((any ViewModel).self).id == "production")
    #expect(grandchild.resolve((any AppConfiguration).self).name == "grandchild")
  }

  @Test("What the middle level registers is its instance for the level below, too", arguments: [false, true])
  func middle(grandchildFirst: Bool) {
    override(child)
    override(grandchild, "unseen")
    child.register(Shared { resolve in RouterImpl(config: resolve()) as any Router })
    let first = grandchildFirst ? grandchild.resolve((any Router).self) : child.resolve((any Router).self)
    #expect(first.config?.name == "test")
    #expect(child.resolve((any Router).self) === first)
    #expect(grandchild.resolve((any Router).self) === first)
    #expect(parent.resolve((any Router).self).config?.name == "production")
  }

  @Test("In a copy, an override reaches what the copies of the ancestors keep, and no level below hides it")
  func copy() {
    override(child, "child")
    let router = grandchild.resolve((any Router).self)
    DIContainer.withCurrent(grandchild) {
      DIContainer.withOverrides {
        Shared(AppConfigurationImpl("override") as any AppConfiguration)
      } perform: {
        #expect(DIContainer.resolve((any AppConfiguration).self).name == "override")
        #expect(DIContainer.resolve((any ViewModel).self).id == "override")
        #expect(DIContainer.resolve((any Router).self).config?.name == "override")
      }
    }
    #expect(grandchild.resolve((any Router).self) === router && router.config?.name == "production")
    #expect(grandchild.resolve((any AppConfiguration).self).name == "child")
  }

  @Test("Unregistering lets the parent show through")
  func unregister() {
    override(child)
    #expect(child.resolve((any AppConfiguration).self).name == "test")
    child.unregister((any AppConfiguration).self)
    #expect(child.resolve((any AppConfiguration).self).name == "production")
    #expect(child.resolve((any ViewModel).self).id == "production")
    child.unregister((any AppConfiguration).self)
    #expect(child.resolve((any AppConfiguration).self).name == "production", "it does not reach the parent")
  }

  @Test("Unregistering releases the instance, and nothing else")
  func unregisterReleases() {
    let counter = LifetimeCounter()
    child.register {
      Shared(Tracked(counter))
      Shared("kept")
    }
    _ = child.resolve(Tracked.self)
    child.unregister(Tracked.self)
    #expect(counter.alive == 0)
    #expect(child.resolve(Tracked?.self) == nil)
    #expect(child.resolve(String.self) == "kept")
  }

  @Test("reset drops instances and keeps registrations")
  func reset() {
    let counter = LifetimeCounter()
    parent.register(Shared(Tracked(counter)))
    let router = parent.resolve((any Router).self)
    _ = parent.resolve(Tracked.self)
    _ = parent.resolve(Tracked?.self)
    parent.reset()
    #expect(counter.alive == 0)
    #expect(parent.resolve((any Router).self) !== router)
    _ = parent.resolve(Tracked.self)
    #expect(counter.created == 2)
    #expect(counter.alive == 1)
  }

  @Test("Resetting a child leaves the parent's instances alone")
  func resetChild() {
    let counter = LifetimeCounter()
    parent.register(Scoped(in: .container) { Tracked(counter) })
    child.register(Shared(Tracked(counter), named: "own"))
    let (router, parents) = (child.resolve((any Router).self), parent.resolve(Tracked.self))
    _ = (child.resolve(Tracked.self), child.resolve(Tracked.self, named: "own"))
    #expect(counter.alive == 3)
    child.reset()
    #expect(counter.alive == 1, "what the child keeps is released")
    #expect(child.resolve((any Router).self) === router)
    #expect(parent.resolve(Tracked.self) === parents)
    #expect(child.resolve(Tracked.self) !== parents)
  }

  @Test("A container that goes releases its instances and registrations, and its parent")
  func deinitialised() {
    let counter = LifetimeCounter()
    var container: DIContainer? = DIContainer()
    weak let weakly = container
    let token = counter.token()
    container?.register {
      Shared(Tracked(counter))
      Shared({ [token] in "\(token.isIntact)" })
    }
    _ = container?.resolve(Tracked.self)
    _ = container?.resolve(String.self)
    var below: DIContainer? = container.map { DIContainer(parent: $0) }
    _ = below?.resolve(Tracked.self)
    container = nil
    #expect(weakly != nil, "the child keeps it")
    #expect(counter.alive == 2)
    below = nil
    #expect(weakly == nil)
    #expect(counter.alive == 1)
  }

  @Test("A container whose instances inject lazily goes as well", arguments: [false, true])
  func deinitialisedWithLazyInjection(isAccessed: Bool) {
    final class Lazy {
      let token: LifetimeToken
      @LazyInject var text: String
      init(_ counter: LifetimeCounter) { token = counter.token() }
    }
    let counter = LifetimeCounter()
    do {
      let container = DIContainer()
      container.register {
        Shared(Lazy(counter))
        Shared("text")
      }
      let lazy = container.resolve(Lazy.self)
      if isAccessed { #expect(lazy.text == "text") }
    }
    #expect(counter.alive == 0)
  }

  @Test("A lazy property resolves from the container that its owner was built for, whichever is current later")
  func lazy() {
    final class Lazy {
      @LazyInject var config: any AppConfiguration
    }
    parent.register {
      Shared(Lazy())
      New(Lazy(), named: "new")
    }
    override(child)
    let shared = DIContainer.withCurrent(child) { DIContainer.resolve(Lazy.self) }
    #expect(DIContainer.withCurrent(child) { shared.config.name } == "production")
    #expect(parent.resolve(Lazy.self) === shared)
    let new = DIContainer.withCurrent(parent) { child.resolve(Lazy.self, named: "new") }
    #expect(DIContainer.withCurrent(parent) { new.config.name } == "test")
  }

  @Test("An instance that was created through a child goes when the parent replaces its registration")
  func replacedByParent() {
    let counter = LifetimeCounter()
    parent.register(Shared(Tracked(counter)))
    _ = (child.resolve(Tracked.self), child.resolve(Tracked.self))
    #expect(counter.alive == 1)
    let other = LifetimeCounter()
    parent.register(Shared(Tracked(other)))
    #expect(counter.alive == 0)
    _ = child.resolve(Tracked.self)
    #expect(other.alive == 1 && counter.created == 1)
  }

  @Test("An instance that was created through a child stays the parent's when the child registers the type itself")
  func replacedByChild() {
    let counter = LifetimeCounter()
    parent.register(Shared(Tracked(counter)))
    let tracked = child.resolve(Tracked.self)
    child.register(Shared(Tracked(LifetimeCounter())))
    #expect(child.resolve(Tracked.self) !== tracked)
    #expect(parent.resolve(Tracked.self) === tracked && counter.created == 1)
    child.unregister(Tracked.self)
    #expect(child.resolve(Tracked.self) === tracked)
  }

  @Test("Arguments reach the parent's factories through a child")
  func arguments() {
    parent.register(
      New { (resolve: Resolver, id: String) in
        ConcreteViewModel(id: id + resolve((any AppConfiguration).self).name) as any ViewModel
      })
    override(child)
    #expect(grandchild.resolve((any ViewModel).self) { "a " }.id == "a test")
  }

  @Test("16 threads that race through children and the parent create one instance, or one for each container")
  func race() {
    for _ in 0..<100 {
      let parent = DIContainer()
      let calls = CallCounter()
      parent.register {
        Shared("production")
        Shared { resolve in
          calls.call()
          return AppConfigurationImpl(resolve())
        }
        Scoped(in: .container, { resolve in AppConfigurationImpl(resolve()) }, named: "own")
      }
      let containers = [parent, DIContainer(parent: parent), DIContainer(parent: parent), DIContainer(parent: parent)]
      containers[1].register(Shared("first"))
      containers[2].register(Shared("second"))
      let seen = onThreads(16) { index in
        let container = containers[index % 4]
        let kept = container.resolve(AppConfigurationImpl.self)
        return Transfer((kept, container.resolve(AppConfigurationImpl.self, named: "own")))
      }
      let kept = parent.resolve(AppConfigurationImpl.self)
      #expect(seen.allSatisfy { $0.value.0 === kept } && kept.name == "production" && calls.count == 1)
      for (index, name) in ["production", "first", "second", "production"].enumerated() {
        let own = containers[index].resolve(AppConfigurationImpl.self, named: "own")
        #expect(own.name == name)
        #expect(stride(from: index, to: 16, by: 4).allSatisfy { seen[$0].value.1 === own })
      }
      #expect(Set(seen.map { ObjectIdentifier($0.value.1) }).count == 4)
    }
  }
}
