public import DependencyInjection

/// A type or a closure that a ``GraphBenchmark`` resolves.
///
/// It is `Sendable`, because several threads resolve it.
public struct Root: Sendable {
  /// The name of the scenarios about it.
  let name: String
  /// Resolves it once.
  let resolve: @Sendable (DIContainer) throws -> Void

  /// Creates a root that resolves a type.
  ///
  /// - Parameters:
  ///   - type: The type, as it is registered.
  ///   - name: The name that it is registered with; nil if it has none.
  public init<Value>(_ type: Value.Type, named name: DependencyName? = nil) {
    let type = UncheckedType(type: type)
    self.init("\(type.type)".replacing("any ", with: "") + (name.map { ".\($0)" } ?? "")) { container in
      _ = try container.tryResolve(type.type, named: name)
    }
  }

  /// Creates a root that a closure resolves, for what needs arguments, or more than one resolution.
  ///
  /// - Parameters:
  ///   - name: What the scenarios about it are called.
  ///   - resolve: Resolves it from a container.
  public init(_ name: String, resolve: @escaping @Sendable (DIContainer) throws -> Void) {
    self.name = name
    self.resolve = resolve
  }
}

/// A type for other threads.
///
/// Unchecked: metadata never changes. The compiler asks because a conformance of the type may be isolated; none is used.
private struct UncheckedType<Value>: @unchecked Sendable {
  let type: Value.Type
}
