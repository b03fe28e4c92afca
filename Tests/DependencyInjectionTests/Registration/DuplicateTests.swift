internal import DependencyInjection
internal import Testing

private func registerTwice() {
  let container = DIContainer()
  container.rejectsDuplicates = true
  container.register(Shared(RouterImpl() as any Router, named: "main"))
  expectTrap(atLine: #line + 1)
  container.register(New(MockRouter() as any Router, named: "main"))
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

struct DuplicateTests {
  let container = DIContainer()

  @Test("The listing shows what a registration has replaced, and a child lists its ancestors' first")
  func replaced() {
    container.register(Shared(RouterImpl() as any Router))
    container.register {
      Shared(NoCache() as any Cache)
      New({ MockRouter() }, as: (any Router).self, (any DeeplinkHandler).self, named: nil)
    }
    let lines = (#line - 5, #line - 3, #line - 2)
    #expect(
      container.registrations.map(\.description) == [
        "New MockRouter as Router, DeeplinkHandler at \(place(lines.2)), replaces \(place(lines.0))",
        "Shared Cache at \(place(lines.1))",
      ])
    container.register(Shared(MockRouter() as any DeeplinkHandler, named: "other"))
    #expect(
      container.registrations.last?.name == "other" && container.registrations.last?.replaced.isEmpty == true
        && container.registrations.map(\.lifetime) == [.new, .shared, .shared])
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
      #expect(child.registrations.allSatisfy { $0.replaced.isEmpty })
    }
    // What was unregistered in between has not been replaced. A decorator of a child hides nothing.
    do {
      let container = DIContainer()
      container.register(Shared(RouterImpl() as any Router))
      container.register(Shared(MockRouter() as any Router))
      let child = DIContainer(parent: container)
      child.decorate((any Router).self) { router, _ in router }
      #expect(child.registrations.map(\.replaced.count) == [1])
      container.unregister((any Router).self)
      container.register(Shared(RouterImpl() as any Router))
      #expect(container.registrations.map(\.replaced.count) == [0])
    }
  }

  @Test("The listing of a copy shows what was replaced in it, or before, also after a snapshot")
  func replacedInCopy() throws {
    func register(in container: DIContainer, line: UInt) {
      container.register(Shared(RouterImpl() as any Router, line: line))
    }
    func replaced(in container: DIContainer) -> [[UInt]] { container.registrations.map { $0.replaced.map(\.line) } }
    register(in: container, line: 1)
    let copy = DIContainer(copying: container)
    var found = [replaced(in: copy)]
    register(in: copy, line: 2)
    found.append(replaced(in: copy))
    let copyOfCopy = DIContainer(copying: copy)
    register(in: copyOfCopy, line: 3)
    found.append(replaced(in: copyOfCopy))
    let snapshot = copy.registry.snapshot()
    register(in: copy, line: 4)
    found.append(replaced(in: copy))
    copy.registry.restore(snapshot)
    found.append(replaced(in: copy))
    let other = DIContainer(copying: container)
    other.unregister((any Router).self)
    register(in: other, line: 5)
    #expect(found + [replaced(in: other), replaced(in: container)] == [[[]], [[1]], [[2]], [[2]], [[1]], [[]], [[]]])
  }

  @Test("What replaces itself, a declaration, a decorator of nothing, or what an ancestor has, replaces nothing")
  func replacedNothing() {
    func expectNothing(in container: DIContainer, _ source: SourceLocation = #_sourceLocation) {
      #expect(container.registrations.allSatisfy { $0.replaced.isEmpty }, sourceLocation: source)
      let copy = DIContainer(copying: container)
      _ = copy.resolveAll((any Router).self)
      #expect(copy.registrations.allSatisfy { $0.replaced.isEmpty }, sourceLocation: source)
    }
    let router = Shared(RouterImpl() as any Router)
    container.register(router)
    container.register(router)
    expectNothing(in: container)
    container.decorate((any Router).self) { router, _ in router }
    let (copy, resolved) = (DIContainer(copying: container), DIContainer(copying: container))
    _ = resolved.resolve((any Router).self)
    for copy in [copy, resolved] {
      copy.addOverrides(RegistrationBuilder.buildExpression(router))
      expectNothing(in: copy)
    }

    let declared = Dependency<Int> { 1 }
    let parent = DIContainer()
    #expect(declared(from: parent) == 1)
    parent.register(declared.overridden { 2 })
    parent.decorate((any Cache).self) { cache, _ in cache }
    parent.register(Shared(NoCache() as any Cache))
    expectNothing(in: parent)

    let child = DIContainer(parent: parent)
    child.decorate((any Router).self) { router, _ in router }
    parent.register(Shared(RouterImpl() as any Router))
    _ = child.resolve((any Router).self)
    parent.unregister((any Router).self)
    parent.register(Shared(MockRouter() as any Router))
    expectNothing(in: child)
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
  }
}
