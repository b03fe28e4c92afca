internal import DITesting
internal import DependencyInjection
internal import Synchronization
internal import Testing

extension DIContainer {
  fileprivate static let configuration = Dependency<any AppConfiguration>(.shared) { AppConfigurationImpl() }
  fileprivate static let router = Dependency<any Router>(.shared) { resolve in
    RouterImpl(config: configuration())
  }
  fileprivate static let viewModel = Dependency<any ViewModel> { ConcreteViewModel(id: "declared") }
  fileprivate static let item = Dependency { (_: Resolver, id: String) in ConcreteViewModel(id: id) as any ViewModel }
  fileprivate static let other = Dependency<any ViewModel, String, Int> { _, id, count in
    ConcreteViewModel(id: String(repeating: id, count: count))
  }
  fileprivate static let opened = Dependency<any ViewModel, String> { (_, id) async in
    await Task.yield()
    return ConcreteViewModel(id: id)
  }
  fileprivate static let maybe = Dependency<(any MediaPlayer)?>(.shared) { nil }
  @MainActor fileprivate static let screen = Dependency<Screen>(.shared) { @MainActor in Screen() }
  fileprivate static let motor = Dependency<Motor>(.shared) { resolve in try makeMotor(resolve) }
}

private struct Stalled: Error {}

private final class Motor: Sendable {
  init(isStalled: Bool = false) throws { if isStalled { throw Stalled() } }
}

private final class ThrowingRouter: Router {
  let config: (any AppConfiguration)? = nil
  init() throws {}
}

private func makeMotor(_ resolve: Resolver) throws -> Motor { try Motor(isStalled: true) }

private func start(_ motor: Motor) async {}

@Suite(.isolatedContainer(.empty))
struct DependencyTests {
  @Test("A declared dependency resolves, with its lifetime, everywhere, and snapshots and listings see it")
  func resolves() throws {
    let snapshot = DIContainer.snapshot()
    let router = DIContainer.router()
    #expect(DIContainer.current.registrations.contains { $0.location.file.description == #fileID })
    DIContainer.restore(snapshot)
    #expect(
      DIContainer.router() !== router
        && DIContainer.router(from: DIContainer(copying: DIContainer.current.registry, withObservers: false)) !== router
    )
    do {
      struct Owner {
        @Inject(DIContainer.router) var eager
        @LazyInject(DIContainer.router) var lazy
        @MutableInject(DIContainer.router) var mutable
        @MutableLazyInject(DIContainer.router) var mutableLazy
      }
      let router = DIContainer.router()
      let owner = Owner()
      #expect(owner.eager === router && owner.lazy === router && owner.mutable === router)
      #expect(
        try owner.mutableLazy === router && DIContainer.router(from: DIContainer.current) === router
          && DIContainer.router.tryResolve(from: DIContainer.current) === router)
      #expect(
        router.config as AnyObject === DIContainer.configuration() as AnyObject
          && DIContainer.viewModel().id == "declared" && DIContainer.maybe() == nil)
      #expect(DIContainer.resolve((any Router)?.self) == nil)
    }
  }

  @Test("A factory that throws and does not await is synchronous, and what it throws is the cause, or its actor")
  func throwing() async throws {
    let line = #line + 1
    let error = failure { try DIContainer.motor.tryResolve() }
    #expect(
      error?.code == .factoryFailed && error?.underlyingError is Stalled
        && error.map { "\($0.location)" } == place(line))
    #expect(failure { try DIContainer.motor.tryResolve(from: DIContainer.current) }?.code == .factoryFailed)
    DIContainer.motor.register { try Motor() }
    #expect(try DIContainer.motor.tryResolve() === DIContainer.motor())
    DIContainer.motor.register(.new) { resolve in
      _ = DIContainer.viewModel(from: resolve)
      return try Motor(isStalled: true)
    }
    #expect(
      failure { try DIContainer.motor.tryResolve() }?.underlyingError is Stalled
        && failure { try DIContainer.motor.tryResolve() }?.underlyingError is Stalled)
    #expect(failure { try DIContainer.router.tryResolve() } == nil)
    // A resolution on the wrong actor is an error.
    do {
      let screen = await DIContainer.screen
      let container = DIContainer.current
      let error = await Task.detached { failure { try screen.tryResolve(from: container) } }.value
      #expect(error?.code == .wrongActor)
      _ = await MainActor.run { screen(from: container) }
      #expect((try? screen.tryResolve(from: container)) != nil)
    }
  }

  @Test("Each form of a factory is synchronous unless it awaits")
  func forms() async throws {
    func isSynchronous<Value>(_ dependency: Dependency<Value>) async throws -> Bool {
      _ = try await dependency.resolveAsync()
      let error = failure { try dependency.tryResolve() }
      #expect(error == nil || error?.code == .asynchronous)
      return error == nil
    }
    let synchronous = try await [
      isSynchronous(Dependency<any Router> { MockRouter() }),
      isSynchronous(Dependency<any Router>(.new, MockRouter.init)),
      isSynchronous(Dependency<any Router>(.new, ThrowingRouter.init)),
      isSynchronous(Dependency<any Router> { try ThrowingRouter() }),
      isSynchronous(Dependency { _ in try Motor() }),
      isSynchronous(
        Dependency<any Router> { resolve in
          let config = DIContainer.configuration(from: resolve)
          return RouterImpl(config: config)
        }),
      isSynchronous(
        Dependency<Motor> { resolve in
          let motor = try Motor()
          _ = DIContainer.configuration(from: resolve)
          return motor
        }),
    ]
    let asynchronous = try await [
      isSynchronous(
        Dependency<Motor> {
          let motor = try Motor()
          await start(motor)
          return motor
        }),
      isSynchronous(
        Dependency<any Router> { resolve in
          _ = try await DIContainer.configuration.resolveAsync(from: resolve)
          return MockRouter()
        }),
    ]
    #expect(!synchronous.contains(false) && !asynchronous.contains(true), "\(synchronous), \(asynchronous)")
  }

  @Test("A resolution that cannot throw traps with the error of the factory", .exitTest)
  func trap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { stall() }
    #expect(result?.trapped(with: "The factory of 'Motor' failed.") == true, "\(result?.message ?? "")")
    #expect(result?.message.contains("error      Stalled()") == true)
  }

  @Test("A call passes the arguments that the factory takes, and an override gets them")
  func arguments() async throws {
    #expect([DIContainer.item("42").id, DIContainer.other("a", 2).id] == ["42", "aa"])
    #expect(try await [DIContainer.item.tryResolve("1").id, DIContainer.item.resolveAsync("2").id] == ["1", "2"])
    #expect(DIContainer.item("3", from: .current).id == "3")
    #expect(Dependency<any ViewModel, String>(ConcreteViewModel.init(id:))("4").id == "4")
    #expect(try await DIContainer.opened.resolveAsync("5").id == "5")
    #expect(failure { try DIContainer.opened.tryResolve("6") }?.code == .asynchronous)
    let nested = Dependency { (resolve: Resolver, id: String) in
      (DIContainer.item(id, from: resolve), try DIContainer.item.tryResolve(id + "!", from: resolve))
    }
    let (first, second) = try nested.tryResolve("7")
    #expect(first.id == "7" && second.id == "7!")
    let asynchronous = Dependency { (resolve: Resolver, id: String) in
      try await DIContainer.opened.resolveAsync(id, from: resolve)
    }
    #expect(try await asynchronous.resolveAsync("8").id == "8")
    DIContainer.item.register { _, id in ConcreteViewModel(id: "override of \(id)") }
    var ids = [DIContainer.item("1").id]
    DIContainer.item.register { id in ConcreteViewModel(id: "another of \(id)") }
    ids.append(DIContainer.item("1").id)
    DIContainer.item.register(.new) { id in ConcreteViewModel(id: "third of \(id)") }
    ids.append(DIContainer.item("1").id)
    DIContainer.item.register(ConcreteViewModel.init(id:))
    ids.append(DIContainer.item("1").id)
    DIContainer.opened.register { (_, id) async in ConcreteViewModel(id: "opened \(id)") }
    ids.append(try await DIContainer.opened.resolveAsync("1").id)
    DIContainer.opened.register { id async in ConcreteViewModel(id: "reopened \(id)") }
    ids.append(try await DIContainer.opened.resolveAsync("1").id)
    #expect(ids == ["override of 1", "another of 1", "third of 1", "1", "opened 1", "reopened 1"])
  }

  @Test("Each form of a declaration has its lifetime and its location")
  func declarations() async throws {
    let container = DIContainer()
    container.register(Shared(AppConfigurationImpl() as any AppConfiguration))
    let shared = [
      Dependency<RouterImpl>(.shared, line: 1) { _ in RouterImpl() },
      Dependency(.shared, line: 2) { RouterImpl() },
      Dependency(.shared, autowire: RouterImpl.init(config:), line: 3),
      Dependency(.shared, line: 4) { (_: Resolver) async in RouterImpl() },
      Dependency(.shared, line: 5) { () async in RouterImpl() },
      Dependency(instancePerArgument: .shared, line: 6) { (_: Resolver) in RouterImpl() },
      Dependency({ RouterImpl() }, line: 7),
    ]
    for (number, dependency) in zip(1..., shared) {
      #expect("\(dependency.location)" == place(number))
      let first = try await dependency.resolveAsync(from: container)
      let second = try await dependency.resolveAsync(from: container)
      #expect((first === second) == (number < 7), "\(number)")
    }
  }

  @Test("Each form of an override has its lifetime, or that of the declaration, and its location")
  func overrideForms() {
    let router = Dependency<RouterImpl>(.weak) { RouterImpl() }
    let modules = [
      router.overridden(.shared, line: 1) { _ in RouterImpl() },
      router.overridden(.shared, line: 2) { RouterImpl() },
      router.overridden(.shared, line: 3) { (_: Resolver) async in RouterImpl() },
      router.overridden(.shared, line: 4) { () async in RouterImpl() },
      router.overridden({ RouterImpl() }, line: 5),
    ]
    let registering: [() -> Void] = [
      { router.register(.shared, line: 1) { _ in RouterImpl() } },
      { router.register(.shared, line: 2) { RouterImpl() } },
      { router.register(.shared, line: 3) { (_: Resolver) async in RouterImpl() } },
      { router.register(.shared, line: 4) { () async in RouterImpl() } },
      { router.register({ RouterImpl() }, line: 5) },
    ]
    var listings: [String] = []
    for register in modules.map({ module in { DIContainer.register(module) } }) + registering {
      let container = DIContainer()
      DIContainer.withCurrent(container, register)
      listings.append(container.registrations.map { $0.description }.joined())
    }
    let expected = (1...5).map { "\($0 < 5 ? "Shared" : "Weak") RouterImpl at \(place($0))" }
    #expect(listings == expected + expected)
  }

  @Test("What a declared dependency creates for a resolver belongs to the graph of its factory, on any thread")
  func graph() async throws {
    final class Session: Sendable {}
    let sessions = Dependency<[Session], Int> { resolve, _ in [resolve()] }
    let container = DIContainer()
    container.register {
      PerGraph(Session())
      New { resolve async throws -> [[Session]] in
        [
          [resolve()],
          try await onOwnThread { sessions(1, from: resolve) },
          try await onOwnThread { try sessions.tryResolve(1, from: resolve) },
          try await Task.detached { try await sessions.resolveAsync(1, from: resolve) }.value,
        ]
      }
    }
    let all = try await container.resolveAsync([[Session]].self).joined()
    #expect(Set(all.map { ObjectIdentifier($0) }).count == 1)
  }

  @Test("Threads that resolve a declared dependency first get one instance")
  func race() {
    let container = DIContainer()
    let calls = CallCounter()
    let dependency = Dependency<RouterImpl>(.shared) {
      calls.call()
      return RouterImpl()
    }
    onThreads(8) { _ in _ = dependency(from: container) }
    #expect(calls.count == 1)
  }

  @Test("An override is checked by the compiler, holds in the current container, and is no duplicate")
  func overrides() {
    let router = DIContainer.router()
    DIContainer.router.unregister()
    #expect(DIContainer.router() === router)
    do {
      let router = DIContainer.router()
      DIContainer.withOverrides {
      } perform: {
        DIContainer.configuration.register { AppConfigurationImpl("override") }
        #expect(DIContainer.router().config?.name == "override")
        DIContainer.router.register(.new) { MockRouter() }
        #expect(DIContainer.router() is MockRouter && DIContainer.router() !== DIContainer.router())
        DIContainer.router.unregister()
        #expect(DIContainer.router().config?.name == "override")
      }
      #expect(DIContainer.router() === router)
      DIContainer.router.register { resolve in RouterImpl(config: DIContainer.configuration(from: resolve)) }
      #expect(DIContainer.router() !== router && DIContainer.router() === DIContainer.router())
    }
    // A registration for builders and modules.
    do {
      let container = DIContainer()
      container.rejectsDuplicates = true
      let module = Module { DIContainer.router.overridden { MockRouter() } }
      container.register {
        module
        DIContainer.router.overridden(MockRouter.init)
        DIContainer.router.overridden(.new) { MockRouter() }
      }
      let (first, second) = (DIContainer.router(from: container), DIContainer.router(from: container))
      #expect(first is MockRouter && first !== second)
      container.register(module)
      #expect(
        DIContainer.router(from: container) === DIContainer.router(from: container)
          && container.registrations.map(\.lifetime) == [.shared])
      DIContainer.withOverrides {
        DIContainer.router.overridden { resolve in RouterImpl(config: DIContainer.configuration(from: resolve)) }
      } perform: {
        #expect(DIContainer.router() is RouterImpl)
      }
    }
  }
}

private protocol Numbered: Sendable {
  var number: Int { get }
}

extension DIContainer {
  fileprivate static let numbered = Dependency<any Numbered>(.shared) { Replaced.Object(0) }
}

/// In the shared container, what answers may be replaced by any kind, also while threads resolve it.
///
/// `DirectFactoryTests` checks it in a process of its own, because only there static resolves look right into the container.
enum Replaced {
  final class Object: Numbered {
    let number: Int
    let token: LifetimeToken?
    init(_ number: Int, _ token: LifetimeToken? = nil) { (self.number, self.token) = (number, token) }
  }

  struct Value: Numbered {
    let number: Int
    let token: LifetimeToken
  }

  static func check() {
    let counter = LifetimeCounter()
    precondition(DIContainer.numbered().number == 0)
    let isDone = Atomic(false)
    onThreads(3) { thread in
      if thread > 0 {
        var last = 0
        while !isDone.load(ordering: .relaxed) {
          let found = DIContainer.numbered()
          precondition(found.number >= last && (found as? Value)?.token.isIntact != false, "nothing old is found")
          last = found.number
        }
        return
      }
      for number in stride(from: 3, to: 300, by: 3) {
        DIContainer.numbered.register(.shared) { Object(number, counter.token()) }
        check(number, isSame: true)
        DIContainer.numbered.register(.shared) { Value(number: number + 1, token: counter.token()) }
        check(number + 1, isSame: false)
        DIContainer.numbered.register(.new) { Object(number + 2, counter.token()) }
        check(number + 2, isSame: false)
      }
      isDone.store(true, ordering: .relaxed)
    }
    DIContainer.numbered.unregister()
    check(0, isSame: true)
    precondition(counter.created > 200 && counter.alive == 0, "what was replaced is released")
  }

  private static func check(_ number: Int, isSame: Bool) {
    for _ in 0..<20 {
      let pair = (DIContainer.numbered(), DIContainer.numbered())
      precondition(pair.0.number == number && pair.1.number == number)
      precondition((pair.0 as? Object).map { $0 === pair.1 as? Object } ?? false == isSame)
    }
  }
}

private func stall() {
  expectTrap(atLine: #line + 1)
  _ = DIContainer.motor()
}
