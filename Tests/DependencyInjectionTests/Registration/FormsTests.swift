@testable internal import DependencyInjection
internal import Testing

/// One way to write a registration of a router.
private struct Form {
  let testDescription: String
  let registration: any Registration
  let isFoundAs: [Found]

  enum Found { case router, handler, implementation }

  init(_ description: String, _ registration: any Registration, isFoundAs found: [Found] = [.router]) {
    testDescription = description
    self.registration = registration
    isFoundAs = found
  }

  /// Every form that call-sites.md shows, for one type of registration.
  static func all<R: InstanceRegistration>(_: R.Type) -> [Form] {
    let both: [Found] = [.router, .handler, .implementation]
    return [
      Form("autoclosure", R(RouterImpl() as any Router)),
      Form("autoclosure of its own type", R(RouterImpl()), isFoundAs: [.implementation]),
      Form("autoclosure, as:", R(RouterImpl(), as: (any Router).self, (any DeeplinkHandler).self), isFoundAs: both),
      Form("init", R(MockRouter.init, as: MockRouter.self, (any Router).self), isFoundAs: [.router]),
      Form("overloaded init", R(RouterImpl.init as @Sendable () -> RouterImpl), isFoundAs: [.implementation]),
      Form(
        "init, as:", R(MockRouter.init, as: (any Router).self, (any DeeplinkHandler).self),
        isFoundAs: [.router, .handler]),
      Form("closure", R { RouterImpl() as any Router }),
      Form("closure of its own type", R { RouterImpl() }, isFoundAs: [.implementation]),
      Form("closure, as:", R({ RouterImpl() }, as: (any Router).self, (any DeeplinkHandler).self), isFoundAs: both),
      Form("throwing closure", R { try self.throwing() as any Router }),
      Form("resolver closure", R { resolve in RouterImpl(config: resolve()) as any Router }),
      Form("resolver closure, type named", R { RouterImpl(config: $0((any AppConfiguration).self)) as any Router }),
      Form("resolver closure, $0", R { RouterImpl(config: $0.resolve()) as any Router }),
      Form(
        "resolver closure, $0 of its own type", R { RouterImpl(config: $0.resolve()) }, isFoundAs: [.implementation]),
      Form("resolver closure, tryResolve", R { RouterImpl(config: try $0.tryResolve()) as any Router }),
      Form(
        "resolver closure, as:", R({ resolve in RouterImpl(config: resolve()) }, as: (any Router).self),
        isFoundAs: [.router, .implementation]),
      Form(
        "resolver closure, two aliases",
        R({ resolve in RouterImpl(config: resolve()) }, as: (any Router).self, (any DeeplinkHandler).self),
        isFoundAs: both),
      Form(
        "checked aliases",
        R(RouterImpl(), aliases: { $0 as any Router }, { $0 as any DeeplinkHandler }), isFoundAs: both),
      Form("one checked alias", R(RouterImpl(), aliases: { $0 as any Router }), isFoundAs: [.router, .implementation]),
      Form("module", Module(R(RouterImpl() as any Router))),
      Form("module of modules", Module { Module { R(RouterImpl() as any Router) } }),
    ]
  }

  private static func throwing() throws -> RouterImpl { RouterImpl() }

  /// What the container has for the types under which the form is found.
  func resolveAll(from container: DIContainer) throws -> [AnyObject] {
    try isFoundAs.map { found in
      switch found {
      case .router: try container.tryResolve((any Router).self)
      case .handler: try container.tryResolve((any DeeplinkHandler).self)
      case .implementation: try container.tryResolve(RouterImpl.self)
      }
    }
  }
}

struct FormsTests {
  let container = DIContainer()

  init() { container.register(Shared(AppConfigurationImpl() as any AppConfiguration)) }

  @Test("A form is found under the types it names and its own: one instance of a Shared, and new ones of a New")
  func all() throws {
    for (form, isNew) in Form.all(Shared.self).map({ ($0, false) }) + Form.all(New.self).map({ ($0, true) }) {
      let container = Self().container
      container.register(form.registration)
      let instances = try form.resolveAll(from: container) + form.resolveAll(from: container)
      let count = Set(instances.map { ObjectIdentifier($0) }).count
      #expect(count == (isNew ? instances.count : 1), "\(form.testDescription)")
      let router = try #require(instances[0] as? any Router)
      let usesResolver = form.testDescription.contains("resolver")
      #expect((router.config?.name == "production") == usesResolver, "\(form.testDescription)")
      var found: [Form.Found] = []
      if container.resolve((any Router)?.self) != nil { found.append(.router) }
      if container.resolve((any DeeplinkHandler)?.self) != nil { found.append(.handler) }
      if container.resolve(RouterImpl?.self) != nil { found.append(.implementation) }
      #expect(found == form.isFoundAs, "\(form.testDescription)")
    }
  }

  @Test("Every form is listed with its lifetime, its alias, its name and its location")
  func listed() {
    let scope = Scope("session")
    let shared = [
      Shared(RouterImpl(), as: (any Router).self, named: "form", line: 1),
      Shared(onMain: RouterImpl(), as: (any Router).self, named: "form", line: 2),
      Shared(RouterImpl(), aliases: { $0 as any Router }, named: "form", line: 3),
      Shared({ RouterImpl() }, as: (any Router).self, named: "form", line: 4),
      Shared({ _ in RouterImpl() }, as: (any Router).self, named: "form", line: 5),
      Shared({ (_, _: Int) in RouterImpl() }, as: (any Router).self, named: "form", line: 6),
      Shared({ () async in RouterImpl() }, as: (any Router).self, named: "form", line: 7),
      Shared({ (_: Resolver) async in RouterImpl() }, as: (any Router).self, named: "form", line: 8),
      Shared(autowire: RouterImpl.init(config:), as: (any Router).self, named: "form", line: 9),
    ]
    expectListed(shared, "Shared")
    let scoped = [
      Scoped(in: scope, RouterImpl(), as: (any Router).self, named: "form", line: 1),
      Scoped(in: scope, onMain: RouterImpl(), as: (any Router).self, named: "form", line: 2),
      Scoped(in: scope, RouterImpl(), aliases: { $0 as any Router }, named: "form", line: 3),
      Scoped(in: scope, { RouterImpl() }, as: (any Router).self, named: "form", line: 4),
      Scoped(in: scope, { _ in RouterImpl() }, as: (any Router).self, named: "form", line: 5),
      Scoped(in: scope, { () async in RouterImpl() }, as: (any Router).self, named: "form", line: 6),
      Scoped(in: scope, { (_: Resolver) async in RouterImpl() }, as: (any Router).self, named: "form", line: 7),
      Scoped(in: scope, autowire: RouterImpl.init(config:), as: (any Router).self, named: "form", line: 8),
    ]
    expectListed(scoped, "Scoped(in: session)")
    let onMain = [
      MainShared(RouterImpl(), as: (any Router).self, named: "form", line: 1),
      MainShared({ RouterImpl() }, as: (any Router).self, named: "form", line: 2),
      MainShared({ _ in RouterImpl() }, as: (any Router).self, named: "form", line: 3),
      MainShared({ () async in RouterImpl() }, as: (any Router).self, named: "form", line: 4),
      MainShared({ (_: Resolver) async in RouterImpl() }, as: (any Router).self, named: "form", line: 5),
      MainShared(autowire: RouterImpl.init(config:), as: (any Router).self, named: "form", line: 6),
    ]
    expectListed(onMain, "Shared")
  }

  /// Expects that each form is listed as a router at the line of its number.
  private func expectListed(_ forms: [some Registration], _ lifetime: String) {
    for (number, form) in zip(1..., forms) {
      let container = DIContainer()
      container.register(form)
      let listing = container.registrations.map { $0.description }.joined()
      #expect(
        listing.hasPrefix("\(lifetime) RouterImpl") && listing.hasSuffix(" as Router (form) at \(place(number))"),
        "\(listing)")
    }
  }

  @Test("Registering creates nothing, and registers an init as what it creates, and a closure's function as one")
  func functions() {
    let counter = LifetimeCounter()
    let module = Module {
      Shared(Tracked(counter))
      New { Nested<Tracked>.make(counter) }
    }
    container.register(module)
    #expect(counter.created == 0)
    _ = container.resolve(Tracked.self)
    #expect(counter.created == 1)
    container.register(Shared { { MockRouter() } as @Sendable () -> MockRouter })
    let make = container.resolve((@Sendable () -> MockRouter).self)
    #expect(make() !== make() && container.resolve(MockRouter?.self) == nil)
    container.register(New(MockRouter.init))
    #expect(
      container.resolve(MockRouter.self) !== container.resolve(MockRouter.self)
        && container.resolve((any Router)?.self) == nil)
  }

  @Test("An expression whose value is a function is rejected, with what to write instead", .exitTest)
  func initializerWithParameters() async throws {
    let result = try #require(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        DIContainer().register(Shared(ConcreteViewModel.init))
      })
    let text = result.message
    #expect(
      text.contains("(String) -> ConcreteViewModel' is a function, and its result would never be created.")
        && text.contains(
          "for an initializer whose parameters are dependencies, write `autowire:`: `New(autowire: RouterImpl.init)`")
        && text.contains(
          "the closure must be `@Sendable`, or isolated to an actor: `{ @MainActor resolve in … }`, without `onMain:`")
    )
    #expect(text.contains("FormsTests.swift:"))
    do {
      let result = try #require(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          Self.register { (DiskCache.init as () -> DiskCache) }
        })
      #expect(
        result.message.contains("'() -> DiskCache' is a function, and its result would never be created.")
          && result.message.contains("pass a closure") && result.message.contains("FormsTests.swift:"))
    }
    do {
      let result = try #require(
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          DIContainer().register(Shared(onMain: ConcreteViewModel.init))
        })
      #expect(result.message.contains("(String) -> ConcreteViewModel' is a function"))
    }
    // The type decides, whatever kind of function it is.
    let types: [Any.Type] = [
      (() -> Void).self, (() async -> Int).self, (() throws -> Int).self, (@OtherActor () -> Int).self,
      (@MainActor () -> Int).self, (@Sendable () -> Int).self,
    ]
    #expect(types.allSatisfy { MetadataKind.function.isKind(of: $0) })
  }

  private static func register<Function>(_ function: @escaping @Sendable () -> Function) {
    DIContainer().register(Shared(function()))
  }

  @Test("Values of every kind come back as they were registered")
  func values() {
    enum Mode: Equatable { case on(level: Int), off }
    struct Point: Equatable { var x = 1.5, y = -2.5 }
    struct Mixed { let text = "text"; let router = MockRouter(); let numbers = [1, 2, 3] }
    struct Empty {}
    struct Large: Equatable { var a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8 }
    container.register {
      Shared(42)
      Shared("a string that does not fit into fifteen bytes")
      Shared(Mode.on(level: 3))
      Shared(Point())
      Shared(Mixed())
      Shared(Empty())
      Shared(Large())
      Shared((1, "two"))
      Shared([MockRouter()] as [any Router])
      Shared(SimplePlayer() as any MediaPlayer)
      Shared { { (number: Int) in number + 1 } as @Sendable (Int) -> Int }
      Shared(Int.self as Any.Type)
      Shared(MockRouter() as AnyObject)
      Shared(7 as Any)
      Shared(Failure.failed as any Error)
      Shared(MockRouter() as any Router & DeeplinkHandler)
      Shared([1] as any Collection<Int>)
      Shared(true)
      Shared(UInt8(200))
      Shared(SIMD4<Float>(repeating: 1))
      Shared(SIMD2<Double>(repeating: 2))
      Shared(SIMD4<Double>(repeating: 3))
    }
    for _ in 0..<3 {
      #expect(
        container.resolve(Int.self) == 42
          && container.resolve(String.self) == "a string that does not fit into fifteen bytes")
      #expect(
        container.resolve(Mode.self) == .on(level: 3) && container.resolve(Point.self) == Point()
          && container.resolve(Mixed.self).router === container.resolve(Mixed.self).router)
      #expect(container.resolve(Mixed.self).numbers == [1, 2, 3])
      _ = container.resolve(Empty.self)
      #expect(
        container.resolve(Large.self) == Large() && container.resolve((Int, String).self) == (1, "two")
          && container.resolve([any Router].self).count == 1)
      #expect(
        container.resolve((any MediaPlayer).self) is SimplePlayer
          && container.resolve((@Sendable (Int) -> Int).self)(1) == 2 && container.resolve(Any.Type.self) == Int.self)
      #expect(
        container.resolve(AnyObject.self) is MockRouter && container.resolve(Any.self) as? Int == 7
          && container.resolve((any Error).self) is Failure)
      #expect(
        (container.resolve((any Router & DeeplinkHandler).self) as AnyObject) is MockRouter
          && container.resolve((any Collection<Int>).self).count == 1 && container.resolve(Bool.self))
      #expect(container.resolve(UInt8.self) == 200)
      // Values that need more than a word's alignment.
      #expect(
        container.resolve(SIMD4<Float>.self) == SIMD4(repeating: 1)
          && container.resolve(SIMD2<Double>.self) == SIMD2(repeating: 2)
          && container.resolve(SIMD4<Double>.self) == SIMD4(repeating: 3)
          && container.resolve(SIMD4<Float>?.self) == SIMD4(repeating: 1))
    }
  }
}

private enum Failure: Error { case failed }

extension Nested where Inner == Tracked {
  fileprivate static func make(_ counter: LifetimeCounter) -> Self {
    _ = Tracked(counter)
    return Self()
  }
}

@globalActor
private actor OtherActor {
  static let shared = OtherActor()
}
