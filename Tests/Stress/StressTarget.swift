/// A source that factories and scopes resolve from.
package protocol StressResolver {
  /// The value of a type.
  ///
  /// - Throws: If there is none, or creating it fails.
  func value<Value>(of type: Value.Type) throws -> Value
}

/// A scope in which overrides hold.
package protocol StressScope: StressResolver {
  /// Runs a closure for which a type has another value.
  func overriding<Value: Sendable, Result>(
    with value: Value, _ body: (any StressScope) throws -> Result
  ) throws -> Result
}

/// A container under stress: the library's, or in tests one with a fault.
package protocol StressTarget: StressScope, Sendable {
  /// Registers a type that is created once, or anew each time.
  func register<Value: Sendable>(
    shared: Bool, _ make: @escaping @Sendable (any StressResolver) throws -> Value)

  /// Releases the instance of a type.
  func reset<Value>(_ type: Value.Type)

  /// Releases all instances.
  func reset()

  /// Returns everything that is registered and created.
  func save() -> any Sendable

  /// Restores what was saved.
  func restore(_ saved: any Sendable)

  /// Returns a Boolean value that indicates whether an error says that types need each other in a cycle.
  func isCycle(_ error: any Error) -> Bool
}
