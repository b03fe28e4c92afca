/// A property wrapper that injects a dependency when the property is first accessed; the property is immutable.
///
/// Use it in owners that are created before the dependency is registered, and for dependencies that may not be needed:
///
/// ```swift
/// class AppDelegate: UIResponder, UIApplicationDelegate {
///   @LazyInject private var router: Router
///
///   override init() {
///     super.init()
///     DIContainer.register(Shared(RouterImpl() as Router))
///   }
/// }
/// ```
///
/// The dependency is resolved once, even if several threads make the first access. It is resolved from the container whose
/// factory created the owner, or else from the container that was made current where the owner was created. Without either,
/// it is resolved from the container that is current at the first access. The property keeps no container alive. Copies of
/// the owner share the dependency.
@frozen
@propertyWrapper
public struct LazyInject<Value> {
  @usableFromInline
  let dependency: LazyDependency<Value>

  /// The dependency, resolved by the first access.
  @inlinable
  public var wrappedValue: Value { dependency.value }

  /// Injects the dependency.
  ///
  /// - Parameters:
  ///   - container: The container to resolve from; nil for the current container.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the property.
  ///   - line: The line of the property.
  @inlinable
  public init(
    from container: DIContainer? = nil, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    dependency = LazyDependency(container, Label(name), file, line)
  }

  /// Injects a declared dependency: `@LazyInject(DIContainer.router) var router`.
  ///
  /// - Parameters:
  ///   - declared: The dependency.
  ///   - container: The container to resolve from; nil for the current container.
  ///   - file: The file of the property.
  ///   - line: The line of the property.
  @inlinable
  public init(
    _ declared: Dependency<Value>, from container: DIContainer? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    dependency = LazyDependency(container, declared.label, file, line)
  }
}

extension LazyInject: Sendable where Value: Sendable {}

/// A property wrapper that injects a dependency when the property is first accessed; the property can be set.
///
/// Setting the property before the first access resolves nothing. Copies of the owner share the injected dependency,
/// but not a value that is set in one of them.
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
  ///   - file: The file of the property.
  ///   - line: The line of the property.
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
  ///   - file: The file of the property.
  ///   - line: The line of the property.
  @inlinable
  public init(
    _ declared: Dependency<Value>, from container: DIContainer? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    dependency = LazyDependency(container, declared.label, file, line)
  }
}

extension MutableLazyInject: Sendable where Value: Sendable {}
