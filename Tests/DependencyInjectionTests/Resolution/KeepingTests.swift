import DependencyInjection
import Testing

/// Which container keeps an instance, and what makes it let go.
@Suite("Where an instance is kept")
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

  @Test("A resolver that the parent's instance keeps does not go on resolving from the child that created it")
  func keptResolver() {
    parent.register(Shared { resolve in Workshop { resolve() } })
    weak var scope: DIContainer?
    DIContainer.withCurrent(parent) {
      DIContainer.withOverrides {
        New(Part(99))
      } perform: {
        scope = DIContainer.current
        _ = DIContainer.resolve(Workshop.self)
      }
    }
    #expect(parent.resolve(Workshop.self).make().number == 1)
    #expect(scope == nil)
  }

  @Test("A kept resolver does not keep its container alive")
  func keptResolverOfContainer() {
    weak var container: DIContainer?
    do {
      let own = DIContainer()
      own.register {
        New(Part(1))
        Shared { resolve in Workshop { resolve() } }
      }
      #expect(own.resolve(Workshop.self).make().number == 1)
      container = own
    }
    #expect(container == nil)
  }

  @Test("What a factory resolves from an unrelated container does not make the instance the child's")
  func unrelated() {
    let unrelated = DIContainer(parent: DIContainer(parent: DIContainer()))
    unrelated.register(New(Part(7)))
    parent.register(Shared { _ in Whole(unrelated.resolve()) })
    child.register(New(Part(99)))
    let whole = child.resolve(Whole.self)
    #expect(whole.part.number == 7)
    #expect(DIContainer(parent: parent).resolve(Whole.self) === whole)
    #expect(parent.resolve(Whole.self) === whole)
  }

  @Test("A registration between a child and the parent reaches what the child keeps")
  func middle() {
    parent.register {
      New("parent")
      Shared { resolve in (resolve(Part.self).number, resolve(String.self)) }
    }
    let grandchild = DIContainer(parent: child)
    grandchild.register(New(Part(99)))
    #expect(grandchild.resolve((Int, String).self) == (99, "parent"))
    child.register(New("child"))
    #expect(grandchild.resolve((Int, String).self) == (99, "child"))
  }

  @Test("What the child has itself hides the parent's changes")
  func hidden() {
    child.register(New(Part(99)))
    let whole = child.resolve(Whole.self)
    parent.register(New(Part(2)))
    #expect(child.resolve(Whole.self) === whole)
    #expect(parent.resolve(Whole.self).part.number == 2)
  }

  @Test("A child keeps what it creates, although its parent has an instance, which it cannot use")
  func another() {
    let calls = CallCounter()
    parent.register(Shared { resolve in Whole(calls.call() == 1 ? resolve() : Part(7)) })
    let whole = parent.resolve(Whole.self)
    child.register(New(Part(99)))
    let other = child.resolve(Whole.self)
    #expect(other.part.number == 7)
    #expect(child.resolve(Whole.self) === other)
    #expect(parent.resolve(Whole.self) === whole)
    #expect(calls.count == 2)
  }

  @Test("A reset of the parent, and a snapshot it goes back to, reach what a child keeps", arguments: [true, false])
  func resetting(isReset: Bool) {
    let snapshot = parent.registry()
    child.register(New(Part(99)))
    weak let whole = child.resolve(Whole.self)
    #expect(whole != nil)
    if isReset { parent.reset() } else { parent.setRegistry(snapshot) }
    #expect(whole == nil)
    #expect(child.resolve(Whole.self).part.number == 99)
  }

  @Test("An instance that is being created when the child is reset is not kept")
  func resetWhileCreating() {
    let child = child
    child.register(New(Part(99)))
    let calls = CallCounter()
    parent.register(
      Shared { resolve in
        let whole = Whole(resolve())
        if calls.call() == 1 { child.reset() }
        return whole
      })
    #expect(child.resolve(Whole.self) !== child.resolve(Whole.self))
    #expect(calls.count == 2)
  }

  @Test(
    "A change while an instance is created for a child matters only if the instance depends on it",
    arguments: [false, true])
  func changeWhileCreating(isUsed: Bool) {
    let parent = parent
    child.register(New(Part(99)))
    let calls = CallCounter()
    parent.register {
      New("unchanged")
      Shared { resolve in
        let whole = Whole(resolve())
        if isUsed { _ = resolve(String.self) }
        if calls.call() == 1 { parent.register(New("changed")) }
        return whole
      }
    }
    let isKept = child.resolve(Whole.self) === child.resolve(Whole.self)
    #expect(isKept == !isUsed)
    #expect(calls.count == (isUsed ? 2 : 1))
  }

  @Test("Overriding one alias leaves the instance that a child keeps behind the others", arguments: [false, true])
  func oneAlias(inChild: Bool) {
    parent.register {
      New("parent's")
      Shared({ resolve in (resolve(String.self), RouterImpl()).1 }, as: (any Router).self, (any DeeplinkHandler).self)
    }
    child.register(New("child's"))
    weak let router = child.resolve((any Router).self)
    #expect(router !== parent.resolve((any Router).self))
    (inChild ? child : parent).register(Shared(MockRouter() as any DeeplinkHandler))
    #expect(child.resolve((any DeeplinkHandler).self) is MockRouter)
    #expect(router != nil)
    #expect(child.resolve((any Router).self) === router)
    child.register(New(MockRouter() as any Router))
    #expect(router != nil, "it is found under its own type")
    child.register(New(RouterImpl()))
    #expect(router == nil, "nothing leads to it any more")
  }

  @Test("A child that registers what it has from its parent starts anew")
  func sameRegistrationInChild() {
    let registration = Shared { resolve in Whole(resolve()) }
    parent.register(registration)
    child.register(New(Part(99)))
    weak let kept = child.resolve(Whole.self)
    #expect(kept != nil)
    child.register(registration)
    #expect(kept == nil)
    #expect(child.resolve(Whole.self) === child.resolve(Whole.self))
    #expect(child.resolve(Whole.self) !== parent.resolve(Whole.self))
  }

  @Test("A lazy property lets its container go once it is resolved")
  func lazyProperty() {
    final class Model {
      @LazyInject var part: Part
    }
    weak var container: DIContainer?
    let model = DIContainer.withCurrent(DIContainer(parent: parent)) {
      container = DIContainer.current
      return Model()
    }
    #expect(container != nil)
    #expect(model.part.number == 1)
    #expect(container == nil)
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
