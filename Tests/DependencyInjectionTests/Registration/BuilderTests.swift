internal import DependencyInjection
internal import Testing

enum FeatureOne {
  static let module = Module {
    Shared(RouterImpl() as any Router)
    New(ConcreteViewModel(id: "one") as any ViewModel)
  }
}

enum FeatureTwo {
  static let module = Module(Shared(SimplePlayer() as any MediaPlayer))
}

struct BuilderTests {
  let container = DIContainer()

  @Test("A builder takes switch, for, #available, if let, constants, modules and registrations of one's own")
  func cases() {
    for number in 0..<4 {
      let container = DIContainer()
      container.register {
        switch number {
        case 0: Shared("zero")
        case 1: Shared("one")
        case 2:
          Shared("two")
          Shared(2)
        default: Module { Shared("many") }
        }
      }
      #expect(
        container.resolve(String.self) == ["zero", "one", "two", "many"][number]
          && (container.resolve(Int?.self) == 2) == (number == 2))
    }
    // The newest of one type wins.
    do {
      let container = DIContainer()
      container.register {
        for plugin in [FeatureOne.module, FeatureTwo.module] { plugin }
        for number in 1...3 { Shared(number) }
      }
      #expect(
        container.resolve((any Router).self) is RouterImpl && container.resolve((any MediaPlayer).self) is SimplePlayer
          && container.resolve(Int.self) == 3)
    }
    do {
      let container = DIContainer()
      container.register {
        if #available(macOS 15, *) { Shared("available") }
      }
      #expect(container.resolve(String.self) == "available")
    }
    do {
      let container = DIContainer()
      let name: String? = "bound"
      container.register {
        let prefix = "locally "
        if let name { Shared(prefix + name) }
      }
      #expect(container.resolve(String.self) == "locally bound")
    }
    // A registration type of one's own adds what it stands for.
    do {
      let container = DIContainer()
      struct Playback: Registration {
        let isSimple: Bool
        func add(to list: inout RegistrationList) {
          if isSimple { list.add(Shared(SimplePlayer() as any MediaPlayer)) }
          list.add(Module { Shared("playback") })
        }
      }
      container.register(Playback(isSimple: true))
      #expect(container.resolve((any MediaPlayer).self) is SimplePlayer)
      container.register { Playback(isSimple: false) }
      #expect(container.resolve(String.self) == "playback")
    }
  }

  @Test("Other threads see all registrations of a builder or none")
  func atOnce() {
    let container = container
    struct First { let round: Int }
    struct Second { let round: Int }
    container.register {
      New(First(round: 0))
      New(Second(round: 0))
    }
    let isDone = Flag()
    let torn = onThreads(3) { index in
      if index == 0 {
        for round in 1...2_000 {
          container.register {
            New(Second(round: round))
            New(First(round: round))
          }
        }
        isDone.set()
        return 0
      }
      var torn = 0
      while !isDone.isSet {
        // Whoever sees a round of the one that comes last in the list sees at least that round of the other.
        let first = container.resolve(First.self).round
        let second = container.resolve(Second.self).round
        if second < first { torn += 1 }
      }
      return torn
    }
    #expect(torn == [0, 0, 0])
  }
}
