internal import DITesting
internal import DependencyInjection
internal import Testing

extension DIContainer {
  fileprivate static let tracked = Dependency<LifetimeToken>(.shared) { counter.token() }
  private static let counter = LifetimeCounter()
}

struct ResetTests {
  let container = DIContainer()
  let counter = LifetimeCounter()

  @Test("A reset releases the instance of one type at once, under all of its aliases, and removeAll everything")
  func one() {
    for isStatic in [true, false] {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      container.register {
        Shared(Tracked(counter), as: Tracked.self, (any Sendable).self)
        Shared(DiskCache() as any Cache)
        Shared(Tracked(counter), named: "other")
      }
      let cache = container.resolve((any Cache).self)
      let first = ObjectIdentifier(container.resolve(Tracked.self))
      #expect(ObjectIdentifier(container.resolve((any Sendable).self) as AnyObject) == first)
      _ = container.resolve(Tracked.self, named: "other")
      #expect(counter.created == 2 && counter.alive == 2)
      if isStatic {
        DIContainer.withCurrent(container) { DIContainer.reset((any Sendable).self) }
      } else {
        container.reset((any Sendable).self)
      }
      #expect(
        counter.alive == 1 && container.resolve(Tracked.self) === container.resolve((any Sendable).self) as AnyObject)
      #expect(counter.created == 3 && counter.alive == 2)
      container.reset(Tracked.self, named: "other")
      #expect(counter.alive == 1 && container.resolve((any Cache).self) === cache && container.registrations.count == 3)
      container.reset((any Router).self)
    }
    // What an overridden alias leaves keeps its instance.
    do {
      let container = DIContainer()
      container.register {
        Shared(RouterImpl(), as: (any Router).self, (any DeeplinkHandler).self)
        Shared(MockRouter() as any Router)
      }
      let handler = container.resolve((any DeeplinkHandler).self)
      let router = container.resolve((any Router).self)
      container.reset((any Router).self)
      #expect(
        container.resolve((any DeeplinkHandler).self) === handler && container.resolve((any Router).self) !== router)
    }
    // Everything can be removed, and registered anew.
    do {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      container.register(Shared(Tracked(counter)))
      let child = DIContainer(parent: container)
      _ = child.resolve(Tracked.self)
      #expect(counter.alive == 1)
      DIContainer.withCurrent(container) { DIContainer.removeAll() }
      #expect(
        counter.alive == 0 && container.registrations.isEmpty
          && failure { try child.tryResolve(Tracked.self) }?.code == .missingRegistration)
      #expect(failure { try container.tryResolve(Tracked.self) }?.code == .missingRegistration)
      _ = DIContainer.tracked(from: container)
      container.register(Shared(Tracked(counter)))
      _ = child.resolve(Tracked.self)
      #expect(counter.alive == 1)
      DIContainer.withCurrent(container) { DIContainer.reset() }
      #expect(counter.alive == 0)
      DIContainer.withCurrent(container) { DIContainer.unregister(Tracked.self) }
      #expect(container.registrations.count == 1, "that of the declared dependency")
    }
  }

  @Test("A reset releases what the container itself keeps, neither its parent's instance nor its children's")
  func hierarchy() {
    let counter = counter
    let child = DIContainer(parent: container)
    let grandchild = DIContainer(parent: child)
    for container in [container, grandchild] {
      container.register {
        Shared { resolve in
          _ = resolve((any AppConfiguration).self)
          return Tracked(counter)
        }
        Shared(AppConfigurationImpl() as any AppConfiguration)
      }
    }
    let ofParent = ObjectIdentifier(container.resolve(Tracked.self))
    let ofGrandchild = ObjectIdentifier(grandchild.resolve(Tracked.self))
    #expect(ObjectIdentifier(child.resolve(Tracked.self)) == ofParent && counter.alive == 2)
    child.reset(Tracked.self)
    child.reset()
    #expect(counter.alive == 2 && ObjectIdentifier(child.resolve(Tracked.self)) == ofParent)
    container.reset(Tracked.self)
    #expect(counter.alive == 1 && ObjectIdentifier(grandchild.resolve(Tracked.self)) == ofGrandchild)
    _ = container.resolve(Tracked.self)
    container.reset()
    #expect(counter.alive == 1 && ObjectIdentifier(grandchild.resolve(Tracked.self)) == ofGrandchild)
    grandchild.reset(Tracked.self)
    #expect(counter.alive == 0 && counter.created == 3)
    // Nor what the parent registers for the type, if the child has a registration of its own.
    do {
      let child = DIContainer(parent: container)
      container.register(Scoped(in: .container, { RouterImpl() }, as: (any Router).self))
      child.register(Shared(MockRouter() as any Router))
      let router = child.resolve(RouterImpl.self)
      child.reset((any Router).self)
      #expect(child.resolve(RouterImpl.self) === router)
    }
  }

  @Test("An instance that is being created during a reset goes to its requester, and is kept only by a parent")
  func inFlight() {
    for isChild in [true, false] {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      container.register(Shared(AppConfigurationImpl() as any AppConfiguration))
      let target = isChild ? DIContainer(parent: container) : container
      let isFirst = CallCounter()
      target.register(
        Shared { resolve in
          _ = resolve((any AppConfiguration).self)
          if isFirst.call() == 1 { DIContainer.current.reset(Tracked.self) }
          return Tracked(counter)
        })
      let first = target.resolve(Tracked.self)
      #expect(
        target.resolve(Tracked.self) !== first && target.resolve(Tracked.self) === target.resolve(Tracked.self)
          && counter.created == 2)
    }
    // An instance that is being created is kept, although a child that asks is reset meanwhile.
    do {
      let (container, counter) = (DIContainer(), LifetimeCounter())
      let child = DIContainer(parent: container)
      container.register(
        Shared { [weak child] in
          child?.reset(Tracked.self)
          child?.reset()
          return Tracked(counter)
        })
      let tracked = child.resolve(Tracked.self)
      #expect(
        child.resolve(Tracked.self) === tracked && container.resolve(Tracked.self) === tracked && counter.created == 1)
    }
  }

  @Test("A declared dependency, or its override, is released", .isolatedContainer(.empty))
  func declared() {
    weak let first = DIContainer.tracked()
    #expect(first != nil && first === DIContainer.tracked())
    DIContainer.tracked.reset()
    #expect(first == nil)
    let counter = counter
    DIContainer.tracked.register { counter.token() }
    _ = DIContainer.tracked()
    #expect(counter.alive == 1)
    DIContainer.tracked.reset()
    #expect(counter.alive == 0)
    _ = DIContainer.tracked()
    #expect(counter.created == 2)
  }
}
