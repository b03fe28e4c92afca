internal import DependencyInjection
internal import Testing

private class Shape {}
private class Circle: Shape {}
private final class Dot: Circle, Spot {}
protocol Spot {}
private protocol Drawable {}
private final class Line: Drawable {}

private protocol Plugin {}
private struct Tint: Plugin, Hashable {}
private final class Blur: Plugin {}
private final class BlurredLine: Plugin, Drawable {}

private struct Endless: Sequence, IteratorProtocol {
  mutating func next() -> Endless? { nil }
}

private struct Token {}

/// Returns another type of the name of `Token`.
private func otherToken() -> Any.Type {
  struct Token {}
  return Token.self
}

/// Registers one more type of that name, and returns the line.
private func registerToken(with container: DIContainer) -> Int {
  struct Token: Sendable {}
  container.register(Shared(Token()))
  return #line - 1
}

struct SuggestionTests {
  let container = DIContainer()

  @Test("A type that is only decorated is named, and one of the current container, and Any")
  func elsewhere() throws {
    let line = #line + 1
    container.decorate((any Plugin).self) { plugin, _ in plugin }
    let decorated = "it is only decorated, at \(place(line)): register what is decorated"
    #expect(failure { try container.tryResolve((any Plugin).self) }?.notes == [decorated])
    let other = DIContainer()
    other.register(Shared(Tint()))
    other.register(Shared(Blur() as any Plugin))
    let current =
      "it is registered at \(place(#line - 2)) in the current container: resolve it there, or make this container a child of "
      + "that, `DIContainer(parent: .current)`"
    DIContainer.withCurrent(other) {
      #expect(failure { try container.tryResolve((any Plugin).self) }?.notes == [decorated, current])
      #expect(failure { try DIContainer().tryResolve((any Plugin).self) }?.notes == [current])
      #expect(failure { try other.tryResolve(Dot.self) }?.notes == [])
    }
    // What the current container only decorates is not registered there, either.
    DIContainer.withCurrent(container) {
      #expect(
        failure { try DIContainer().tryResolve((any Plugin).self) }?.notes.contains { $0.contains("current container") }
          == false)
    }
    // A container cannot be a child of its own child, which has decorated what it registers.
    let child = DIContainer(parent: container)
    child.register(Shared(Line() as any Drawable))
    let place = place(#line - 1)
    child.decorate((any Drawable).self) { line, _ in line }
    DIContainer.withCurrent(child) {
      #expect(
        failure { try container.tryResolve((any Drawable).self) }?.notes == [
          "it is registered at \(place) in the current container: resolve it there"
        ])
    }
    // What the container keeps cannot have it, either.
    container.register(
      Shared { resolve -> Dot in
        _ = try resolve.tryResolve((any Drawable).self)
        return Dot()
      })
    #expect(
      failure { try child.tryResolve(Dot.self) }?.notes == [
        "it is registered at \(place) in a child, and 'Dot' belongs to a parent container: register 'Dot' in the child as well, "
          + "or as `Scoped(in: .container)`, or as `New`"
      ])
    // What it asks an unrelated container for is not missing because of the child.
    let unrelated = DIContainer()
    container.register(
      Shared { () -> Line in
        _ = try unrelated.tryResolve((any Drawable).self)
        return Line()
      })
    #expect(failure { try child.tryResolve(Line.self) }?.notes.contains { $0.contains("in a child") } == false)
    // Nor is it because of the container that asks, if that is not the one that is asked, or has it by another name.
    do {
      let container = DIContainer()
      container.register {
        Scoped(in: .container) { () throws in try [unrelated.tryResolve((any Drawable).self)] }
        Scoped(in: .container) { (resolve: Resolver) throws in try [resolve.tryResolve(Line.self, named: "top")] }
      }
      #expect(
        failure { try container.tryResolve([any Drawable].self) }?.notes == [
          "nothing is registered in this container: register before the first resolution"
        ])
      #expect(
        failure { try container.tryResolve([Line].self) }?.notes.first
          == "'Array<Line>' is created for the container that is asked for it: register 'Line (top)' there, or ask a child that has it"
      )
    }
    // Nor is what it asks an ancestor for.
    let middle = DIContainer(parent: container)
    let lowest = DIContainer(parent: middle)
    lowest.register(Shared(Line() as any Drawable))
    middle.register(Shared { () throws in try [container.tryResolve((any Drawable).self)] })
    let others = try #require(failure { try lowest.tryResolve([any Drawable].self) }?.notes)
    #expect(!others.contains { $0.contains("in a child") })
    // A declared dependency is not its type.
    let declared = Dependency<Dot>(.shared) { resolve in
      _ = try resolve.tryResolve((any Drawable).self)
      return Dot()
    }
    #expect(
      failure { try declared.tryResolve(from: child) }?.notes == [
        "it is registered at \(place) in a child, and 'Dot' belongs to a parent container: override that dependency in the child, "
          + "or declare it `.scoped(in: .container)` or `.new`"
      ])
    try DIContainer.withCurrent(child) {
      declared.register { Dot() }
      _ = try declared.tryResolve()
    }
    // The cure is one, although an instance for the container that asks is between them.
    container.register {
      Scoped(in: .container) { resolve -> Line in
        _ = try resolve.tryResolve((any Drawable).self)
        return Line()
      }
      Shared { resolve -> Dot in
        _ = try resolve.tryResolve(Line.self)
        return Dot()
      }
    }
    let notes = try #require(failure { try child.tryResolve(Dot.self) }?.notes)
    #expect(notes.count == 1 && notes[0].hasPrefix("it is registered at \(place) in a child, and 'Dot' belongs"))
    #expect(
      failure { try other.tryResolve() as Any }?.notes == [
        "the type is `Any`: name the one you need, `resolve(Router.self)`, for example"
      ])
  }

  @Test("A metatype, a composition, and a factory that returns nothing are named, but not every type with such a name")
  func types() {
    let line = #line + 2
    container.register {
      Shared(Tint.self)
      Shared { BlurredLine() as any Plugin & Drawable }
      Shared {
        let tint = Tint()
        _ = tint
      }
      Shared([Tint].self)
    }
    let nothing = "the factory at \(place(line + 2)) returns nothing: does it lack a `return`?"
    let composition =
      "'Drawable & Plugin', another type, is registered at \(place(line + 1)): register an instance as `"
    #expect(
      failure { try container.tryResolve(Tint.self) }?.notes == [
        "'Tint.Type', another type, is registered at \(place(line)): register an instance as `Tint`"
      ])
    #expect(
      failure { try container.tryResolve((any Plugin).self) }?.notes == [composition + "Plugin`"])
    #expect(failure { try container.tryResolve(Dot.self) }?.notes == [nothing])
    let containers = ["containers are not registered: use `DIContainer.current`, or the resolver that a factory gets"]
    #expect(failure { try container.tryResolve(DIContainer.self) }?.notes == containers)
    #expect(failure { try container.tryResolve(Resolver?.self) } == nil)
    #expect(failure { try container.tryResolve(Resolver.self) }?.notes == containers)
    // One that is registered under a name is named.
    let named = #line + 1
    container.register(Shared({ DIContainer() }, named: "feature"))
    #expect(
      failure { try container.tryResolve(DIContainer.self) }?.notes == [
        "DIContainer is registered with the name 'feature' at \(place(named))"
      ])
  }

  @Test("A request without a name gets all names, also short ones")
  func shortNames() throws {
    var line = #line + 2
    container.register {
      Shared(Tint(), named: "a")
      Shared(Tint(), named: "bc")
    }
    #expect(
      failure { try container.tryResolve(Tint.self) }?.notes == [
        "Tint is registered with the name 'a' at \(place(line))",
        "Tint is registered with the name 'bc' at \(place(line + 1))",
      ])
    // A name with a few other letters is one that was meant, with more of them in a long one.
    line = #line + 2
    container.register {
      Shared(Blur(), named: "main")
      Shared(Blur(), named: "the background of the window")
    }
    func note(_ name: DependencyName) throws -> String {
      try #require(failure { try container.tryResolve(Blur.self, named: name) }?.notes.first)
    }
    let long = "did you mean 'the background of the window', registered at \(place(line + 1))?"
    #expect(try note("mian") == "did you mean 'main', registered at \(place(line))?")
    #expect(try note("the background of a window") == long)
    #expect(try note("minimum").hasPrefix("Blur is registered with the name"))
    // An alias has the name, too.
    line = #line + 1
    container.register(Shared(Dot(), as: Circle.self, named: "round"))
    #expect(
      failure { try container.tryResolve(Circle.self) }?.notes == [
        "Circle is registered with the name 'round' at \(place(line))"
      ])
    // The first five are enough.
    for number in 1...7 {
      container.register(
        Shared(Line(), named: DependencyName("\(number)"), file: "Lines.swift", line: UInt(number)))
    }
    #expect(
      failure { try container.tryResolve(Line.self) }?.notes
        == (1...5).map { "Line is registered with the name '\($0)' at Lines.swift:\($0)" } + ["and with 2 other names"])
  }

  @Test("The own type of a registration that only its alias finds now is no suggestion")
  func unregisteredType() {
    container.register(Shared(Dot(), as: Circle.self))
    container.unregister(Dot.self)
    #expect(failure { try container.tryResolve(Dot.self) }?.notes == [])
    #expect((try? container.tryResolve(Circle.self)) is Dot)
    // Nor is an alias that another registration has taken, with a name and without: the one that answers is named.
    for name in ["blur", nil] as [DependencyName?] {
      let container = DIContainer()
      container.register(Shared(Blur(), as: (any Plugin).self, named: name))
      container.register(Shared(Tint() as any Plugin, named: name))
      let line = place(#line - 1)
      let text = "Plugin is registered \(name.map { "with the name '\($0)'" } ?? "without a name") at \(line)"
      let other: DependencyName? = name == nil ? "other" : nil
      #expect(failure { try container.tryResolve((any Plugin).self, named: other) }?.notes == [text])
      container.unregister((any Plugin).self, named: name)
      #expect(failure { try container.tryResolve((any Plugin).self, named: other) }?.notes == [])
    }
  }

  @Test("The error of a missing type names a registered protocol to which the type conforms")
  func conformingType() {
    container.register(Shared(MockRouter() as any Router))
    let note =
      "'Router', to which RouterImpl conforms, is registered at \(place(#line - 2)): ask for that, or register RouterImpl "
      + "as well"
    container.register(Shared(MockRouter() as any Router, named: "second"))
    #expect(failure { try container.tryResolve(RouterImpl.self) }?.notes == [note])
    #expect(failure { try container.tryResolve(Dot.self) }?.notes == [])
    // Every type is one of these.
    let all = DIContainer()
    all.register {
      Shared(1 as Any)
      Shared(Dot() as AnyObject)
      Shared(1 as any Sendable)
    }
    #expect(failure { try all.tryResolve(RouterImpl.self) }?.notes == [])
    // A superclass.
    let shapes = DIContainer()
    shapes.register(Shared(Circle() as Shape))
    let shape =
      "'Shape', a superclass of Dot, is registered at \(place(#line - 2)): ask for that, or register Dot as well"
    #expect(failure { try shapes.tryResolve(Dot.self) }?.notes == [shape])
    // A protocol says more: the instance may be what was asked for.
    shapes.register(Shared(Dot() as any Spot))
    let spot =
      "'Spot', to which Dot conforms, is registered at \(place(#line - 2)): ask for that, or register Dot as well"
    #expect(failure { try shapes.tryResolve(Dot.self) }?.notes == [spot])
    shapes.unregister(Shape.self)
    shapes.register(Shared(Circle() as Shape, named: "later"))
    #expect(failure { try shapes.tryResolve(Dot.self) }?.notes == [spot])
    // A factory that asks for its own implementation does not refer to itself.
    let other = DIContainer()
    other.register(New { resolve in try resolve.tryResolve(RouterImpl.self) as any Router })
    #expect(failure { try other.tryResolve((any Router).self) }?.notes == [])
  }

  @Test("Code that lost the current container is told how to carry it; code that names a container is not", .exitTest)
  func escaped() async {
    await #expect(processExitsWith: .success) {
      let cure =
        "; if a detached task, a queue or a thread has lost the current container, wrap the closure in "
        + "`DIContainer.escaping`"
      let note = "the shared container was asked, because no other one is current here" + cure
      let inner = [
        "the shared container was asked" + cure,
        "if a resolver or a `@LazyInject` of a kept instance asked, call `DIContainer.resolve` there instead",
      ]
      let request = DIContainer(parent: .shared)
      request.register {
        Shared(Dot())
        Shared { (resolve: Resolver) in [resolve] }
      }
      let resolver = request.resolve([Resolver].self)[0]
      DIContainer.shared.register {
        Scoped(in: .container) { resolve in [try resolve.tryResolve(Dot.self)] }
        Shared { resolve in "\(try resolve.tryResolve(Dot.self))" }
        New { resolve in [1: try resolve.tryResolve(Dot.self)] }
      }
      await DIContainer.withCurrent(request) {
        let (lost, inFactory, inNew, inShared, named, ofRequest, carried) = await Task.detached {
          (
            failure { try DIContainer.tryResolve(Dot.self) }?.notes,
            failure { try DIContainer.tryResolve([Dot].self) }?.notes,
            failure { try DIContainer.tryResolve([Int: Dot].self) }?.notes,
            failure { try DIContainer.tryResolve(String.self) }?.notes,
            failure { try DIContainer.shared.tryResolve(Dot.self) }?.notes,
            failure { try resolver.tryResolve(Line.self) }?.notes,
            DIContainer.escaping { failure { try DIContainer.tryResolve(Line.self) }?.notes }()
          )
        }.value
        precondition(lost == [note] && inFactory?.suffix(2) == inner[...] && inNew == inner && ofRequest == [])
        precondition(inShared == [] && named == [] && carried?.contains { $0.contains("escaping") } == false)
      }
    }
  }

  @Test("A request to the shared container, which cannot be a child, is told only to ask the current one", .exitTest)
  func shared() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      container.register(Shared(Dot(), file: "Shapes.swift", line: 1))
      DIContainer.shared.register(Shared(Line()))
      DIContainer.withCurrent(container) {
        precondition(
          failure { try DIContainer.shared.tryResolve(Dot.self) }?.notes == [
            "it is registered at Shapes.swift:1 in the current container: resolve it there"
          ])
      }
    }
  }

  @Test("A copy of an empty child of a container that has registrations is no copy of an empty one")
  func copiedChild() {
    container.register(Shared(Tint()))
    let copy = DIContainer(copying: DIContainer(parent: container))
    #expect(failure { try copy.tryResolve(Dot.self) }?.notes == [])
  }

  @Test("The static type decides what is asked for, whatever class a variable has, unless it is a protocol")
  func metatypes() async throws {
    let kind: Shape.Type = Dot.self
    let line = #line + 1
    container.register(Shared(Dot()))
    let note =
      "Dot, a subclass of it, is registered at \(place(line)); the static type decides what is asked for, not a metatype in a "
      + "variable: did you mean to register as `Shape`?"
    let error = try #require(failure { try container.tryResolve(kind) })
    #expect(error.description.hasPrefix("No registration for 'Shape'.\n") && error.notes == [note])
    let dot = container.resolve(Dot.self) as Shape
    #expect(
      failure { try container.tryResolve(type(of: dot)) }?.notes == [note]
        && failure { try DIContainer(parent: container).tryResolve(kind) }?.notes == [note])
    #expect(await asyncFailure { try await container.resolveAsync(kind) }?.notes == [note])
    #expect(container.resolve(Optional<Shape>.self) == nil)

    // As the note says.
    container.register(Shared(Dot(), as: Shape.self))
    #expect(container.resolve(kind) is Dot)
    // The type that is named is what answers, not the one in the variable.
    container.register {
      Shared(Circle()); Shared(Shape())
    }
    #expect(type(of: container.resolve(kind)) == Shape.self)
    let tried = try container.tryResolve(kind)
    #expect(type(of: tried) == Shape.self)
    // A subclass with aliases is found by its own type, too.
    let other = DIContainer()
    other.register(Shared(Dot(), as: Circle.self))
    #expect(failure { try other.tryResolve(kind) }?.notes.count == 1)
    // What creates the request is no suggestion.
    other.removeAll()
    other.register(New({ resolve in (try resolve.tryResolve(Shape.self), Dot()).1 }, named: "dot"))
    #expect(failure { try other.tryResolve(Dot.self, named: "dot") }?.notes == [])
    // The metatype of a protocol is opened by the compiler, and does choose.
    do {
      let container = DIContainer()
      container.register(Shared(Line()))
      let line: any Drawable = container.resolve(Self.kind())
      #expect(line is Line)
      let same: any Drawable = try container.tryResolve(Self.kind())
      #expect(same is Line)
    }
  }

  @Test("Subclasses are one note, and private and local types of one name are told apart by where they are registered")
  func subclasses() throws {
    func register(_ count: Int) -> String {
      container.removeAll()
      for number in 1...count {
        container.register(Shared(Dot(), named: DependencyName("\(number)"), file: "Shapes.swift", line: UInt(number)))
      }
      return failure { try container.tryResolve(Shape.self) }?.notes.joined(separator: "\n") ?? ""
    }
    let cure =
      "; the static type decides what is asked for, not a metatype in a variable: did you mean to register as `Shape`, "
      + "without a name?"
    #expect(register(1) == "Dot (1), a subclass of it, is registered at Shapes.swift:1" + cure)
    #expect(
      register(2) == "subclasses of it are registered: Dot (1) at Shapes.swift:1, Dot (2) at Shapes.swift:2" + cure)
    let three = "Dot (1) at Shapes.swift:1, Dot (2) at Shapes.swift:2, Dot (3) at Shapes.swift:3"
    #expect(
      register(4) == "subclasses of it are registered: \(three), Dot (4) at Shapes.swift:4" + cure
        && register(15) == "subclasses of it are registered: \(three), and 12 others" + cure)
    // A registration other than the one that asks is a suggestion, although it has the same type.
    container.register(New { resolve in (try resolve.tryResolve(Shape.self), Dot()).1 })
    #expect(failure { try container.tryResolve(Dot.self) }?.notes.last?.contains("and 12 others") == true)
    do {
      let container = DIContainer()
      let line = registerToken(with: container)
      func expect<Value>(_ type: Value.Type) throws {
        #expect(
          failure { try container.tryResolve(type) }?.notes == [
            "another type of that name, 'DependencyInjectionTests.Token', is registered at \(place(line)); a private or local "
              + "type is a different type in each file and function"
          ])
      }
      try expect(Token.self)
      try _openExistential(otherToken(), do: expect)
    }
  }

  // Swift 6.3.1 crashes when it knows which one it is and optimizes.
  @inline(never)
  private static func kind() -> any Drawable.Type { Line.self }

  @Test("A collection of what is registered is asked for with resolveAll, and the error says so")
  func collections() throws {
    container.register {
      Shared(Tint() as any Plugin, named: "tint")
      Shared(Blur() as any Plugin, named: "blur")
      Shared(Tint())
      Shared(Blur(), as: (any Plugin).self, Blur.self)
    }
    func expect<Value>(
      _ type: Value.Type, _ text: String?, named name: DependencyName? = nil, source: SourceLocation = #_sourceLocation
    ) throws {
      let error = try #require(failure { try container.tryResolve(type, named: name) })
      let notes = error.notes.filter { $0.contains("resolveAll") }
      let expected = text.map {
        "a collection is a type of its own: `resolveAll(\($0).self)` resolves everything that is registered as \($0)"
      }
      #expect(notes == [expected].compactMap(\.self), sourceLocation: source)
    }
    try expect([any Plugin].self, "Plugin")
    try expect([any Plugin].self, "Plugin", named: "tint")
    try expect([(any Plugin)?].self, "Plugin")
    try expect(ArraySlice<any Plugin>.self, "Plugin")
    try expect(Set<Tint>.self, "Tint")
    try expect([Blur].self, "Blur")
    try expect([String: any Plugin].self, "Plugin")
    try expect([DependencyName: any Plugin].self, "Plugin")
    try expect(AnySequence<any Plugin>.self, "Plugin")
    // These do not conform to `Sequence`, or have only themselves as elements.
    try expect(Result<any Plugin, any Error>.self, nil)
    try expect(Endless.self, nil)
    try expect([String].self, nil)
    container.decorate(Double.self) { number, _ in number }
    try expect([Double].self, nil)
    try expect([Tint: String].self, nil)
    try expect(String.self, nil)
    container.register(Shared("a" as Character))
    try expect(String.self, nil)
    try expect(Substring.self, nil)
    #expect(container.resolveAll((any Plugin).self).count == 3)
  }
}
