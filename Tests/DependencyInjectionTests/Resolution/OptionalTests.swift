internal import DependencyInjection
internal import Testing

struct OptionalTests {
  let container = DIContainer()

  private var router: (any Router)? { container.resolve() }

  @Test("An optional sees what is registered, overridden, reset and unregistered later, takes arguments, and may fail")
  func changes() {
    #expect(router == nil)
    container.register(Shared(RouterImpl() as any Router))
    #expect(router is RouterImpl && router === container.resolve((any Router).self))
    container.register(Shared(MockRouter() as any Router))
    let mock = router
    #expect(mock is MockRouter && router === mock)
    container.reset()
    #expect(router is MockRouter && router !== mock)
    container.unregister((any Router).self)
    #expect(router == nil)
    container.register(New(RouterImpl() as any Router))
    #expect(router is RouterImpl && router !== router)
    // A failure on the way is an error, not nil.
    do {
      let container = DIContainer()
      container.register(Shared { resolve in RouterImpl(config: try resolve.tryResolve()) as any Router })
      #expect(
        failure { try container.tryResolve((any Router)?.self) }?.code == .missingRegistration
          && failure { try container.tryResolve((any Router)?.self) }?.path == ["Router", "AppConfiguration"])
    }
    container.register(New { _, id in ConcreteViewModel(id: id) as any ViewModel })
    #expect(
      container.resolve((any ViewModel)?.self) { "id" }?.id == "id"
        && container.resolve((any MediaPlayer)?.self) { "id" } == nil)
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

  @Test("Further levels of an optional wrap what one level finds, and nil is that of the outermost level")
  func nested() async throws {
    /// Asks for an optional of a type that may itself be one.
    func find<Value>(_ type: Value.Type = Value.self, named name: DependencyName? = nil) throws -> Value? {
      let found = container.resolve(Value?.self, named: name)
      #expect((found == nil) == (try container.tryResolve(Value?.self, named: name) == nil))
      return found
    }
    for _ in 0..<2 { #expect(try find(Int?.self) == Int??.none) }
    container.register {
      Shared(5)
      New(7, named: "seven")
      New { (_, text: String) in text }
      Shared(RouterImpl() as any Router)
      Weak(PlayerObject())
    }
    let player = container.resolve(PlayerObject.self)
    // The first request may have to ask the registry, the others find what it has left in a table.
    for _ in 0..<3 {
      #expect(
        try find(Int?.self) == .some(.some(5)) && find(Int??.self) == .some(.some(.some(5)))
          && find(Int?.self, named: "seven") == .some(.some(7)))
      #expect(container.resolve(String??.self) { "text" } == .some(.some("text")))
      let router: (any Router)?? = try find()
      #expect((router ?? nil) === container.resolve((any Router).self))
      let found: PlayerObject?? = try find()
      #expect((found ?? nil) === player)
      #expect(try await container.resolveAsync(Int??.self) == .some(.some(5)))
      #expect(DIContainer(parent: container).resolve(Int??.self) == .some(.some(5)))
    }
    DIContainer.withCurrent(container) {
      struct Owner {
        @Inject var now: Int??
        @LazyInject var later: Int??
        @MutableInject(named: "seven") var named: Int??
        @LazyInject var missing: Bool??
      }
      let owner = Owner()
      #expect(owner.now == .some(.some(5)) && owner.later == .some(.some(5)) && owner.named == .some(.some(7)))
      #expect(owner.missing == Bool??.none)
    }
    container.register(New(autowire: { (number: Int??, flag: Bool??) in Level(number: number, flag: flag) }))
    #expect(
      container.resolve(Level.self).number == .some(.some(5)) && container.resolve(Level.self).flag == Bool??.none)
    container.unregister(Int.self)
    #expect(try find(Int?.self) == Int??.none)
  }

  private struct Level { let number: Int??, flag: Bool?? }

  @Test("An optional and its type stay the same instance under concurrent overrides")
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
    #expect(missing == [0, 0, 0, 0] && router === container.resolve((any Router).self))
  }
}
