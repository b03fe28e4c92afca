internal import DependencyInjection
internal import Testing

extension Scope {
  fileprivate static let session = Scope("session")
}

private protocol Item: AnyObject, Sendable {
  var facts: Facts { get }
}

private protocol Thing: AnyObject, Sendable {}

private final class ItemImpl: Item, Thing {
  let facts: Facts
  init(_ facts: Facts) { self.facts = facts }
}

/// Which instance it is, and what it was made of.
private struct Facts: Equatable, Sendable {
  let serial: Int
  let origin: String
  let argument: Int?
}

/// What items are made of.
private final class Origin: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

/// Two items of one graph.
private struct Pair: Sendable {
  let first: any Item
  let second: any Item
}

/// One way to register an item, and what a child of the container that is asked overrides.
struct Combination: CustomStringConvertible, Sendable {
  enum Life: CaseIterable { case shared, new, weak, perGraph, scoped, perContainer }
  enum Override: CaseIterable { case nothing, dependency, item }

  let life: Life
  let override: Override
  let isNamed: Bool
  let isAlias: Bool
  let takesArgument: Bool

  /// How far above the container that is asked it is registered.
  let distance: Int

  /// A Boolean value that indicates whether the child with the override is the first to ask.
  let isChildFirst: Bool

  var name: DependencyName? { isNamed ? "item" : nil }

  var description: String {
    "\(life)\(isNamed ? ", named" : "")\(isAlias ? ", aliases" : "")\(takesArgument ? ", argument" : "")"
      + ", \(distance) up, overriding \(override)\(isChildFirst ? ", child first" : "")"
  }

  static func all(of life: Life) -> [Self] {
    Override.allCases.flatMap { override in
      (0..<48).map { number in
        Combination(
          life: life, override: override, isNamed: number & 1 != 0, isAlias: number & 2 != 0,
          takesArgument: number & 4 != 0, distance: number / 16, isChildFirst: number & 8 != 0)
      }
    }
  }
}

/// Which of the containers of a combination is asked.
private enum Level: CaseIterable { case home, asked, child }

/// What is expected: who creates, from what, and what is there already.
private struct Expectation {
  let combination: Combination
  private var serial = 0

  /// The instances that are kept, by the container that keeps them.
  private var kept: [Level: Facts] = [:]

  init(_ combination: Combination) { self.combination = combination }

  mutating func resolve(_ argument: Int?, from level: Level) -> Facts {
    var graph: Facts?
    return resolve(argument, level, &graph)
  }

  mutating func resolvePair(from level: Level) -> [Facts] {
    var graph: Facts?
    let arguments = combination.takesArgument ? [1, 2] : [nil, nil]
    return arguments.map { resolve($0, level, &graph) }
  }

  private mutating func resolve(_ argument: Int?, _ level: Level, _ graph: inout Facts?) -> Facts {
    if level == .child, combination.override == .item { return create("item", argument) }
    // What a container keeps of its own registration is made of its own; everything else is made for the one that asks.
    let maker: Level =
      switch combination.life {
      case .shared, .weak, .scoped: .home
      case .new, .perGraph, .perContainer: level == .asked && combination.distance == 0 ? .home : level
      }
    let isKept = combination.life != .new && combination.life != .perGraph
    if let present = isKept ? kept[maker] : graph { return present }
    let created = create(maker == .child && combination.override == .dependency ? "override" : "home", argument)
    if isKept { kept[maker] = created }
    if combination.life == .perGraph { graph = created }
    return created
  }

  private mutating func create(_ origin: String, _ argument: Int?) -> Facts {
    serial += 1
    return Facts(serial: serial, origin: origin, argument: argument)
  }

  mutating func endSession() { if combination.life == .scoped { kept = [:] } }

  mutating func letGo() { if combination.life == .weak { kept = [:] } }

  /// The container itself, and no other, releases what it keeps.
  mutating func reset(_ level: Level) { kept[level] = nil }
}

/// The containers of a combination: where the item is registered, which one is asked, and its child with the override.
private struct Containers {
  let combination: Combination
  let home = DIContainer()
  let asked: DIContainer
  let child: DIContainer
  private let serials = CallCounter()

  init(_ combination: Combination) {
    self.combination = combination
    asked = (0..<combination.distance).reduce(home) { parent, _ in DIContainer(parent: parent) }
    child = DIContainer(parent: asked)
    home.register(Shared(Origin("home")))
    switch combination.life {
    case .shared: home.register(registration(Shared.self))
    case .new: home.register(registration(New.self))
    case .weak: home.register(registration(Weak.self))
    case .perGraph: home.register(registration(PerGraph.self))
    case .scoped: home.register(scoped(in: .session))
    case .perContainer: home.register(scoped(in: .container))
    }
    home.register(
      New { resolve in
        Pair(
          first: Self.item(combination, 1) {
            resolve($0, named: $1)
          } taking: {
            resolve($0, named: $1, arguments: $2)
          },
          second: Self.item(combination, 2) {
            resolve($0, named: $1)
          } taking: {
            resolve($0, named: $1, arguments: $2)
          })
      })
    switch combination.override {
    case .nothing: break
    case .dependency: child.register(Shared(Origin("override")))
    case .item:
      child.register(Shared(Origin("item")))
      child.register(registration(New.self))
    }
  }

  private func make(_ resolve: Resolver, _ argument: Int?) -> ItemImpl {
    let origin = resolve(Origin.self).name
    return ItemImpl(Facts(serial: serials.call(), origin: origin, argument: argument))
  }

  private func registration<R: InstanceRegistration>(_: R.Type) -> R {
    let name = combination.name
    switch (combination.takesArgument, combination.isAlias) {
    case (false, false): return R({ resolve in make(resolve, nil) as any Item }, named: name)
    case (false, true): return R({ resolve in make(resolve, nil) }, as: (any Thing).self, (any Item).self, named: name)
    case (true, false): return R({ resolve, number in make(resolve, number) as any Item }, named: name)
    case (true, true):
      return R({ resolve, number in make(resolve, number) }, as: (any Thing).self, (any Item).self, named: name)
    }
  }

  private func scoped(in scope: Scope) -> Scoped {
    let name = combination.name
    switch (combination.takesArgument, combination.isAlias) {
    case (false, false): return Scoped(in: scope, { resolve in make(resolve, nil) as any Item }, named: name)
    case (false, true):
      return Scoped(in: scope, { resolve in make(resolve, nil) }, as: (any Thing).self, (any Item).self, named: name)
    case (true, false):
      return Scoped(in: scope, { resolve, number in make(resolve, number) as any Item }, named: name)
    case (true, true):
      return Scoped(
        in: scope, { resolve, number in make(resolve, number) }, as: (any Thing).self, (any Item).self, named: name)
    }
  }

  /// Resolves the item in the way that its registration asks for.
  private static func item(
    _ combination: Combination, _ argument: Int, _ plain: ((any Item).Type, DependencyName?) -> any Item,
    taking: ((any Item).Type, DependencyName?, () -> Int) -> any Item
  ) -> any Item {
    combination.takesArgument
      ? taking((any Item).self, combination.name) { argument } : plain((any Item).self, combination.name)
  }

  subscript(level: Level) -> DIContainer {
    switch level {
    case .home: home
    case .asked: asked
    case .child: child
    }
  }

  func item(from container: DIContainer, _ argument: Int) -> any Item {
    Self.item(combination, argument) {
      container.resolve($0, named: $1)
    } taking: {
      container.resolve($0, named: $1, arguments: $2)
    }
  }
}

struct CombinationTests {
  @Test(
    "Each lifetime, with a name or without, with aliases, with arguments, in a parent, and overridden",
    arguments: Combination.Life.allCases)
  func combinations(_ life: Combination.Life) throws {
    for combination in Combination.all(of: life) { try check(combination) }
  }

  private func check(_ combination: Combination) throws {
    let containers = Containers(combination)
    var expectation = Expectation(combination)
    var held: [any Item] = []

    func check(_ moment: String) {
      let levels = combination.isChildFirst ? Level.allCases.reversed() : Level.allCases
      for (number, level) in levels.enumerated() {
        let container = containers[level]
        for round in 0..<2 {
          let argument = 10 * number + round
          let item = containers.item(from: container, argument)
          let expected = expectation.resolve(combination.takesArgument ? argument : nil, from: level)
          #expect(item.facts == expected, "\(combination) \(moment)")
          held.append(item)
        }
        let pair = container.resolve(Pair.self)
        #expect(
          [pair.first.facts, pair.second.facts] == expectation.resolvePair(from: level), "\(combination) \(moment)")
        held += [pair.first, pair.second]
      }
    }

    check("at first")
    check("again")
    containers.child.reset(.session)
    expectation.endSession()
    check("after the end of the scope")
    containers.home.reset(.session)
    expectation.endSession()
    check("after the end of the scope further up")
    containers.child.reset(.container)
    if combination.life == .perContainer { expectation.reset(.child) }
    check("after the end of what the child has for itself")
    held = []
    expectation.letGo()
    check("after everybody has let go")
    containers.child.reset()
    expectation.reset(.child)
    check("after a reset of the child")
    containers.home.reset()
    expectation.reset(.home)
    check("after a reset")
    // Under another name there is nothing.
    #expect(try containers.child.tryResolve((any Item)?.self, named: combination.isNamed ? nil : "item") == nil)
  }
}
