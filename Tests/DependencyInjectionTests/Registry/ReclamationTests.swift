internal import DependencyInjection
internal import Testing

/// Something that knows whether it is still alive.
protocol Poisoned { var token: LifetimeToken { get } }

/// The same protocol, for classes only.
protocol BoundPoisoned: AnyObject { var token: LifetimeToken { get } }

private final class Object: Poisoned, BoundPoisoned {
  let token: LifetimeToken
  init(_ counter: LifetimeCounter) { token = counter.token() }
}

private final class OtherObject: Poisoned, BoundPoisoned {
  private let padding = (1, 2, 3)
  let token: LifetimeToken
  init(_ counter: LifetimeCounter) { token = counter.token() }
}

private struct Holder: Poisoned {
  let name: String
  let token: LifetimeToken
  init(_ counter: LifetimeCounter) {
    name = "a name that does not fit into a small string"
    token = counter.token()
  }
}

private struct LargeHolder: Poisoned {
  var padding = (1, 2, 3, 4, 5, 6, 7, 8)
  let token: LifetimeToken
  init(_ counter: LifetimeCounter) { token = counter.token() }
}

/// A trivial value of two halves that must match.
private struct Halves {
  let first: Int
  let second: Int
  let third: Int
  init(_ number: Int) {
    first = number
    second = ~number
    third = number &* 3
  }
  var isWhole: Bool { second == ~first && third == first &* 3 }
}

/// A check by which a reader finds out whether what it got is alive.
private struct Subject: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let register: @Sendable (DIContainer, LifetimeCounter, Int) -> Void
  let unregister: @Sendable (DIContainer) -> Void
  let isIntact: @Sendable (DIContainer) -> Bool
  let isIntactIfThere: @Sendable (DIContainer) -> Bool

  init<Value>(
    _ description: String, _ type: Value.Type, _ make: @escaping @Sendable (LifetimeCounter, Int) -> Value,
    isIntact: @escaping @Sendable (Value) -> Bool
  ) {
    testDescription = description
    register = { container, counter, number in container.register(Shared { make(counter, number) }) }
    unregister = { $0.unregister(Value.self) }
    self.isIntact = { isIntact($0.resolve(Value.self)) }
    isIntactIfThere = { $0.resolve(Value?.self).map(isIntact) ?? true }
  }

  static let all: [Subject] = [
    Subject("class-bound protocol", (any BoundPoisoned).self, { counter, _ in Object(counter) }) { $0.token.isIntact },
    Subject("two classes behind a class-bound protocol", (any BoundPoisoned).self, bound) { $0.token.isIntact },
    Subject("protocol, a class", (any Poisoned).self, { counter, _ in Object(counter) }) { $0.token.isIntact },
    Subject("protocol, classes and structs in turn", (any Poisoned).self, mixed) { $0.token.isIntact },
    Subject("concrete class", Object.self, { counter, _ in Object(counter) }) { $0.token.isIntact },
    Subject("struct with references", Holder.self, { counter, _ in Holder(counter) }) { holder in
      holder.token.isIntact && holder.name.utf8.count == 44
    },
    Subject("struct in an existential", (any Poisoned).self, { counter, _ in LargeHolder(counter) }) { value in
      value.token.isIntact
    },
    Subject("Any", Any.self, { counter, number in number % 2 == 0 ? Object(counter) as Any : number as Any }) { value in
      (value as? Object)?.token.isIntact ?? (value is Int)
    },
    Subject("trivial struct", Halves.self, { _, number in Halves(number) }) { $0.isWhole },
  ]

  private static func bound(_ counter: LifetimeCounter, _ number: Int) -> any BoundPoisoned {
    number % 2 == 0 ? Object(counter) : OtherObject(counter)
  }

  private static func mixed(_ counter: LifetimeCounter, _ number: Int) -> any Poisoned {
    switch number % 4 {
    case 0: Object(counter)
    case 1: Holder(counter)
    case 2: OtherObject(counter)
    default: LargeHolder(counter)
    }
  }
}

@Suite(.timeLimit(.minutes(20)))
struct ReclamationTests {
  @Test(
    "Readers race with a writer that overrides the type: nobody sees a dead or torn one, and none is left",
    arguments: Subject.all)
  fileprivate func overriding(subject: Subject) {
    let counter = LifetimeCounter()
    let container = DIContainer()
    subject.register(container, counter, 0)
    let isDone = Flag()
    let broken = onThreads(4) { index in
      var broken = 0
      if index == 0 {
        for round in 1...1_200 {
          subject.register(container, counter, round)
          // Now and then the writer lets the readers fill the table and claim all references.
          if round % 64 == 0 { for _ in 0..<2_000 where !subject.isIntact(container) { broken += 1 } }
        }
        isDone.set()
      } else {
        while !isDone.isSet {
          if !subject.isIntact(container) { broken += 1 }
          if !subject.isIntactIfThere(container) { broken += 1 }
        }
      }
      return broken
    }
    #expect(broken == [0, 0, 0, 0] && counter.alive <= 1)
    subject.unregister(container)
    #expect(counter.alive == 0)
    container.reset()
    #expect(counter.alive == 0)
  }

  @Test("Readers race with a writer that resets, unregisters and registers", arguments: Subject.all)
  fileprivate func removing(subject: Subject) {
    let counter = LifetimeCounter()
    let container = DIContainer()
    let isDone = Flag()
    let broken = onThreads(4) { index in
      var broken = 0
      if index == 0 {
        for round in 0..<2_000 {
          switch round % 3 {
          case 0: subject.register(container, counter, round)
          case 1: container.reset()
          default: subject.unregister(container)
          }
        }
        isDone.set()
      } else {
        while !isDone.isSet { if !subject.isIntactIfThere(container) { broken += 1 } }
      }
      return broken
    }
    #expect(broken == [0, 0, 0, 0])
    subject.unregister(container)
    #expect(counter.alive == 0)
    container.reset()
    #expect(counter.alive == 0)
  }

  @Test(
    "After many resolutions on many threads, an override, a removal and a reset release at once",
    arguments: Subject.all.dropLast())
  fileprivate func promptly(subject: Subject) {
    let counter = LifetimeCounter()
    let container = DIContainer()
    func resolveOften() {
      onThreads(8) { _ in
        for _ in 0..<400 { _ = subject.isIntact(container) && subject.isIntactIfThere(container) }
      }
    }
    subject.register(container, counter, 0)
    resolveOften()
    #expect(counter.alive == 1)
    subject.register(container, counter, 4)
    #expect(counter.alive == 0)
    resolveOften()
    #expect(counter.alive == 1)
    container.reset()
    #expect(counter.alive == 0)
    resolveOften()
    #expect(counter.alive == 1)
    subject.unregister(container)
    #expect([counter.alive, counter.created] == [0, 3])
  }

  @Test("New hands out instances that live as long as they are kept, while its registration is replaced")
  func new() {
    let counter = LifetimeCounter()
    let tokens = LifetimeCounter()
    let container = DIContainer()
    func register() {
      let token = tokens.token()
      container.register(
        New {
          precondition(token.isIntact)
          return Object(counter) as any BoundPoisoned
        })
    }
    register()
    let isDone = Flag()
    let registrations = Transfer(register)
    onThreads(4) { index in
      if index == 0 {
        for _ in 0..<3_000 { registrations.value() }
        isDone.set()
      } else {
        while !isDone.isSet { precondition(container.resolve((any BoundPoisoned).self).token.isIntact) }
      }
    }
    #expect([counter.alive, tokens.alive] == [0, 1])
    container.unregister((any BoundPoisoned).self)
    #expect(tokens.alive == 0, "the factory goes with its registration")
  }

  @Test("A container goes while its instances are still in use elsewhere")
  func containerGoes() {
    let counter = LifetimeCounter()
    for _ in 0..<200 {
      var container: DIContainer? = DIContainer()
      container?.register(Shared(Object(counter) as any BoundPoisoned))
      let kept = onThreads(2) { [container] _ in Transfer(container?.resolve((any BoundPoisoned).self)) }
      container = nil
      #expect(kept.allSatisfy { $0.value?.token.isIntact == true })
    }
    #expect(eventually { counter.alive == 0 }, "the last thread may still be about to let go of the container")
  }
}
