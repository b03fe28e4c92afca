public import DependencyInjection

/// A type or a closure that a ``GraphBenchmark`` resolves.
///
/// It is `Sendable`, because several threads resolve it.
public struct Root: Sendable {
  let name: String
  let resolve: @Sendable (DIContainer) throws -> Void
  let fileID: StaticString, line: UInt

  /// Creates a root that resolves a type.
  ///
  /// - Parameters:
  ///   - type: The type, as it is registered.
  ///   - name: The name that it is registered with; nil if it has none.
  ///   - fileID: The file of the declaration, for errors.
  ///   - line: The line of the declaration.
  @inlinable  // so that the code that resolves is made for the type, as in an app
  public init<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      "\(type)".replacing("any ", with: "") + (name.map { ".\($0)" } ?? ""),
      resolve: { _ = try $0.tryResolve(type, named: name, file: fileID, line: line) }, fileID: fileID, line: line)
  }

  /// Creates a root that a closure resolves, for a type that needs arguments, or more than one resolution.
  ///
  /// - Parameters:
  ///   - name: The name of its benchmarks.
  ///   - resolve: Resolves it from a container.
  ///   - fileID: The file of the declaration, for errors.
  ///   - line: The line of the declaration.
  public init(
    _ name: String, resolve: @escaping @Sendable (DIContainer) throws -> Void, fileID: StaticString = #fileID,
    line: UInt = #line
  ) {
    (self.name, self.resolve, self.fileID, self.line) = (name, resolve, fileID, line)
  }
}
