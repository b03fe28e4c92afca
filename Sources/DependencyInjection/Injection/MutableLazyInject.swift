/// Injects a dependency when the property is first accessed; the property can be set.
///
/// Setting it before the first access resolves nothing. Copies of the owner share the injected dependency, but not what
/// one of them is set to.
@propertyWrapper
public struct MutableLazyInject<Value> {
  private var dependency: LazyDependency<Value>

  /// The dependency, resolved by the first access, or what it was set to.
  public var wrappedValue: Value {
    get { dependency.value }
    set { dependency = LazyDependency(value: newValue) }
  }

  /// Injects the dependency from the current container.
  ///
  /// - Parameters:
  ///   - file: The file of the property, for messages.
  ///   - line: The line of the property, for messages.
  public init(file: StaticString = #fileID, line: UInt = #line) {
    dependency = LazyDependency(nil, SourceLocation(file: file, line: line))
  }

  /// Injects the dependency from a container.
  ///
  /// - Parameters:
  ///   - container: The container to resolve from.
  ///   - file: The file of the property, for messages.
  ///   - line: The line of the property, for messages.
  public init(from container: DIContainer, file: StaticString = #fileID, line: UInt = #line) {
    dependency = LazyDependency(container, SourceLocation(file: file, line: line))
  }
}

extension MutableLazyInject: Sendable where Value: Sendable {}
