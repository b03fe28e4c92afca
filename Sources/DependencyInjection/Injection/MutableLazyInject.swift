/// A property wrapper that injects a dependency when the property is first accessed; the property can be set.
///
/// Setting the property before the first access resolves nothing. Copies of the owner share the injected dependency,
/// but not a value to which one of them is set.
@frozen
@propertyWrapper
public struct MutableLazyInject<Value> {
  @usableFromInline
  var dependency: LazyDependency<Value>

  /// The dependency, which the first access resolves, or the value to which the property was set.
  public var wrappedValue: Value {
    get { dependency.value }
    set { dependency = LazyDependency(value: newValue) }
  }

  /// Injects the dependency.
  ///
  /// - Parameters:
  ///   - container: The container to resolve from; nil for the current container.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the property, for messages.
  ///   - line: The line of the property, for messages.
  @inlinable
  public init(
    from container: DIContainer? = nil, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    dependency = LazyDependency(container, Label(name), file, line)
  }

  /// Injects a declared dependency: `@MutableLazyInject(DIContainer.router) var router`.
  ///
  /// - Parameters:
  ///   - declared: The dependency.
  ///   - container: The container to resolve from; nil for the current container.
  ///   - file: The file of the property, for messages.
  ///   - line: The line of the property, for messages.
  @inlinable
  public init(
    _ declared: Dependency<Value>, from container: DIContainer? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    dependency = LazyDependency(container, declared.label, file, line)
  }
}

extension MutableLazyInject: Sendable where Value: Sendable {}
