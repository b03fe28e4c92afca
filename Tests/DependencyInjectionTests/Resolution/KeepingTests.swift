import DITesting
import DependencyInjection
import Testing

/// Tests of which container keeps an instance, and what makes the container release it.
struct KeepingTests {
  final class Part {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  final class Whole {
    let part: Part
    init(_ part: Part) { self.part = part }
  }

  /// Resolves parts for as long as it lives.
  final class Workshop {
    let make: () -> Part
    init(_ make: @escaping () -> Part) { self.make = make }
  }

  let parent = DIContainer()
  let child: DIContainer

  init() {
    parent.register {
      New(Part(1))
      Shared { resolve in Whole(resolve()) }
    }
    child = DIContainer(parent: parent)
  }

  @Test("A resolver or a lazy property does not keep its container alive, and gets answers after its end")
  func afterEnd() {
    let counter = LifetimeCounter()
    parent.register {
      Shared { resolve in Workshop { resolve() } }
      Shared(Tracked(counter))
    }
    let workshop = DIContainer.withCurrent(parent) {
      DIContainer.withOverrides {
        New(Part(99))
      } perform: {
        _ = DIContainer.resolve(Tracked.self)
        return DIContainer.resolve(Workshop.self)
      }
    }
    #expect(counter.created == 1 && counter.alive == 0)
    #expect([workshop.make().number, parent.resolve(Workshop.self).make().number] == [99, 1])
    do {
      final class Model {
        @LazyInject var part: Part
      }
      let counter = LifetimeCounter()
      weak var container: DIContainer?
      let model: Model
      do {
        let own = DIContainer(parent: parent)
        container = own
        own.register {
          New(Part(5))
          Shared(Tracked(counter))
        }
        _ = own.resolve(Tracked.self)
        model = DIContainer.withCurrent(own) { Model() }
        #expect(counter.alive == 1)
      }
      #expect(container == nil && counter.alive == 0 && model.part.number == 5)
    }
  }

  @Test("What a lazy property creates where its container is current does not keep the container alive")
  func currentOfLazy() {
    final class Part {
      let container = DIContainer.current
    }
    final class Owner {
      @LazyInject var part: Part
    }
    let counter = LifetimeCounter()
    do {
      let container = DIContainer()
      container.register {
        New(Part())
        Shared(Owner())
        Shared(Tracked(counter))
      }
      let owner = container.resolve(Owner.self)
      _ = container.resolve(Tracked.self)
      DIContainer.withCurrent(container) { #expect(owner.part.container == container) }
    }
    #expect(counter.created == 1 && counter.alive == 0)
  }

  @Test("A child keeps what it registers itself, and what is built for it sees the containers between")
  func middle() {
    parent.register {
      New("parent")
      Scoped(in: .container) { resolve in (resolve(Part.self).number, resolve(String.self)) }
    }
    let grandchild = DIContainer(parent: child)
    grandchild.register(New(Part(99)))
    #expect(grandchild.resolve((Int, String).self) == (99, "parent"))
    child.register(New("child"))
    #expect(grandchild.resolve((Int, String).self) == (99, "parent"), "a change ends at its own container")
    #expect(child.resolve((Int, String).self) == (1, "child"))
    grandchild.reset(.container)
    #expect(
      grandchild.resolve((Int, String).self) == (99, "child") && parent.resolve((Int, String).self) == (1, "parent"))
    // A child that registers what its parent has, too, has an instance of its own, which sees what it registers.
    do {
      let registration = Shared { resolve in Whole(resolve()) }
      parent.register(registration)
      child.register(New(Part(99)))
      let whole = child.resolve(Whole.self)
      #expect(whole.part.number == 1)
      child.register(registration)
      let own = child.resolve(Whole.self)
      #expect(own.part.number == 99 && child.resolve(Whole.self) === own && parent.resolve(Whole.self) === whole)
      child.register(registration)
      #expect(child.resolve(Whole.self) === own)
    }
  }

  @Test("What changes while an instance is created does not matter to it, unless its container is reset")
  func changeWhileCreating() {
    let parent = parent
    let calls = CallCounter()
    parent.register {
      New("unchanged")
      Shared { resolve in
        let text = resolve(String.self)
        calls.call()
        parent.register(New("changed"))
        return Workshop { Part(text == "unchanged" ? 1 : 2) }
      }
    }
    let workshop = child.resolve(Workshop.self)
    #expect(workshop.make().number == 1 && parent.resolve(Workshop.self) === workshop && calls.count == 1)
    // It holds the parent, which holds it.
    parent.unregister(Workshop.self)
    // An instance of a child that is being created when the child is reset is not kept.
    do {
      let calls = CallCounter()
      parent.register(
        Scoped(
          in: .container,
          { resolve in
            if calls.call() == 1 { DIContainer.current.reset() }
            return Whole(resolve())
          }, named: "own"))
      let first = child.resolve(Whole.self, named: "own")
      let second = child.resolve(Whole.self, named: "own")
      #expect(first !== second && child.resolve(Whole.self, named: "own") === second && calls.count == 2)
    }
  }

  @Test("Overriding one alias, here or in a child, leaves the instance behind the others", arguments: [false, true])
  func oneAlias(inChild: Bool) {
    parent.register(Shared(RouterImpl(), as: (any Router).self, (any DeeplinkHandler).self))
    let router = child.resolve((any Router).self)
    (inChild ? child : parent).register(Shared(MockRouter() as any DeeplinkHandler))
    #expect(
      child.resolve((any DeeplinkHandler).self) is MockRouter
        && (parent.resolve((any DeeplinkHandler).self) is MockRouter) == !inChild)
    for container in [parent, child] {
      #expect(container.resolve((any Router).self) === router && container.resolve(RouterImpl.self) === router)
    }
  }

  // If the cost were quadratic, this would take hours, and the watchdog would end it.
  @Test("A container with children replaces 200,000 registrations", .timeLimit(.minutes(20)))
  func manyReplacements() {
    var list = RegistrationList()
    for _ in 0..<200_000 { list.add(New(Part(1))) }
    parent.register(list)
    #expect(child.resolve(Part.self).number == 1)
  }
}
