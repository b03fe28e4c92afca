@testable internal import DependencyInjection
internal import Testing

/// The shortest way to what is in the shared container, which there is only while no other container is current.
///
/// In processes of their own, because the other tests make containers current.
struct DirectFactoryTests {
  @Test(
    "Each resolution creates an instance, even after another container is current, sees replacements, and is a graph",
    .exitTest)
  func creating() async {
    await #expect(processExitsWith: .success) {
      Direct.create()
      precondition(Circumstances.areSimple)
      Replaced.check()
      precondition(Circumstances.areSimple)
      PerGraphTests.checkDirect()
      precondition(Circumstances.areSimple)
      Direct.isolate()
    }
  }

  @Test("A factory that throws traps at the caller, once", .exitTest)
  func throwing() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { Direct.fail() }
    #expect(result?.trapped(with: "The factory of 'Part' failed.") == true, "\(result?.message ?? "")")
  }
}

private enum Direct {
  final class Part: Sendable {
    let number: Int
    init(_ number: Int) { self.number = number }
  }

  final class Owner {
    @Inject var part: Part
  }

  struct Refused: Error {}

  static func create() {
    let counter = LifetimeCounter()
    do {
      let token = counter.token()
      DIContainer.register(New { _ in Part(token.isIntact ? 1 : 0) })
    }
    for _ in 0..<5000 {
      precondition(DIContainer.resolve(Part.self) !== DIContainer.resolve(Part.self))
      precondition(DIContainer.resolve(Part.self).number == 1)
    }
    precondition(counter.alive == 1)
    DIContainer.register(New(Part(2)))
    precondition(counter.alive == 0, "what the replaced factory holds is released")
    precondition(DIContainer.resolve(Part.self).number == 2)
  }

  static func fail() {
    let counter = LifetimeCounter()
    DIContainer.register(
      New { _ in
        _ = counter.token()
        if counter.created == 3 { throw Refused() }
        precondition(counter.created < 3, "the factory is not called again")
        return Part(counter.created)
      })
    _ = DIContainer.resolve(Part.self)
    _ = DIContainer.resolve(Part.self)
    expectTrap(atLine: #line + 1)
    _ = DIContainer.resolve(Part.self)
  }

  static func isolate() {
    DIContainer.register {
      New(Part(1))
      New(Owner())
    }
    precondition(DIContainer.resolve(Owner.self).part.number == 1)
    precondition(DIContainer.resolve(Owner.self).part.number == 1)
    DIContainer.withOverrides {
      New(Part(2))
    } perform: {
      precondition(DIContainer.resolve(Owner.self).part.number == 2)
      precondition(DIContainer.shared.resolve(Owner.self).part.number == 1, "the shared container is current in there")
    }
    precondition(DIContainer.resolve(Owner.self).part.number == 1)
  }
}
