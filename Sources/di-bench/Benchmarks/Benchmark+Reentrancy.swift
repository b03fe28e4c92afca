internal import DIBenchmarking
internal import DependencyInjection

extension Benchmark {
  /// The cost of factories that resolve, for graphs of several shapes that the optimizer does not see.
  static let reentrancy: [Benchmark] = [
    Benchmark(
      "reentrant/chain", "a New that resolves a New, and so on, ten in all", depth: Chain.depth,
      .container(.chains { DIContainer.resolve() }), .byHand("init", .chains { HandWrittenPaths().chain() }),
      .dictionary { entries in .chains { entries.make(Chain.Last.self, ()) } }),
    nested("reentrant/nested-64", "a New that resolves a New, and so on, 64 deep", depth: 64, .chain(64)),
    nested("reentrant/fan-out-4", "a New that resolves four different New", depth: 2, .fanOut(4)),
    nested("reentrant/fan-out-16", "a New that resolves 16 different New", depth: 2, .fanOut(16)),
    nested("reentrant/diamond", "a New that resolves two New, which resolve the same type", depth: 3, .diamond),
    nested("reentrant/register", "a New that registers a type and resolves it", depth: 2, .registering),
  ]

  private static func nested(_ name: String, _ summary: String, depth: Int, _ shape: NestedShape) -> Benchmark {
    Benchmark(
      name, summary, depth: depth, inOwnProcess: .quick,
      .container(shape.workload(in: NestedContainer())), .dictionary { shape.workload(in: $0) })
  }
}

/// The shape of a graph, whose first type is resolved: the types that each type needs.
enum NestedShape {
  case chain(Int), fanOut(Int), diamond, registering

  var instances: Int {
    switch self {
    case .chain(let depth): depth
    case .fanOut(let width): width + 1
    case .diamond: 5
    case .registering: 2
    }
  }

  /// Registers the types, and repeatedly asks for the first one.
  func workload(in target: some NestedTarget) -> Workload {
    // The containers already have the first keys.
    let keys = Array(Keys.all[200..<200 + 65])
    switch self {
    case .chain(let depth):
      for index in 0..<depth { target.register(keys[index]) { $0.make(index + 1 < depth ? [keys[index + 1]] : []) } }
    case .fanOut(let width):
      let others = Array(keys[1...width])
      target.register(keys[0]) { $0.make(others) }
      for other in others { target.register(other) { _ in } }
    case .diamond:
      target.register(keys[0]) { $0.make([keys[1], keys[2]]) }
      for index in 1...2 { target.register(keys[index]) { $0.make([keys[3]]) } }
      target.register(keys[3]) { _ in }
    case .registering:
      target.register(keys[0]) { maker in
        target.register(keys[1]) { _ in }
        maker.make([keys[1]])
      }
    }
    return .counting(creating: instances) { count, _ in
      for _ in 0..<count { target.make([keys[0]]) }
      return 0
    }
  }
}

/// Something that creates types for factories.
protocol NestedMaker: Sendable {
  func make<Value: Keyed>(_ type: Value.Type)
}

extension NestedMaker {
  func make(_ types: [any Keyed.Type]) { for type in types { make(type) } }
}

/// Something that types with factories are registered with.
protocol NestedTarget: NestedMaker {
  /// Registers a type that is created anew each time, after a closure has run.
  func register<Value: Keyed>(_ type: Value.Type, after body: @escaping @Sendable (any NestedMaker) -> Void)
}

/// The shared container.
struct NestedContainer: NestedTarget {
  func register<Value: Keyed>(_: Value.Type, after body: @escaping @Sendable (any NestedMaker) -> Void) {
    DIContainer.register(
      New { (resolve: Resolver) -> Value in
        InstanceCount.add()
        body(resolve)
        return Value()
      })
  }

  func make<Value: Keyed>(_: Value.Type) { _ = DIContainer.resolve(Value.self) }
}

extension Resolver: NestedMaker {
  func make<Value: Keyed>(_: Value.Type) { _ = resolve(Value.self) }
}

extension LockedDictionary: NestedTarget {
  func register<Value: Keyed>(_ type: Value.Type, after body: @escaping @Sendable (any NestedMaker) -> Void) {
    register(type) { entries, _ in
      InstanceCount.add()
      body(entries)
      return Value()
    }
  }

  func make<Value: Keyed>(_ type: Value.Type) { _ = make(type, ()) }
}
