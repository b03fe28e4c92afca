internal import DependencyInjection
internal import Testing

private final class Service: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private final class Missing: Sendable {}

private final class Consumer: Sendable {
  init(_: Any) {}
}

/// Two of each of the six kinds of mistakes, unless they are fixed.
private struct App: Registration {
  let isMended: Bool

  func add(to list: inout RegistrationList) {
    let isMended = isMended
    for number in 0..<179 {
      let name = DependencyName("service \(number)")
      if number == 0 {
        list.add(Shared(Service(number), named: name))
      } else {
        let other = DependencyName("service \(number - 1)")
        list.add(Shared({ resolve in Service(resolve(Service.self, named: other).number + 1) }, named: name))
      }
    }
    // Missing registrations: one that three need, and another one.
    if isMended { list.add(Shared(Missing())) } else { list.add(New(Service(0), named: "in place of Missing")) }
    list.add(New({ resolve in Consumer(resolve(Missing.self)) }, named: "missing"))
    list.add(New({ resolve in Consumer(resolve(Consumer.self, named: "missing")) }, named: "missing outer"))
    list.add(New({ resolve in Consumer(resolve(Consumer.self, named: "missing")) }, named: "missing outer 2"))
    list.add(
      New({ resolve in isMended ? Consumer(0) : Consumer(resolve((any MediaPlayer).self)) }, named: "missing player"))
    // Cycles, of two and of one.
    list.add(Shared({ resolve in Consumer(resolve(Consumer.self, named: "cycle b")) }, named: "cycle a"))
    list.add(
      Shared(
        { resolve in isMended ? Consumer(0) : Consumer(resolve(Consumer.self, named: "cycle a")) }, named: "cycle b"))
    list.add(
      Shared({ resolve in isMended ? Consumer(0) : Consumer(resolve(Consumer.self, named: "self")) }, named: "self"))
    // Aliases.
    let player: @Sendable () -> Any = { isMended ? PlayerObject() : NoCache() }
    list.add(New({ player() }, as: (any MediaPlayer).self, named: "alias"))
    list.add(New({ player() }, as: (any MediaPlayer).self, named: "other alias"))
    // Wrong arguments.
    list.add(New({ _, id in ConcreteViewModel(id: id) as any ViewModel }))
    list.add(
      New(
        { resolve in
          isMended
            ? Consumer(resolve((any ViewModel).self) { "1" }) : Consumer(resolve((any ViewModel).self) { 1 })
        }, named: "wrong type"))
    list.add(
      New(
        { resolve in
          isMended
            ? Consumer(resolve((any ViewModel).self) { "1" }) : Consumer(resolve((any ViewModel).self) { ("a", "b") })
        }, named: "too many"))
    // Captives.
    list.add(New(Service(1000)))
    list.add(Scoped(in: Scope("session"), Service(1001), named: "session"))
    list.add(Shared({ resolve in isMended ? Consumer(0) : Consumer(resolve(Service.self)) }, named: "holds new"))
    list.add(
      Shared(
        { resolve in isMended ? Consumer(0) : Consumer(resolve(Service.self, named: "session")) }, named: "holds scoped"
      ))
    // Misspelled names.
    list.add(
      New(
        { resolve in Consumer(resolve(Service.self, named: isMended ? "service 7" : "servise 7")) }, named: "typo"))
    list.add(
      New(
        { resolve in Consumer(resolve(Service.self, named: isMended ? "session" : "sesion")) }, named: "other typo"))
    list.add(New(NoCache() as any Cache))
    list.add(Shared({ await Service(asynchronous()) }, named: "asynchronous"))
  }
}

@Sendable private func asynchronous() async -> Int {
  await Task.yield()
  return 1
}

private struct VerifiedPart: Sendable {}

private final class VerifiedLog: Sendable {
  init(_: VerifiedPart) {}
}

extension DIContainer {
  fileprivate static let verifiedPart = Dependency<VerifiedPart> { VerifiedPart() }
  fileprivate static let verifiedLog = Dependency<VerifiedLog>(.scoped(in: Scope("verified"))) { resolve in
    VerifiedLog(verifiedPart(from: resolve))
  }
}

private let verifiedLines = (#line - 5, #line - 6)

struct VerifyTests {
  let container = DIContainer()

  private func failures(_ body: () async throws -> Void) async -> [ResolutionError] {
    do {
      try await body()
      return []
    } catch {
      return (error as? VerificationError)?.failures ?? []
    }
  }

  @Test("An app with 200 registrations and 12 mistakes of 6 kinds has exactly these, until they are fixed")
  func planted() async throws {
    container.register(App(isMended: false))
    #expect(container.registrations.count == 200)
    let container = container
    let found = await failures {
      try await container.verify(arguments: { $0.type == (any ViewModel).self ? "id" : nil })
    }
    let kinds = Dictionary(grouping: found, by: \.code).mapValues(\.count)
    #expect(
      kinds == [
        .missingRegistration: 4, .cycle: 2, .aliasMismatch: 2, .wrongArguments: 2, .captiveDependency: 2,
      ], "\(found.map(\.description).joined(separator: "\n"))")
    let typos = found.compactMap { failure in failure.notes.first { $0.hasPrefix("did you mean") } }
    #expect(
      typos.count == 2 && typos.contains { $0.contains("'service 7'") } && typos.contains { $0.contains("'session'") })
    #expect(found.contains { $0.path.suffix(2) == ["Consumer (missing)", "Missing"] })
    // The same app passes when the mistakes are fixed.
    do {
      let container = DIContainer()
      container.register(App(isMended: true))
      let arguments: @Sendable (RegistrationInfo) -> Any? = { $0.type == (any ViewModel).self ? "id" : nil }
      try await container.verify(arguments: arguments)
    }
  }

  @Test("Arguments that a check does not get are one line of the list, which says how to pass them")
  func missingArguments() async throws {
    container.register(New { (_, number: Int) in Consumer(number) })
    let found = await failures { try await container.verify() }
    #expect(found.map(\.code) == [.wrongArguments])
    #expect(
      found.map(\.notes) == [
        [
          "pass them: `arguments: { $0.type == Consumer.self ? … : nil }`, or leave the type out with `except:`"
        ]
      ])
    // As the note says.
    try await container.verify(arguments: { $0.type == Consumer.self ? 1 : nil })
    try await container.verify(except: { $0.type == Consumer.self })
  }

  @Test("A cycle is one mistake, even if the path to it passes one of its types, which another container keeps")
  func cycleAfterItsType() async {
    final class Inner: Sendable {}
    final class Middle: Sendable {}
    final class Outer: Sendable {}
    final class Other: Sendable {}
    container.register {
      Scoped(in: .container) { resolve in
        _ = try resolve.tryResolve(Middle.self)
        _ = try resolve.tryResolve(Other.self)
        return Outer()
      }
      Scoped(in: .container) { resolve in
        _ = try resolve.tryResolve(Inner.self)
        return Middle()
      }
      Shared { resolve in
        _ = try resolve.tryResolve(Outer.self)
        return Inner()
      }
      Weak { resolve in
        _ = try resolve.tryResolve(Outer.self)
        return Other()
      }
    }
    let child = DIContainer(parent: container)
    child.register(Shared(Inner()))
    #expect(await failures { try await child.verify() }.map(\.code) == [.cycle])
    // Those that lead to it through an alias are no other cycles.
    do {
      let container = DIContainer()
      container.register {
        New(autowire: { (_: RouterImpl) in 7 })
        New(autowire: { (_: RouterImpl) in "7" })
        New(autowire: { (_: any Router) in RouterImpl() }, as: (any Router).self)
      }
      #expect(await failures { try await container.verify() }.map(\.code) == [.cycle])
    }
  }

  @Test("A mistake that several registrations lead to is reported once")
  func mistakes() async {
    struct Failure: Error {}
    container.register {
      New { resolve in Consumer(try resolve.tryResolve(Int.self)) }
      New { resolve in Int(try resolve.tryResolve(Int8.self)) }
      New { resolve in Int8(try resolve.tryResolve(Int.self)) }
      New { resolve in "\(try resolve.tryResolve(Int8.self))" }
      New { () throws -> Double in throw Failure() }
      New { resolve in Float(try resolve.tryResolve(Double.self)) }
      New { resolve in [try resolve.tryResolve(Double.self)] }
    }
    let container = container
    #expect(await failures { try await container.verify() }.map(\.code) == [.cycle, .factoryFailed])
    // Two declared dependencies are two, though they have one type.
    let first = Dependency<Double> { _ in throw Failure() }
    let second = Dependency<Double> { _ in throw Failure() }
    container.register {
      New({ resolve in "\(try first.tryResolve(from: resolve))" }, named: "first")
      New({ resolve in "\(try second.tryResolve(from: resolve))" }, named: "second")
    }
    #expect(
      await failures { try await container.verify() }.map(\.code)
        == [.cycle, .factoryFailed, .factoryFailed, .factoryFailed])
    // A registration that fails is one, under however many types it is found or requested.
    do {
      let container = DIContainer()
      container.register {
        New({ () throws -> RouterImpl in throw Failure() }, as: (any Router).self, (any DeeplinkHandler).self)
        New({ resolve in Consumer(try resolve.tryResolve(RouterImpl.self)) })
        New({ _, id in ConcreteViewModel(id: id) }, as: (any ViewModel).self, (any Sendable).self)
        // Each alias to which an instance does not conform is another mistake.
        New({ NoCache() as Any }, as: (any MediaPlayer).self, (any AppConfiguration).self)
      }
      #expect(
        await failures { try await container.verify() }.map(\.code)
          == [.factoryFailed, .wrongArguments, .aliasMismatch, .aliasMismatch])
    }
    // What could not be created does not exist yet for what needs it at once.
    do {
      let container = DIContainer()
      container.register {
        Shared { () async throws -> Int in throw Failure() }
        Shared { @MainActor () throws -> String in throw Failure() }
        New { resolve in Consumer(try resolve.tryResolve(Int.self)) }
        New { resolve in [try resolve.tryResolve(String.self)] }
      }
      #expect(await failures { try await container.verify() }.map(\.code) == [.factoryFailed, .factoryFailed])
      // What is not kept would never exist.
      container.register(New { () async throws -> Int in throw Failure() })
      #expect(
        await failures { try await container.verify() }.map(\.code) == [.factoryFailed, .factoryFailed, .asynchronous])
    }
  }

  @Test("What a factory of a check removes is not missing, and what a check releases resolves from its copy")
  func removed() async throws {
    container.register {
      New { _ in
        DIContainer.current.unregister(String.self)
        return 1
      }
      New("removed by the first")
    }
    let container = container
    try await container.verify()
    do {
      final class Resolving: Sendable {
        private let hasFound: Monitor<[Bool]>
        init(_ hasFound: Monitor<[Bool]>) { self.hasFound = hasFound }
        deinit {
          let isFound = DIContainer.resolve(Int?.self) == 1
          hasFound.change { $0.append(isFound) }
        }
      }
      let hasFound = Monitor<[Bool]>([])
      container.register {
        New(1)
        Shared(Resolving(hasFound))
        New(Resolving(hasFound), named: "new")
        New(onMain: Resolving(hasFound), named: "on an actor")
        New({ () async in Resolving(hasFound) }, named: "awaited")
      }
      try await container.verify()
      #expect(hasFound.change { $0 } == [true, true, true, true])
    }
    // What a factory of a check registers is not in the list.
    do {
      let container = DIContainer()
      container.register(
        New { resolve in
          DIContainer.current.register(New("registered by the first"))
          return resolve(String.self).count
        })
      #expect(await container.graph().description == "New Int")
    }
  }

  @Test("A check touches no instance, leaves none behind, and leaves out what a closure names")
  func sandbox() async throws {
    let counter = LifetimeCounter()
    container.register(Shared(Tracked(counter)))
    let own = container.resolve(Tracked.self)
    try await container.verify()
    #expect(container.resolve(Tracked.self) === own && counter.created == 2)
    await until { counter.alive == 1 }
    // Registrations are left out that a closure names.
    do {
      let container = DIContainer()
      let calls = CallCounter()
      container.register {
        New({ _ in
          calls.call()
          return RouterImpl()
        })
        New { resolve in Consumer(resolve((any MediaPlayer).self)) }
      }
      let found = await failures { [container] in
        try await container.verify(except: { $0.type == RouterImpl.self })
      }
      #expect(found.map(\.code) == [.missingRegistration] && calls.count == 0)
      try await container.verify(except: { _ in true })
    }
    // A factory is called once for each type that its registration names.
    do {
      let container = DIContainer()
      let calls = CallCounter()
      container.register(
        New(
          { _ in
            calls.call()
            return RouterImpl()
          }, as: (any Router).self))
      try await container.verify()
      #expect(calls.count == 1)
      // Its own type may be a decorated one that another registration has taken.
      container.register {
        New { (_, _: Int) in RouterImpl() }
        Decorated(RouterImpl.self) { router, _ in router }
      }
      try await container.verify(arguments: { $0.arguments == Int.self ? 1 : nil })
    }
    // A dependency with a shorter lifetime is no problem of a check without one of the two.
    do {
      let container = DIContainer()
      container.register {
        New(Missing())
        Shared { resolve in Consumer(resolve(Missing.self)) }
        Shared { resolve in "\(resolve(Consumer.self))" }
      }
      #expect(await failures { try await container.verify() }.count == 1)
      try await container.verify(except: { $0.type == Missing.self })
      try await container.verify(except: { $0.type == Consumer.self })
    }
  }

  @Test("A child that is checked lends nothing to what its parent keeps, as in the app, and a scope nothing to another")
  func child() async throws {
    let parent = DIContainer()
    parent.register(Shared { resolve in Consumer(try resolve.tryResolve(Missing.self)) })
    let child = DIContainer(parent: parent)
    child.register(Shared(Missing()))
    let found = await failures { try await child.verify() }
    #expect(found.map(\.code) == [.missingRegistration] && found.map(\.path) == [["Consumer", "Missing"]])
    // What is built for the child finds them.
    parent.register(Scoped(in: .container) { resolve in Consumer(try resolve.tryResolve(Missing.self)) })
    try await child.verify()
    #expect(
      await failures { try await parent.verify() }.map(\.notes) == [
        [
          "'Consumer' is created for the container that is asked for it: "
            + "register 'Missing' there, or ask a child that has it"
        ]
      ])
    parent.register(New { resolve in Consumer(try resolve.tryResolve(Missing.self)) })
    try await child.verify()
    #expect(await failures { try await parent.verify() }.map(\.code) == [.missingRegistration])
    // A scoped instance may keep one of its own scope, but of no other.
    do {
      let container = DIContainer()
      let (first, second) = (Scope("first"), Scope("second"))
      container.register {
        Scoped(in: first) { Missing() }
        Scoped(in: first) { resolve in Consumer(resolve(Missing.self)) }
      }
      try await container.verify()
      container.register(Scoped(in: second) { resolve in Consumer(resolve(Missing.self)) })
      #expect(await failures { try await container.verify() }.map(\.code) == [.captiveDependency])
      // One for each container is not what a resolver in the instance asks for.
      container.register(Scoped(in: .container) { Missing() })
      let notes = await failures { try await container.verify() }.map(\.notes)
      #expect(
        notes == [
          [
            "let Consumer resolve it each time it needs one, with `DIContainer.resolve`, because a resolver or "
              + "a `@LazyInject` in it asks the container of Consumer; or give Consumer the lifetime `Scoped(in: .container)`, "
              + "too"
          ]
        ])
      let declared = Dependency<Int8>(.scoped(in: .container)) { 1 }
      container.register(Scoped(in: second) { resolve in Consumer(declared(from: resolve)) })
      let texts = await failures { try await container.verify() }.flatMap(\.notes)
      #expect(texts.map { $0.contains("by calling the dependency, because") } == [true])
    }
  }

  @Test("A check knows a declared dependency that was first resolved after a copy was made")
  func declaredAfterCopy() async throws {
    let container = DIContainer()
    container.register(New(1.0))
    try await container.verify()
    let declared = Dependency<String>(.shared) { resolve in "\(resolve(Double.self))" }
    _ = declared(from: container)
    #expect(await failures { try await container.verify() }.map(\.code) == [.captiveDependency])
  }

  @Test("What is isolated to an actor is created there, or one line of the list, and what is asynchronous comes first")
  func isolation() async throws {
    container.register(Shared(onMain: Screen()))
    let container = container
    try await container.verify()
    // What is created there is at hand for what is created elsewhere.
    container.register(New { resolve in Consumer(resolve(Screen.self)) })
    try await container.verify()
    // An autowired main actor type that lacks something is one line of the list.
    do {
      let container = DIContainer()
      container.register(New(autowire: { @MainActor (_: Missing) in Consumer(0) }))
      let error = await #expect(throws: VerificationError.self) { try await container.verify() }
      #expect(error?.failures.map(\.code) == [.missingRegistration])
    }
    // What has to be created asynchronously has to be registered first, and the error says so.
    do {
      let container = DIContainer()
      container.register {
        New { resolve in Consumer(try resolve.tryResolve(String.self)) }
        Shared { () async in "later" }
      }
      let note = "if the app does, register it first: a check follows the order of registration"
      #expect(await failures { try await container.verify() }.map(\.notes.last) == [note])
      // That helps only if there is an instance then.
      container.register(New { () async in "each time" })
      #expect(await failures { try await container.verify() }.map { $0.notes.contains(note) } == [false])
      // Nothing keeps a Weak until somebody asks for it.
      container.register {
        Weak { () async in Missing() }
        New { resolve in Consumer(try resolve.tryResolve(Missing.self)) }
      }
      #expect(await failures { try await container.verify() }.map { $0.notes.contains(note) } == [false])
      // As the note says.
      let ordered = DIContainer()
      ordered.register {
        Shared { () async in Missing() }
        New { resolve in Consumer(try resolve.tryResolve(Missing.self)) }
      }
      try await ordered.verify()
    }
  }

  @Test("A declared dependency is checked and seen where it is asked for, though nobody has used it before")
  func declared() async {
    container.register(Shared { resolve in Consumer(DIContainer.verifiedLog(from: resolve)) })
    let container = container
    let found = await failures { try await container.verify() }
    #expect(
      found.map(\.code) == [.captiveDependency, .captiveDependency]
        && found.map(\.path) == [["Consumer", "VerifiedLog"], ["VerifiedLog", "VerifiedPart"]])
    #expect(found.map { "\($0.registration!)" } == [place(verifiedLines.0), place(verifiedLines.1)])
    let graph = await container.graph()
    #expect(
      graph.registrations.map { displayName($0.type) } == ["Consumer", "VerifiedPart", "VerifiedLog"]
        && graph.edges.map { [$0.from, $0.to] } == [[0, 2], [2, 1]])
    // That does not register it.
    #expect(container.registrations.count == 1)
  }

  @Test("A check that is canceled cancels the factory that runs, and throws what it has found before")
  func cancelled() async throws {
    let (gate, calls) = (AsyncGate(), CallCounter())
    container.register {
      New { () async throws -> Int in
        await gate.wait()
        try await Task.sleep(for: .seconds(3600))
        return 1
      }
      New { _ in "\(calls.call())" }
    }
    let container = container
    let check = Task { try await container.verify() }
    let graph = Task { await container.graph() }
    await until { gate.waiting == 2 }
    check.cancel()
    graph.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await check.value }
    #expect(await graph.value.edges == [])
    #expect(calls.count == 0)
    let late = Task {
      while !Task.isCancelled { await Task.yield() }
      try await container.verify()
    }
    late.cancel()
    await #expect(throws: CancellationError.self) { try await late.value }
    #expect(calls.count == 0)
    // A check that is canceled throws what it has found before, and nothing that only the cancellation has caused.
    do {
      let container = DIContainer()
      let isRunning = Flag()
      container.register {
        New { resolve in Consumer(resolve((any MediaPlayer).self)) }
        New { () async throws -> Int in
          isRunning.set()
          while !Task.isCancelled { await Task.yield() }
          throw CancellationError()
        }
        New("never reached")
      }
      let check = Task { try await container.verify() }
      await until { isRunning.isSet }
      check.cancel()
      let error = await #expect(throws: VerificationError.self) { try await check.value }
      #expect(error?.failures.map(\.path) == [["Consumer", "MediaPlayer"]])
    }
  }

  @Test("A graph has an edge for each dependency, in a stable order, equals others like it, and escapes its texts")
  func graph() async {
    container.register {
      Shared(AppConfigurationImpl() as any AppConfiguration)
      Shared({ resolve in RouterImpl(config: resolve()) }, as: (any Router).self, (any DeeplinkHandler).self)
      New { resolve in
        _ = resolve((any Router).self)
        _ = resolve((any AppConfiguration).self)
        return DiskCache()
      }
      Decorated((any AppConfiguration).self) { configuration, _ in configuration }
    }
    let lines = (#line - 9, #line - 8, #line - 7)
    let decorator = place(#line - 3)
    let container = container
    let graph = await container.graph()
    #expect(
      graph.mermaid == """
        graph TD
          n0["AppConfiguration<br/>Shared<br/>\(place(lines.0))<br/>decorated at \(decorator)"]
          n1["RouterImpl<br/>as Router, DeeplinkHandler<br/>Shared<br/>\(place(lines.1))"]
          n2["DiskCache<br/>New<br/>\(place(lines.2))"]
          n1 --> n0
          n2 --> n0
          n2 --> n1

        """)
    #expect(
      graph.dot == """
        digraph dependencies {
          node [shape=box];
          n0 [label="AppConfiguration\\nShared\\n\(place(lines.0))\\ndecorated at \(decorator)"];
          n1 [label="RouterImpl\\nas Router, DeeplinkHandler\\nShared\\n\(place(lines.1))"];
          n2 [label="DiskCache\\nNew\\n\(place(lines.2))"];
          n1 -> n0;
          n2 -> n0;
          n2 -> n1;
        }

        """)
    // Two graphs are equal if they have the same registrations and dependencies, wherever they are registered.
    do {
      let container = DIContainer()
      let other = DIContainer()
      container.register {
        Shared(AppConfigurationImpl() as any AppConfiguration, named: "a")
        Shared(AppConfigurationImpl() as any AppConfiguration)
        New { resolve in RouterImpl(config: resolve()) as any Router }
      }
      other.register {
        New { resolve in RouterImpl(config: resolve()) as any Router }
        Shared(AppConfigurationImpl() as any AppConfiguration)
        Shared(AppConfigurationImpl() as any AppConfiguration, named: "a")
      }
      let graph = await container.graph()
      #expect(await graph == other.graph())
      #expect(
        "\(graph)" == """
          New Router
            Shared AppConfiguration
          Shared AppConfiguration
          Shared AppConfiguration (a)
          """)
      other.register { New { resolve in RouterImpl(config: resolve(named: "a")) as any Router } }
      #expect(await graph != other.graph())
    }
    // The order in which the dependencies of one registration are registered does not matter, either.
    do {
      func graph(_ names: DependencyName...) async -> DependencyGraph {
        let container = DIContainer()
        for name in names { container.register(Shared(AppConfigurationImpl() as any AppConfiguration, named: name)) }
        container.register(
          New { resolve in [resolve(named: "a"), resolve(named: "b")] as [any AppConfiguration] })
        return await container.graph()
      }
      #expect(await graph("a", "b") == graph("b", "a"))
      // Types of one short name are different.
      enum Live { final class API: Sendable {} }
      enum Demo { final class API: Sendable {} }
      let containers = (DIContainer(), DIContainer())
      containers.0.register(Shared(Live.API()))
      containers.1.register(Shared(Demo.API()))
      #expect(await containers.0.graph() != containers.1.graph())
    }
    // Names of types and of registrations are text in a graph, whatever characters they have.
    do {
      let container = DIContainer()
      container.register(New([String: Int](), named: DependencyName(#"`a` "b" <c> & #\n"# + "\r\n")))
      let line = #line - 1
      let graph = await container.graph()
      let (mermaid, dot) = (graph.mermaid, graph.dot)
      #expect(
        mermaid.contains(
          #"n0["Dictionary#lt;String, Int#gt; (#96;a#96; #quot;b#quot; #lt;c#gt; #amp; #35;\n )<br/>New<br/>\#(place(line))"]"#
        ),
        "\(mermaid)")
      #expect(
        dot.contains(#"n0 [label="Dictionary<String, Int> (`a` \"b\" <c> & #\\n )\nNew\n\#(place(line))"];"#), "\(dot)")
    }
  }
}
