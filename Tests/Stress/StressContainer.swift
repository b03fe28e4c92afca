internal import DependencyInjection

/// A container of the library.
package struct StressContainer: StressTarget {
  private let container = DIContainer()

  package init() {}

  package func register<Value: Sendable>(
    shared: Bool, _ make: @escaping @Sendable (any StressResolver) throws -> Value
  ) {
    if shared {
      container.register(Shared { (resolve: Resolver) in try make(resolve) })
    } else {
      container.register(New { (resolve: Resolver) in try make(resolve) })
    }
  }

  package func value<Value>(of type: Value.Type) throws -> Value { try container.tryResolve(type) }

  package func overriding<Value: Sendable, Result>(
    with value: Value, _ body: (any StressScope) throws -> Result
  ) throws -> Result {
    try DIContainer.withCurrent(container) { try CurrentScope().overriding(with: value, body) }
  }

  package func reset<Value>(_ type: Value.Type) { container.reset(type) }

  package func reset() { container.reset() }

  package func save() -> any Sendable { container.registry.snapshot() }

  package func restore(_ saved: any Sendable) {
    if let snapshot = saved as? Registry.Snapshot { container.restore(snapshot) }
  }

  package func isCycle(_ error: any Error) -> Bool { (error as? ResolutionError)?.code == .cycle }

  /// The current container.
  private struct CurrentScope: StressScope {
    func value<Value>(of type: Value.Type) throws -> Value { try DIContainer.tryResolve(type) }

    func overriding<Value: Sendable, Result>(
      with value: Value, _ body: (any StressScope) throws -> Result
    ) throws -> Result {
      try DIContainer.withOverrides {
        Shared { () -> Value in value }
      } perform: {
        try body(self)
      }
    }
  }
}

extension Resolver: StressResolver {
  package func value<Value>(of type: Value.Type) throws -> Value { try tryResolve(type) }
}
