internal import DependencyInjection
internal import Testing

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

  @Test("An unaffected Shared is the parent's instance, whoever resolves it first", arguments: [false, true])
  func unaffected(childFirst: Bool) {
    child.register(Shared("unrelated"))
    let first = childFirst ? grandchild.resolve((any Router).self) : parent.resolve((any Router).self)
    #expect(parent.resolve((any Router).self) === first)
    #expect(child.resolve((any Router).self) === first)
    #expect(grandchild.resolve((any Router).self) === first)
    #expect(DIContainer(parent: parent).resolve((any Router).self) === first)
  }

  @Test(
    "A child's override is seen all the way down, whether the parent's instance exists or not",
    arguments: [false, true])
  func allTheWayDown(parentFirst: Bool) {
    if parentFirst { _ = parent.resolve((any Router).self) }
    override(child)
    #expect(child.resolve((any Router).self).config?.name == "test")
    #expect(child.resolve((any ViewModel).self).id == "test")
    #expect(grandchild.resolve((any Router).self) === child.resolve((any Router).self), "the instance is the child's")
    #expect(parent.resolve((any Router).self).config?.name == "production", "and never leaks into the parent")
    #expect(parent.resolve((any ViewModel).self).id == "production")
    #expect(child.resolve((any Router).self) === child.resolve((any Router).self))
    #expect(DIContainer(parent: parent).resolve((any Router).self) === parent.resolve((any Router).self))
  }

  @Test("It reaches through a chain of Shared, New, optionals and aliases", arguments: [false, true])
  func chain(parentFirst: Bool) {
    struct Top { let middle: Middle }
    final class Middle {
      let bottom: Bottom
      init(bottom: Bottom) { self.bottom = bottom }
    }
    struct Bottom { let config: (any AppConfiguration)? }
    parent.register {
      Shared { resolve in Top(middle: resolve()) }
      Shared({ resolve in Middle(bottom: resolve()) }, as: Middle.self)
      New { resolve in Bottom(config: resolve()) }
    }
    if parentFirst { _ = parent.resolve(Top.self) }
    override(child)
    #expect(child.resolve(Top.self).middle.bottom.config?.name == "test")
    #expect(child.resolve(Top.self).middle === child.resolve(Middle.self))
    #expect(parent.resolve(Top.self).middle.bottom.config?.name == "production")
    #expect(parent.resolve(Top.self).middle === parent.resolve(Middle.self))
  }

  @Test("An optional that the parent has not and the child has counts as an override", arguments: [false, true])
  func optional(parentFirst: Bool) {
    struct Screenplay { let player: (any MediaPlayer)? }
    parent.register(Shared { resolve in Screenplay(player: resolve()) })
    if parentFirst { #expect(parent.resolve(Screenplay.self).player == nil) }
    child.register(Shared(PlayerObject() as any MediaPlayer))
    #expect(child.resolve(Screenplay.self).player is PlayerObject)
    #expect(parent.resolve(Screenplay.self).player == nil)
  }

  @Test("It is seen through @Inject in the initialisers of what the parent registered", arguments: [false, true])
  func injected(parentFirst: Bool) {
    final class Injecting {
      @Inject var config: any AppConfiguration
      @Inject var model: any ViewModel
    }
    parent.register(Shared(Injecting()))
    if parentFirst { _ = parent.resolve(Injecting.self) }
    override(child)
    let ofChild = child.resolve(Injecting.self)
    #expect(ofChild.config.name == "test")
    #expect(ofChild.model.id == "test")
    #expect(parent.resolve(Injecting.self).config.name == "production")
    DIContainer.withCurrent(parent) {
      DIContainer.withOverrides {
        Shared(AppConfigurationImpl("override") as any AppConfiguration)
      } perform: {
        #expect(DIContainer.resolve(Injecting.self).config.name == "override")
      }
      #expect(DIContainer.resolve(Injecting.self).config.name == "production")
    }
  }

  @Test("Each level keeps its own instance of what it overrides")
  func levels() {
    override(child, "child")
    override(grandchild, "grandchild")
    #expect(grandchild.resolve((any Router).self).config?.name == "grandchild")
    #expect(child.resolve((any Router).self).config?.name == "child")
    #expect(parent.resolve((any Router).self).config?.name == "production")
    #expect(grandchild.resolve((any Router).self).config?.name == "grandchild")
  }

  @Test("An instance of the middle level is used by the level below", arguments: [false, true])
  func middle(grandchildFirst: Bool) {
    override(child)
    grandchild.register(Shared("unrelated"))
    let first = grandchildFirst ? grandchild.resolve((any Router).self) : child.resolve((any Router).self)
    #expect(child.resolve((any Router).self) === first)
    #expect(grandchild.resolve((any Router).self) === first)
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
    let router = child.resolve((any Router).self)
    child.reset()
    #expect(child.resolve((any Router).self) === router)
    override(child)
    let own = child.resolve((any Router).self)
    child.reset()
    #expect(child.resolve((any Router).self) !== own)
    #expect(parent.resolve((any Router).self) === router)
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

  @Test("A lazy property in the parent's instance never resolves from the child that happened to create it")
  func lazyLeak() {
    final class Lazy {
      @LazyInject var config: any AppConfiguration
    }
    parent.register(Shared(Lazy()))
    DIContainer.withCurrent(parent) {
      DIContainer.withOverrides {
        Shared(AppConfigurationImpl("test") as any AppConfiguration)
      } perform: {
        _ = DIContainer.resolve(Lazy.self)
      }
    }
    #expect(parent.resolve(Lazy.self).config.name == "production")
  }

  @Test("An instance that a child keeps goes when the parent replaces its registration")
  func replacedByParent() {
    let counter = LifetimeCounter()
    parent.register(
      Shared { resolve in
        _ = resolve((any AppConfiguration).self)
        return Tracked(counter)
      })
    override(child)
    _ = child.resolve(Tracked.self)
    let other = LifetimeCounter()
    parent.register(Shared(Tracked(other)))
    _ = child.resolve(Tracked.self)
    #expect(other.alive == 1)
    #expect(counter.alive == 0)
  }

  @Test("An instance that a child keeps goes when the child registers the type itself")
  func replacedByChild() {
    let counter = LifetimeCounter()
    parent.register(
      Shared { resolve in
        _ = resolve((any AppConfiguration).self)
        return Tracked(counter)
      })
    override(child)
    _ = child.resolve(Tracked.self)
    child.register(Shared(Tracked(LifetimeCounter())))
    #expect(counter.alive == 0)
  }

  @Test("What was built with an override goes when the override does")
  func overrideIsGone() {
    override(child)
    #expect(child.resolve((any Router).self).config?.name == "test")
    child.unregister((any AppConfiguration).self)
    #expect(child.resolve((any Router).self) === parent.resolve((any Router).self))
  }

  @Test("An instance that a child creates never takes the place of the parent's")
  func replacingTheParents() {
    let calls = CallCounter()
    let parent = parent
    parent.register(
      Shared(
        { resolve in
          // Only the first creation asks for what the child overrides.
          if calls.call() == 1 { _ = resolve((any AppConfiguration).self) }
          return RouterImpl()
        }, as: (any Router).self, (any DeeplinkHandler).self))
    let router = parent.resolve((any Router).self)
    override(child)
    _ = child.resolve((any Router).self)
    #expect(parent.resolve((any Router).self) === router)
    #expect(parent.resolve((any DeeplinkHandler).self) === router)
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

  @Test("16 threads that race through two children and the parent create one instance for each of the three")
  func race() {
    for _ in 0..<100 {
      let parent = DIContainer()
      let calls = CallCounter()
      parent.register {
        Shared("production")
        Shared { resolve in
          calls.call()
          spend(milliseconds: 0.05)
          return AppConfigurationImpl(resolve())
        }
      }
      let containers = [parent, DIContainer(parent: parent), DIContainer(parent: parent), DIContainer(parent: parent)]
      containers[1].register(Shared("first"))
      containers[2].register(Shared("second"))
      let seen = onThreads(16) { index in
        let config = containers[index % 4].resolve(AppConfigurationImpl.self)
        return (config.name, ObjectIdentifier(config))
      }
      for (index, name) in ["production", "first", "second", "production"].enumerated() {
        #expect(seen[index].0 == name)
        #expect(stride(from: index, to: 16, by: 4).allSatisfy { seen[$0].1 == seen[index].1 })
      }
      #expect(seen[0].1 == seen[3].1)
    }
  }
}
