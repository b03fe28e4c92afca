internal import DependencyInjection
internal import Testing

extension DIContainer {
  fileprivate static let basket = Dependency<Tracked>(.scoped(in: .container)) { Tracked(LifetimeCounter()) }
}

// `Scoped(in: .container)`: one instance for each container that asks.
extension OwnershipTests {
  @Test("A container that decorates one of two aliases resets both with either")
  func aliases() {
    final class Wrapper {
      let inner: AnyObject
      init(_ inner: AnyObject) { self.inner = inner }
    }
    parent.register(Scoped(in: .container, Tracked(LifetimeCounter()), as: AnyObject.self, Tracked.self))
    child.register(Decorated(AnyObject.self) { inner, _ in Wrapper(inner) })
    for _ in 1...2 {
      let wrapper = child.resolve(AnyObject.self) as? Wrapper
      #expect(wrapper?.inner === child.resolve(Tracked.self))
      child.reset(Tracked.self)
    }
    // So does a container below it.
    let grandchild = DIContainer(parent: child)
    for _ in 1...2 {
      let wrapper = grandchild.resolve(AnyObject.self) as? Wrapper
      #expect(wrapper?.inner === grandchild.resolve(Tracked.self))
      grandchild.reset(Tracked.self)
    }
    // So does one that has wrapped nothing yet.
    let latest = DIContainer(parent: parent)
    let former = latest.resolve(Tracked.self)
    latest.register(Decorated(AnyObject.self) { inner, _ in Wrapper(inner) })
    latest.reset(AnyObject.self)
    #expect(latest.resolve(Tracked.self) !== former)
    // What the parent keeps is not reset, and neither is what wraps it.
    parent.register(Shared(Tracked(LifetimeCounter()), as: AnyObject.self, Tracked.self))
    let wrapper = child.resolve(AnyObject.self)
    child.reset(Tracked.self)
    #expect(child.resolve(AnyObject.self) === wrapper)
  }

  @Test("A reset of one alias leaves what wraps the instance of the parent under another, whatever was resolved before")
  func wrappersOfAliases() {
    parent.register(Shared(Tracked(LifetimeCounter()), as: AnyObject.self))
    for order in [[false], [false, true], [true, false]] {
      let child = DIContainer(parent: parent)
      child.register {
        Decorated(AnyObject.self) { inner, _ in inner }
        Decorated(Tracked.self) { _, _ in Tracked(LifetimeCounter()) }
      }
      for isAlias in order { _ = isAlias ? child.resolve(AnyObject.self) : child.resolve(Tracked.self) }
      let wrapper = child.resolve(Tracked.self)
      child.reset(AnyObject.self)
      #expect(child.resolve(Tracked.self) === wrapper)
      child.reset(Tracked.self)
      #expect(child.resolve(Tracked.self) !== wrapper)
    }
  }

  @Test("A child that decorates again what it keeps wraps that, whatever its parent has done since")
  func decoratedAgain() {
    final class Wrapper {
      let inner: AnyObject
      init(_ inner: AnyObject) { self.inner = inner }
    }
    let changes: [(DIContainer) -> Void] = [
      { $0.unregister(AnyObject.self) }, { $0.register(Shared(Tracked(LifetimeCounter()) as AnyObject)) },
      { $0.reset() }, { $0.decorate(AnyObject.self) { inner, _ in Wrapper(inner) } }, { $0.removeAll() },
    ]
    for change in changes {
      parent.register(Shared(Tracked(LifetimeCounter()) as AnyObject))
      let child = DIContainer(parent: parent)
      child.decorate(AnyObject.self) { inner, _ in Wrapper(inner) }
      let former = child.resolve(AnyObject.self)
      change(parent)
      #expect(child.resolve(AnyObject.self) === former)
      child.decorate(AnyObject.self) { inner, _ in Wrapper(inner) }
      #expect(child.registrations.last.map { $0.decorators.count > 1 } == true)
      #expect(child.resolveAll(AnyObject.self).count == 1)
      #expect((child.resolve(AnyObject?.self) as? Wrapper)?.inner === former)
    }
  }

  @Test("What a child has decorated for each container is created again once the parent has changed it")
  func decoratedPerContainer() async throws {
    let changes: [(expected: String?, change: (DIContainer) -> Void)] = [
      ("wrapped new", { $0.register(Scoped(in: .container, "new")) }), ("wrapped new", { $0.register(Shared("new")) }),
      ("wrapped outer old", { $0.decorate(String.self) { inner, _ in "outer " + inner } }),
      (nil, { $0.unregister(String.self) }), (nil, { $0.removeAll() }),
    ]
    for (expected, change) in changes {
      let parent = DIContainer()
      let child = DIContainer(parent: parent)
      parent.register(Scoped(in: .container, "old"))
      child.decorate(String.self) { inner, _ in "wrapped " + inner }
      // Both the child and a container below it have a wrapper of their own.
      let containers = [child, DIContainer(parent: child)]
      for container in containers { #expect(container.resolve(String.self) == "wrapped old") }
      change(parent)
      for container in containers.reversed() + [DIContainer(parent: child)] {
        #expect(container.resolve(String?.self) == expected)
        #expect(try await container.resolveAsync(String?.self) == expected)
        #expect(container.resolveAll(String.self) == [expected].compactMap(\.self))
      }
    }
  }

  @Test("A child resets a declared dependency of which the parent has lost the declaration")
  func lostDeclaration() {
    let unused = parent.registry.snapshot()
    for isRestored in [false, true] {
      let basket = DIContainer.basket(from: child)
      if isRestored { parent.restore(unused) } else { parent.removeAll() }
      DIContainer.withCurrent(child) { DIContainer.basket.reset() }
      #expect(DIContainer.basket(from: child) !== basket)
    }
  }

  @Test("Each container that asks has one Scoped(in: .container), made for it, which it keeps until it is replaced")
  func perContainer() {
    final class Room: Sendable {
      let container: DIContainer
      let origin: Origin
      init(_ origin: Origin) { (container, self.origin) = (.current, origin) }
    }
    parent.register {
      Scoped(in: .container, { resolve in Room(resolve()) }, as: AnyObject.self)
      New { resolve in [resolve(Room.self), resolve(Room.self)] }
      Shared({ resolve in [resolve(Room.self)] }, named: "kept")
    }
    let containers = [DIContainer(parent: child), child, DIContainer(parent: parent), parent]
    let rooms = containers.map { $0.resolve(Room.self) }
    #expect(
      rooms.map(\.origin.name) == ["child", "child", "parent", "parent"]
        && Set(rooms.map { ObjectIdentifier($0) }).count == 4)
    for (container, room) in zip(containers, rooms) {
      #expect(
        room.container == container && container.resolve(Room.self) === room
          && container.resolve(AnyObject.self) === room)
      #expect(
        DIContainer.withCurrent(container) { DIContainer.resolve(Room.self) } === room
          && onAnotherThread { container.resolve(Room.self) } === room
          && container.resolve([Room].self).allSatisfy { $0 === room })
      #expect(container.resolve([Room].self, named: "kept")[0] === rooms[3], "the parent keeps it, and has its own")
    }
    #expect(parent.registrations.contains { $0.lifetime == .scoped(in: .container) })
    // After the parent has replaced the registration, each container has one of the new.
    do {
      let suite = Self()
      let (parent, child) = (suite.parent, suite.child)
      let (counter, other) = (LifetimeCounter(), LifetimeCounter())
      parent.register(Scoped(in: .container, Tracked(counter)))
      _ = (parent.resolve(Tracked.self), child.resolve(Tracked.self))
      parent.register(Scoped(in: .container, Tracked(other)))
      let tracked = child.resolve(Tracked.self)
      #expect(other.created == 1 && child.resolve(Tracked.self) === tracked && parent.resolve(Tracked.self) !== tracked)
      parent.register(Shared(Tracked(other)))
      #expect(child.resolve(Tracked.self) === parent.resolve(Tracked.self))
      child.reset()
      #expect(counter.alive == 0)
    }
  }

  @Test("A Scoped(in: .container) is released by a reset or the end of the container that has asked, and nothing else")
  func perContainerEnds() {
    let counter = LifetimeCounter()
    parent.register(Scoped(in: .container, Tracked(counter)))
    let grandchild = DIContainer(parent: child)
    let all = [parent, child, grandchild]
    var identities: [ObjectIdentifier] { all.map { ObjectIdentifier($0.resolve(Tracked.self)) } }
    let resets: [(DIContainer, (DIContainer) -> Void)] = [
      (child, { $0.reset(.container) }), (child, { $0.reset(Tracked.self) }), (child, { $0.reset() }),
      (parent, { $0.reset(.container) }), (parent, { $0.reset(Tracked.self) }), (parent, { $0.reset() }),
      (grandchild, { container in DIContainer.withCurrent(container) { DIContainer.reset(.container) } }),
    ]
    for (number, (container, reset)) in resets.enumerated() {
      let before = identities
      #expect(counter.alive == 3)
      reset(container)
      #expect(counter.alive == 2, "reset \(number)")
      for (other, identity) in zip(all, before) where other != container {
        #expect(ObjectIdentifier(other.resolve(Tracked.self)) == identity, "reset \(number)")
      }
      #expect(counter.alive == 2 && counter.created == 3 + number)
    }
    _ = identities
    for container in all { container.reset(session) }
    #expect(counter.alive == 3)
    do {
      let request = DIContainer(parent: grandchild)
      _ = request.resolve(Tracked.self)
      #expect(counter.alive == 4)
    }
    #expect(counter.alive == 3)
  }

  @Test("Two containers create theirs at the same time, and threads that ask one of them get one")
  func perContainerThreads() {
    let (both, isAlone, calls) = (Rendezvous(of: 2), Flag(), CallCounter())
    parent.register(
      Scoped(in: .container) { resolve in
        calls.call()
        if !both.meet() { isAlone.set() }
        return Service(resolve())
      })
    let containers = [child, DIContainer(parent: parent)]
    let seen = onThreads(8) { containers[$0 % 2].resolve(Service.self) }
    #expect(calls.count == 2 && !isAlone.isSet)
    for (index, service) in seen.enumerated() { #expect(service === seen[index % 2]) }
    #expect(seen[0].origin.name == "child" && seen[1].origin.name == "parent")
  }

  @Test("A declared dependency, arguments and an asynchronous factory may be Scoped(in: .container), too")
  func perContainerForms() async throws {
    let (parent, child) = (parent, child)
    let ofChild = DIContainer.basket(from: child)
    #expect(DIContainer.basket(from: child) === ofChild && DIContainer.basket(from: parent) !== ofChild)
    parent.register {
      Scoped(in: .container, { _, id in ConcreteViewModel(id: id) }, as: (any ViewModel).self)
      Scoped(in: .container) { resolve async in
        await Task.yield()
        return Service(resolve())
      }
    }
    #expect(
      [
        child.resolve((any ViewModel).self) { "first" }.id, child.resolve((any ViewModel).self) { "second" }.id,
        parent.resolve((any ViewModel).self) { "second" }.id,
      ] == ["first", "first", "second"])
    async let first = child.resolveAsync(Service.self)
    async let second = child.resolveAsync(Service.self)
    async let other = parent.resolveAsync(Service.self)
    async let sibling = DIContainer(parent: parent).resolveAsync(Service.self)
    let services = try await [first, second, other, sibling]
    #expect(
      services[0] === services[1] && services.map(\.origin.name) == ["child", "child", "parent", "parent"]
        && services[2] !== services[3] && child.resolve(Service.self) === services[0])
  }
}
