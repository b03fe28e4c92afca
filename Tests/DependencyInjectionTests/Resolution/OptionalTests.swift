internal import DependencyInjection
internal import Testing

@Suite("Optionals")
struct OptionalTests {
  let container = DIContainer()

  private var router: (any Router)? { container.resolve() }

  @Test("Without a registration an optional resolves to nil, again and again")
  func missing() throws {
    for _ in 0..<3 {
      #expect(router == nil)
      #expect(try container.tryResolve((any MediaPlayer)?.self) == nil)
      #expect(container.resolve(Int?.self) == nil)
    }
  }

  @Test("The optional of a Shared is the same instance, whichever is asked for first", arguments: [false, true])
  func identity(optionalFirst: Bool) {
    container.register(Shared(RouterImpl() as any Router))
    let first = optionalFirst ? router : nil
    let instance = container.resolve((any Router).self)
    if optionalFirst { #expect(first === instance) }
    for _ in 0..<3 { #expect(router === instance) }
  }

  @Test("The optional of a New is another instance each time")
  func new() {
    container.register(New(RouterImpl() as any Router))
    #expect(router != nil)
    #expect(router !== router)
  }

  @Test("An optional sees what is registered, overridden, reset and unregistered later")
  func changes() {
    #expect(router == nil)
    container.register(Shared(RouterImpl() as any Router))
    #expect(router is RouterImpl)
    #expect(router === container.resolve((any Router).self))
    container.register(Shared(MockRouter() as any Router))
    let mock = router
    #expect(mock is MockRouter)
    #expect(router === mock)
    container.reset()
    #expect(router is MockRouter)
    #expect(router !== mock)
    container.unregister((any Router).self)
    #expect(router == nil)
    container.register(New(RouterImpl() as any Router))
    #expect(router is RouterImpl)
  }

  @Test("Optionals of values of every kind see overrides")
  func kinds() {
    func check<Value>(_ values: (first: Value, second: Value), _ name: (Value) -> String) {
      #expect(container.resolve(Value?.self) == nil)
      for value in [values.first, values.second, values.first] {
        let boxed = Transfer(value)
        container.register(Shared { boxed.value })
        for _ in 0..<3 { #expect(container.resolve(Value?.self).map(name) == name(value)) }
        #expect(name(container.resolve(Value.self)) == name(value))
      }
      container.reset()
      #expect(container.resolve(Value?.self).map(name) == name(values.first))
      container.unregister(Value.self)
      #expect(container.resolve(Value?.self).map(name) == nil)
    }
    check((1, 2)) { "\($0)" }
    check((false, true)) { "\($0)" }
    check((1.5, -1.5)) { "\($0)" }
    check(("a", "b")) { $0 }
    check(([1], [2, 3])) { "\($0)" }
    check((MockRouter(), MockRouter())) { "\(ObjectIdentifier($0))" }
    check((RouterImpl() as any Router, MockRouter() as any Router)) { "\(ObjectIdentifier($0))" }
    check((SimplePlayer() as any MediaPlayer, PlayerObject() as any MediaPlayer)) { "\($0)" }
    check((1 as Any, "two" as Any)) { "\($0)" }
    check(((1, "one"), (2, "two"))) { "\($0)" }
  }

  @Test("An Optional that is registered satisfies neither the optional nor the type")
  func registeredOptional() {
    container.register(Shared(SimplePlayer() as (any MediaPlayer)?))
    container.register(New { 5 as Int? })
    for _ in 0..<2 {
      #expect(container.resolve((any MediaPlayer)?.self) == nil)
      #expect(container.resolve(Int?.self) == nil)
      #expect(failure { try container.tryResolve((any MediaPlayer).self) }?.code == .missingRegistration)
    }
    container.register(Shared(PlayerObject() as any MediaPlayer))
    #expect(container.resolve((any MediaPlayer)?.self) is PlayerObject)
  }

  @Test(
    "What is registered as an optional never answers for the type that it wraps",
    arguments: [nil, "name"] as [DependencyName?], [false, true])
  func optionalOfRegisteredOptional(name: DependencyName?, isNew: Bool) {
    let container = container
    func expect(_ wrapped: (any Router)?, source: SourceLocation = #_sourceLocation) {
      for _ in 0..<2 {
        let optional = container.resolve((any Router)??.self, named: name)
        #expect(optional.map { $0 is MockRouter } == true, sourceLocation: source)
        #expect(container.resolve((any Router)?.self, named: name) === wrapped, sourceLocation: source)
      }
    }
    if isNew {
      container.register(New(MockRouter() as (any Router)?, named: name))
    } else {
      container.register(Shared(MockRouter() as (any Router)?, named: name))
    }
    expect(nil)
    container.register(Shared(RouterImpl() as any Router, named: name))
    expect(container.resolve((any Router).self, named: name))
    container.unregister((any Router).self, named: name)
    expect(nil)
  }

  @Test("A failure on the way is an error, not nil")
  func failing() {
    container.register(Shared { resolve in RouterImpl(config: try resolve.tryResolve()) as any Router })
    #expect(failure { try container.tryResolve((any Router)?.self) }?.code == .missingRegistration)
    #expect(failure { try container.tryResolve((any Router)?.self) }?.path == ["Router", "AppConfiguration"])
  }

  @Test("An optional takes arguments")
  func arguments() {
    container.register(New { _, id in ConcreteViewModel(id: id) as any ViewModel })
    #expect(container.resolve((any ViewModel)?.self) { "id" }?.id == "id")
    #expect(container.resolve((any MediaPlayer)?.self) { "id" } == nil)
  }

  @Test("Optional and type stay one under concurrent overrides")
  func concurrently() {
    let container = container
    container.register(Shared(RouterImpl() as any Router))
    let isDone = Flag()
    let missing = onThreads(4) { index in
      if index == 0 {
        for _ in 0..<3_000 { container.register(Shared(MockRouter() as any Router)) }
        isDone.set()
        return 0
      }
      var missing = 0
      while !isDone.isSet { if container.resolve((any Router)?.self) == nil { missing += 1 } }
      return missing
    }
    #expect(missing == [0, 0, 0, 0])
    #expect(router === container.resolve((any Router).self))
  }
}
