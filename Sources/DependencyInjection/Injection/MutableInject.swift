/// Injects a dependency when its owner is created; the property can be set afterwards.
@propertyWrapper
public struct MutableInject<Value> {
  /// The dependency, or what it was set to.
  public var wrappedValue: Value

  /// Resolves the dependency from the current container.
  ///
  /// - Parameters:
  ///   - file: The file of the property, for messages.
  ///   - line: The line of the property, for messages.
  @inlinable
  public init(file: StaticString = #fileID, line: UInt = #line) {
    wrappedValue = DIContainer.resolve(file: file, line: line)
  }

  /// Resolves the dependency from a container.
  ///
  /// - Parameters:
  ///   - container: The container to resolve from.
  ///   - file: The file of the property, for messages.
  ///   - line: The line of the property, for messages.
  @inlinable
  public init(from container: DIContainer, file: StaticString = #fileID, line: UInt = #line) {
    wrappedValue = container.resolve(file: file, line: line)
  }
}

extension MutableInject: Sendable where Value: Sendable {}
