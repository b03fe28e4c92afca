internal import DependencyInjection
internal import Testing

private func registerTwice() {
  let container = DIContainer()
  container.rejectsDuplicates = true
  container.register(Shared(RouterImpl() as any Router, named: "main"))
  expectTrap(atLine: #line + 1)
  container.register(New(MockRouter() as any Router, named: "main"))
}

private func registerDecoratedTwice() {
  let container = DIContainer()
  container.rejectsDuplicates = true
  container.register(Shared(RouterImpl() as any Router))
  container.decorate((any Router).self) { router, _ in router }
  expectTrap(atLine: #line + 1)
  container.register(New(MockRouter() as any Router))
}

private func registerTwiceAtOnce() {
  let container = DIContainer()
  container.rejectsDuplicates = true
  expectTrap(atLine: #line + 3)
  container.register {
    Module(Shared(RouterImpl() as any Router))
    Module(New(MockRouter() as any Router))
  }
}

private func replaceOverride() {
  let container = DIContainer()
  container.rejectsDuplicates = true
  container.addOverrides(Module(Shared(MockRouter() as any Router)))
  expectTrap(atLine: #line + 1)
  container.register(New(RouterImpl() as any Router))
}

struct DuplicateTests {
  let container = DIContainer()

  @Test("What is replaced is not listed, and a child lists its ancestors' registrations first")
  func listed() {
    container.register(Shared(RouterImpl() as any Router))
    container.register {
      Shared(NoCache() as any Cache)
      New({ MockRouter() }, as: (any Router).self, (any DeeplinkHandler).self, named: nil)
    }
    let lines = (#line - 3, #line - 2)
    #expect(
      container.registrations.map(\.description) == [
        "New MockRouter as Router, DeeplinkHandler at \(place(lines.1))", "Shared Cache at \(place(lines.0))",
      ])
    container.register(Shared(MockRouter() as any DeeplinkHandler, named: "other"))
    #expect(
      container.registrations.last?.name == "other"
        && container.registrations.map(\.lifetime) == [.new, .shared, .shared])
    // Each lifetime is listed as it is written.
    do {
      let container = DIContainer()
      container.register {
        Weak(RouterImpl())
        PerGraph(MockRouter())
        Scoped(in: .container, DiskCache())
      }
      #expect(
        container.registrations.map { "\($0.lifetime)" } == ["Weak", "PerGraph", "Scoped(in: container)"])
    }
    // A child lists its ancestors' registrations first, except what it shadows.
    do {
      let container = DIContainer()
      container.register {
        Shared(RouterImpl() as any Router)
        Shared(NoCache() as any Cache)
      }
      let child = DIContainer(parent: container)
      child.register {
        New(PlayerObject() as any MediaPlayer)
        New(MockRouter() as any Router)
      }
      #expect(
        child.registrations.map { "\($0.lifetime) \($0.type)" } == [
          "New Router", "Shared Cache", "New MediaPlayer",
        ])
    }
  }

  @Test("Names, overrides in children, what was unregistered, and the same registration again are no duplicates")
  func allowed() {
    container.rejectsDuplicates = true
    container.register {
      Shared(RouterImpl() as any Router)
      Shared(RouterImpl() as any Router, named: "other")
    }
    container.unregister((any Router).self)
    container.register(New(MockRouter() as any Router))
    let child = DIContainer(parent: container)
    child.register(New(RouterImpl() as any Router))
    child.register(New(RouterImpl() as any Router))
    #expect(container.resolve((any Router).self) is MockRouter)
    container.addOverrides(Module(New(RouterImpl() as any Router)))
    #expect(container.resolve((any Router).self) is RouterImpl && !DIContainer(copying: container).rejectsDuplicates)
    // Nor is the own type of one that names only its alias, whichever comes first.
    do {
      let container = DIContainer()
      container.rejectsDuplicates = true
      container.register {
        Shared(RouterImpl())
        Shared(RouterImpl(), as: (any Router).self)
      }
      #expect(container.resolve(RouterImpl.self) === container.resolve((any Router).self))
      container.removeAll()
      container.register {
        Shared(RouterImpl(), as: (any Router).self)
        Shared(RouterImpl())
      }
      #expect(container.resolve(RouterImpl.self) !== container.resolve((any Router).self))
    }
    // Such as a module that two features contain.
    do {
      let (container, module) = (DIContainer(), Module(Shared(RouterImpl() as any Router)))
      container.rejectsDuplicates = true
      container.register {
        Module { module }
        Module { module }
      }
      container.register(module)
      #expect(container.resolve((any Router).self) is RouterImpl)
    }
  }

  @Test("A duplicate in a strict container traps with both locations, also in one list", .exitTest)
  func rejected() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      registerTwice()
    }
    let line = result?.expectedLine ?? 0
    #expect(
      result?.trapped(
        with: """
          'Router (main)' is registered twice.
            registered \(place(line - 2))
            and at     \(place(line))
            note       tell them apart with `named:`, call `unregister` first, or use `withOverrides`; \
          `rejectsDuplicates` is on here
          """) == true, "\(result?.message ?? "")")
    do {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        registerTwiceAtOnce()
      }
      let line = result?.expectedLine ?? 0
      #expect(
        result?.trapped(
          with: """
            'Router' is registered twice.
              registered \(place(line - 1))
              and at     \(place(line))
            """) == true, "\(result?.message ?? "")")
    }
    // The registration is named, and not its decorator.
    do {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        registerDecoratedTwice()
      }
      let line = result?.expectedLine ?? 0
      #expect(
        result?.trapped(with: "'Router' is registered twice.\n  registered \(place(line - 3))\n") == true,
        "\(result?.message ?? "")")
    }
    // A registration after an override would replace it.
    do {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        replaceOverride()
      }
      #expect(result?.trapped(with: "'Router' is registered twice.\n") == true, "\(result?.message ?? "")")
    }
  }
}
