internal import DependencyInjection
internal import Testing

struct ArgumentsTests {
  let container = DIContainer()

  /// What a factory got, in order.
  struct Received: Equatable {
    let values: [String]
    init(_ values: Any...) { self.values = values.map { "\($0)" } }
  }

  @Test("A factory gets one to twelve arguments of different types")
  func one() {
    container.register(New { _, id in ConcreteViewModel(id: id) as any ViewModel })
    #expect(
      [
        container.resolve((any ViewModel).self, arguments: { "first" }).id,
        container.resolve((any ViewModel).self) { "second" }.id,
      ] == ["first", "second"])
    container.register(New({ resolve, id in ConcreteViewModel(id: id) }, as: (any ViewModel).self))
    #expect(container.resolve((any ViewModel).self) { "third" }.id == "third")
    let inferred: any ViewModel = container.resolve { "fourth" }
    #expect(inferred.id == "fourth")
    container.register(New { (_, a: Int, b: String) in Received(a, b) })
    #expect(container.resolve(Received.self) { (1, "2") } == Received(1, "2"))
    container.register(New { (_, a: String, b: Int, c: String) in Received(a, b, c) })
    #expect(
      container.resolve(Received.self) { ("argument 1", 23, "argument 3") } == Received("argument 1", 23, "argument 3"))
    container.register(New { (_, a: Int, b: Int8, c: Double, d: Bool) in Received(a, b, c, d) })
    #expect(container.resolve(Received.self) { (1, Int8(2), 3.5, true) } == Received(1, 2, 3.5, true))
    container.register(
      New {
        (_, a: Int, b: String, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int, j: Int, k: Double, l: [String])
        in
        Received(a, b, c, d, e, f, g, h, i, j, k, l)
      })
    #expect(
      container.resolve(Received.self) { (1, "2", 3, 4, 5, 6, 7, 8, 9, 10, 11.5, ["12"]) }
        == Received(1, "2", 3, 4, 5, 6, 7, 8, 9, 10, 11.5, ["12"]))
  }

  @Test("A factory with an argument that has no values is never called")
  func noValues() {
    func register<Argument>(_: Argument.Type) { container.register(New { (_, _: Argument) in 5 }) }
    register(Never.self)
    let error = failure { try container.tryResolve(Int.self) }
    #expect(error?.description.hasPrefix("'Int' takes arguments (Never), got none.") == true)
  }

  @Test("Arguments arrive as they are, or converted if the values allow it, also through tryResolve and statically")
  func conversions() throws {
    let router = MockRouter()
    container.register(
      New { (_, router: any Router, name: String?, handler: MockRouter) in
        Received(ObjectIdentifier(router), name ?? "nil", ObjectIdentifier(handler))
      })
    let expected = Received(ObjectIdentifier(router), "nil", ObjectIdentifier(router))
    #expect(container.resolve(Received.self) { (router as any Router, nil as String?, router) } == expected)
    // Arguments of other types are converted where the values allow it.
    do {
      let container = DIContainer()
      let router = MockRouter()
      container.register(
        New { (_, router: any Router, name: String?) in Received(ObjectIdentifier(router), name ?? "nil") })
      #expect(container.resolve(Received.self) { (router, "name") } == Received(ObjectIdentifier(router), "name"))
      #expect(
        container.resolve(Received.self) { (router: router, name: "name") }
          == Received(ObjectIdentifier(router), "name"))
    }
    // tryResolve passes arguments on, and so do the static methods.
    do {
      let container = DIContainer()
      container.register(New { _, id in ConcreteViewModel(id: id) as any ViewModel })
      #expect(try container.tryResolve((any ViewModel).self) { "a" }.id == "a")
      try DIContainer.withCurrent(container) { () throws in
        #expect(
          try [
            DIContainer.resolve((any ViewModel).self) { "b" }.id,
            DIContainer.resolve((any ViewModel).self, arguments: { "c" }).id,
            DIContainer.tryResolve((any ViewModel).self) { "d" }.id,
          ] == ["b", "c", "d"])
      }
      container.register(
        New { resolve in
          [
            resolve((any ViewModel).self) { "e" }.id, resolve.resolve((any ViewModel).self) { "f" }.id,
            try resolve.tryResolve((any ViewModel).self) { "g" }.id,
          ]
        })
      #expect(container.resolve([String].self) == ["e", "f", "g"])
    }
  }

  @Test("Arguments are evaluated once for each resolution and released after it; a Shared ignores all but the first")
  func shared() {
    let calls = CallCounter()
    container.register(
      Shared { (_, id: String) in
        calls.call()
        return ConcreteViewModel(id: id) as any ViewModel
      })
    #expect(
      [
        container.resolve((any ViewModel).self) { "first" }.id, container.resolve((any ViewModel).self) { "second" }.id,
        container.resolve((any ViewModel).self) { 3 }.id,
      ] == ["first", "first", "first"])
    #expect(container.resolve((any ViewModel).self).id == "first" && calls.count == 1)
    do {
      let container = DIContainer()
      let calls = CallCounter()
      container.register(New { (_, number: Int) in Received(number) })
      #expect(
        container.resolve(Received.self) { calls.call() } == Received(1)
          && container.resolve(Received.self) { calls.call() } == Received(2))
    }
    do {
      let container = DIContainer()
      let counter = LifetimeCounter()
      container.register(New { (_, tracked: Tracked) in Received(tracked.token.isIntact) })
      for _ in 0..<10 { #expect(container.resolve(Received.self) { Tracked(counter) } == Received(true)) }
      #expect([counter.created, counter.alive] == [10, 0])
    }
  }
}
