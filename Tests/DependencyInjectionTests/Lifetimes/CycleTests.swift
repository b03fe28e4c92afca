internal import DependencyInjection
internal import Testing

private let selfish = Dependency<[Int]>(.shared) { resolve in try askForSelfish(resolve) }

/// A function, because a variable cannot refer to itself.
private func askForSelfish(_ resolve: Resolver) throws -> [Int] { try selfish.tryResolve(from: resolve) }

@Suite(.timeLimit(.minutes(20)))
struct CycleTests {
  let container = DIContainer()

  /// Stands for a type in a cycle.
  struct Node<Index> {
    let text: String
    init(_ text: String = "") { self.text = text }
  }

  enum A {}
  enum B {}
  enum C {}

  private func link<Life: InstanceRegistration, From, To>(_: From.Type, _: To.Type) -> Life {
    Life { resolve in
      _ = try resolve.tryResolve(Node<To>.self)
      return Node<From>()
    }
  }

  private func shared<From, To>(_ from: From.Type, needs to: To.Type) -> Shared { link(from, to) }

  private func new<From, To>(_ from: From.Type, needs to: To.Type) -> New { link(from, to) }

  private func perGraph<From, To>(_ from: From.Type, needs to: To.Type) -> PerGraph { link(from, to) }

  @Test("A Shared that needs itself")
  func sharedSelf() throws {
    let line = #line + 2
    container.register(
      Shared { resolve in
        _ = try resolve.tryResolve(Node<A>.self)
        return Node<A>()
      })
    let error = failure { try container.tryResolve(Node<A>.self) }
    #expect(error?.brief == "cycle: Node<A> Node<A>")
    #expect(
      error?.description == """
        'Node<A>' depends on itself.
          resolving  Node<A> → Node<A>
          asked at   \(place(line + 1))
          registered \(place(line))
          note       to wrap what another registration creates, use `Decorated(CycleTests.Node<CycleTests.A>.self)`; otherwise \
        break the cycle by injecting one of these with `@LazyInject`, or by passing it after creation; do not use it in an \
        initializer
        """)
  }

  @Test("A factory with arguments may lead back, whatever else of the type is in between")
  func throughArguments() throws {
    let calls = CallCounter()
    container.register {
      New { resolve in Node<A>(calls.call() == 1 ? try resolve.tryResolve(Node<B>.self) { 1 }.text : "end") }
      New { (resolve: Resolver, _: Int) in Node<B>(try resolve.tryResolve(Node<A>.self, named: "inner").text) }
      New({ resolve in Node<A>(try resolve.tryResolve(Node<A>.self).text) }, named: "inner")
    }
    #expect(try container.tryResolve(Node<A>.self).text == "end" && calls.count == 2)
  }

  @Test("What could be decorated in place of a cycle is named with its name, and no declaration of a dependency is")
  func decorated() {
    let cure = "break the cycle by injecting one of these with `@LazyInject`"
    let rest = ", or by passing it after creation; do not use it in an initializer"
    container.register(New({ resolve in try resolve.tryResolve(String.self, named: "one") + "" }, named: "one"))
    #expect(
      failure { try container.tryResolve(String.self, named: "one") }?.notes == [
        #"to wrap what another registration creates, use `Decorated(String.self, named: "one")`; otherwise "# + cure
          + ", which gets another instance because nothing keeps these" + rest
      ])
    // As the note says.
    container.register {
      New("made", named: "one")
      Decorated(String.self, named: "one") { text, _ in text + ", wrapped" }
    }
    #expect(container.resolve(String.self, named: "one") == "made, wrapped")
    #expect(failure { try selfish.tryResolve(from: container) }?.notes == [cure + rest])
  }

  @Test("A cycle has the whole path, once around, with the way into it, whatever the lifetimes")
  func paths() {
    let cases: [(registrations: [any Registration], path: String, isKept: Bool)] = [
      ([shared(A.self, needs: B.self), shared(B.self, needs: C.self), shared(C.self, needs: A.self)], "A B C A", true),
      ([shared(A.self, needs: C.self), shared(C.self, needs: B.self), shared(B.self, needs: A.self)], "A C B A", true),
      ([new(A.self, needs: B.self), shared(B.self, needs: C.self), shared(C.self, needs: B.self)], "A B C B", true),
      ([shared(A.self, needs: B.self), new(B.self, needs: C.self), new(C.self, needs: B.self)], "A B C B", false),
      ([new(A.self, needs: A.self)], "A A", false),
      ([new(A.self, needs: B.self), new(B.self, needs: A.self)], "A B A", false),
      ([perGraph(A.self, needs: A.self)], "A A", false),
      ([perGraph(A.self, needs: B.self), perGraph(B.self, needs: A.self)], "A B A", false),
    ]
    for (registrations, path, isKept) in cases {
      let container = DIContainer()
      for registration in registrations { container.register(registration) }
      let error = failure { try container.tryResolve(Node<A>.self) }
      #expect(error?.brief == "cycle: " + path.split(separator: " ").map { "Node<\($0)>" }.joined(separator: " "))
      #expect(error?.notes.first?.contains("another instance because nothing keeps these") == !isKept)
    }
    // One through aliases names what was asked for.
    container.register {
      Shared(
        { resolve in
          _ = try resolve.tryResolve((any Cache).self)
          return RouterImpl()
        }, as: (any Router).self, (any DeeplinkHandler).self)
      Shared { resolve in
        _ = try resolve.tryResolve((any DeeplinkHandler).self)
        return DiskCache() as any Cache
      }
    }
    #expect(failure { try container.tryResolve((any Router).self) }?.brief == "cycle: Router Cache DeeplinkHandler")
  }

  @Test(
    "A cycle of New is found before one of its factories runs a second time, below other factories, too",
    arguments: 1...9, [false, true])
  func newCycleIsFoundAtOnce(length: Int, isAsync: Bool) async throws {
    for above in 0..<8 {
      let container = DIContainer()
      let count = above + length
      let calls = (0..<count).map { _ in CallCounter() }
      for (index, call) in calls.enumerated() {
        let (name, next) = (DependencyName("\(index)"), DependencyName("\(index + 1 < count ? index + 1 : above)"))
        if isAsync {
          container.register(
            New(
              { resolve in
                call.call()
                return Node<A>(try await resolve.resolveAsync(Node<A>.self, named: next).text)
              }, named: name))
        } else {
          container.register(
            New(
              { resolve in
                call.call()
                return Node<A>(try resolve.tryResolve(Node<A>.self, named: next).text)
              }, named: name))
        }
      }
      let error = await #expect(throws: ResolutionError.self) {
        try await container.resolveAsync(Node<A>.self, named: "0")
      }
      #expect(error?.code == .cycle)
      #expect(error?.path.count == count + 1, "once around, and the first again")
      for call in calls { #expect(call.count == 1, "below \(above) factories") }
    }
  }

  @Test("A New that creates others of its type in containers of their own is no cycle", arguments: [false, true])
  func newInContainers(isAsync: Bool) async throws {
    let depth = 20
    @Sendable func register(_ level: Int, in container: DIContainer) { container.register(New("\(level)")) }
    if isAsync {
      container.register(
        New { resolve -> Node<A> in
          let level = Int(resolve(String.self)) ?? 0
          if level == depth { return Node<A>("end") }
          let container = DIContainer(parent: .current)
          register(level + 1, in: container)
          return Node<A>(try await container.resolveAsync(Node<A>.self).text)
        })
    } else {
      container.register(
        New { resolve -> Node<A> in
          let level = Int(resolve(String.self)) ?? 0
          if level == depth { return Node<A>("end") }
          let container = DIContainer(parent: .current)
          register(level + 1, in: container)
          return Node<A>(try container.tryResolve(Node<A>.self).text)
        })
    }
    register(0, in: container)
    #expect(try await container.resolveAsync(Node<A>.self).text == "end")
  }

  @Test("A New of a container and a Shared of its child close a cycle for the child only")
  func acrossContainers() throws {
    container.register(new(A.self, needs: B.self))
    let child = DIContainer(parent: container)
    child.register(shared(B.self, needs: A.self))
    #expect(
      failure { try child.tryResolve(Node<A>.self) }?.brief == "cycle: Node<A> Node<B> Node<A>"
        && failure { try child.tryResolve(Node<B>.self) }?.path == ["Node<B>", "Node<A>", "Node<B>"])
    #expect(failure { try container.tryResolve(Node<A>.self) }?.code == .missingRegistration)
    // What a container keeps knows nothing of its child, and closes a cycle only if its factory asks the child.
    do {
      let container = DIContainer()
      let child = DIContainer(parent: container)
      child.register(shared(B.self, needs: A.self))
      container.register(shared(A.self, needs: B.self))
      for asked in [container, child] {
        #expect(failure { try asked.tryResolve(Node<A>.self) }?.brief == "missingRegistration: Node<A> Node<B>")
      }
      container.register(
        Shared { [weak child] in
          _ = try child?.tryResolve(Node<B>.self)
          return Node<A>()
        })
      for asked in [container, child] {
        #expect(failure { try asked.tryResolve(Node<A>.self) }?.brief == "cycle: Node<A> Node<B> Node<A>")
      }
    }
  }

  @Test("A cycle traps with its path, without overflowing the stack, in factories and through @Inject", .exitTest)
  func traps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Trapping.sharedTraps()
    }
    #expect(
      result?.trapped(
        with: "'Router' depends on itself.\n  resolving  Router → AppConfiguration → Router\n") == true)
    do {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        DIContainer.register {
          New { resolve in RouterImpl(config: resolve()) as any Router }
          New { resolve in AppConfigurationImpl("\(resolve((any Router).self))") as any AppConfiguration }
        }
        _ = DIContainer.resolve((any Router).self)
      }
      #expect(result?.message.contains("depends on itself.\n  resolving  Router → AppConfiguration → Router") == true)
    }
    do {
      let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        DIContainer.withCurrent(DIContainer()) {
          DIContainer.register {
            Shared(InjectingRouter() as any Router)
            New(InjectingCache() as any Cache)
          }
          _ = DIContainer.resolve((any Router).self)
        }
      }
      #expect(
        result?.message.contains("'Router' depends on itself.\n  resolving  Router → Cache → Router\n") == true,
        "\(result?.message ?? "")")
    }
  }

  @Test("Recursion with arguments is no cycle up to 256 factories, and hides none")
  func deepRecursion() throws {
    container.register(
      New { (resolve: Resolver, n: Int) -> [Int] in n == 0 ? [] : [n] + (try resolve.tryResolve([Int].self) { n - 1 }) }
    )
    #expect(try container.tryResolve([Int].self) { 255 }.count == 255)
    let error = try #require(failure { try container.tryResolve([Int].self) { 256 } })
    #expect(error.code == .cycle)
    #expect(error.description.contains("256"), "\(error)")
    // On the next request, nothing is left of it.
    #expect(try container.tryResolve([Int].self) { 255 }.count == 255)
    // Nor if its levels go through a factory without arguments.
    do {
      let container = DIContainer()
      let rest = CallCounter()
      container.register {
        New { (resolve: Resolver, n: Int) -> String in n == 0 ? "end" : try resolve.tryResolve(Node<A>.self).text }
        New { resolve -> Node<A> in
          let text = try resolve.tryResolve(String.self) { 20 - rest.call() }
          return Node<A>(text)
        }
      }
      #expect(failure { try container.tryResolve(String.self) { 20 } } == nil)
    }
    // A cycle after a recursion with arguments is shown once, and what leads to it stays.
    do {
      let container = DIContainer()
      let calls = CallCounter()
      container.register {
        New { (resolve: Resolver, _: Int) -> String in try resolve.tryResolve(Node<A>.self).text }
        New { resolve -> Node<A> in
          if calls.call() == 1 { return Node<A>(try resolve.tryResolve(String.self) { 1 }) }
          return Node<A>(try resolve.tryResolve(Node<B>.self).text)
        }
        New { resolve -> Node<B> in Node<B>(try resolve.tryResolve(Node<A>.self).text) }
      }
      let path = try #require(failure { try container.tryResolve(Node<A>.self) }).path
      #expect(path.starts(with: ["Node<A>", "String", "Node<A>", "Node<B>", "Node<A>"]) && path.count <= 6, "\(path)")
    }
  }

  @Test("The path across threads has what no thread keeps, too, wherever the cycle closes")
  func newBetweenWaits() {
    for _ in 0..<20 {
      let (container, start) = (DIContainer(), Rendezvous(of: 2))
      container.register {
        Shared { resolve in
          start.meet()
          _ = try resolve.tryResolve(Node<B>.self)
          return Node<A>()
        }
        new(B.self, needs: C.self)
        Shared { resolve in
          start.meet()
          _ = try resolve.tryResolve(Node<A>.self)
          return Node<C>()
        }
      }
      let paths = onThreads(2) { thread in
        let error =
          thread == 0
          ? failure { try container.tryResolve(Node<A>.self) } : failure { try container.tryResolve(Node<C>.self) }
        return error?.path ?? []
      }
      let ways = [["Node<A>", "Node<B>", "Node<C>", "Node<A>"], ["Node<C>", "Node<A>", "Node<B>", "Node<C>"]]
      #expect(paths.allSatisfy(ways.contains), "\(paths)")
    }
  }

  @Test(
    "A lazy property and a thread of a factory close a cycle: an error, or the end of the process with a reason",
    .exitTest)
  func lazyAndHelperThread() async throws {
    let (container, error) = (container, Monitor<ResolutionError?>(nil))
    container.register {
      Shared { resolve in
        _ = resolve(LazyOwner.self).part
        return Node<A>()
      }
      New(LazyOwner())
      // Goes without what closes the cycle, because the access to a property cannot throw.
      Shared { resolve in
        let found = onAnotherThread { failure { try resolve.tryResolve(Node<A>.self) } }
        error.change { $0 = found }
        return Node<B>()
      }
    }
    try await watched { _ = try await onOwnThread { try container.tryResolve(Node<A>.self) } }
    let found = try #require(error.change { $0 })
    #expect(found.brief == "cycle: Node<A> Node<B> Node<A>")
    // If the first access leads to itself.
    do {
      let result = try await watched {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          Trapping.lazyOnHelperThread()
        }
      }
      #expect(result?.message.contains("'Node<B>' depends on itself") == true, "\(result?.message ?? "")")
    }
  }
}

private final class InjectingRouter: Router {
  @Inject var cache: any Cache
  var config: (any AppConfiguration)? { nil }
}

private final class InjectingCache: Cache {
  @Inject var router: any Router
}

/// Needs a part when it is asked for it.
private final class LazyOwner {
  @LazyInject var part: CycleTests.Node<CycleTests.B>
}

// What ends a process. Not in the closures of the exit tests, because lines do not count there.
private enum Trapping {
  static func sharedTraps() {
    expectTrap(atLine: #line + 3)
    DIContainer.register {
      Shared { resolve in RouterImpl(config: resolve()) as any Router }
      Shared { resolve in AppConfigurationImpl("\(resolve((any Router).self))") as any AppConfiguration }
    }
    _ = DIContainer.resolve((any Router).self)
  }

  static func lazyOnHelperThread() {
    let container = DIContainer()
    let owner = Transfer(DIContainer.withCurrent(container) { LazyOwner() })
    container.register {
      Shared { resolve in
        _ = onAnotherThread { resolve(CycleTests.Node<CycleTests.C>.self) }
        return CycleTests.Node<CycleTests.B>()
      }
      Shared {
        _ = owner.value.part
        return CycleTests.Node<CycleTests.C>()
      }
    }
    _ = owner.value.part
  }
}
