/// A property wrapper that injects a dependency when its owner is created; the property is immutable.
///
/// ```swift
/// final class HomeViewModel {
///   @Inject private var router: Router
///   @Inject var player: MediaPlayer?          // nil if nothing is registered
/// }
/// ```
///
/// To the compiler, a wrapped property is a `var`, so a `Sendable` class cannot have one. Write `let router =
/// DIContainer.resolve(Router.self)` there.
@frozen
@propertyWrapper
public struct Inject<Value> {
  /// The dependency.
  public let wrappedValue: Value

  /// Resolves the dependency.
  ///
  /// - Parameters:
  ///   - container: The container to resolve from; nil for the current container.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the property.
  ///   - line: The line of the property.
  @inlinable
  @inline(always)
  public init(
    from container: DIContainer? = nil, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    if let container {
      wrappedValue = container.resolve(named: name, file: file, line: line)
    } else {
      wrappedValue = DIContainer.resolve(named: name, file: file, line: line)
    }
  }

  /// Resolves a declared dependency: `@Inject(DIContainer.router) var router`.
  ///
  /// - Parameters:
  ///   - declared: The dependency.
  ///   - container: The container to resolve from; nil for the current container.
  ///   - file: The file of the property.
  ///   - line: The line of the property.
  @inlinable
  @inline(always)
  public init(
    _ declared: Dependency<Value>, from container: DIContainer? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    wrappedValue = declared(from: container, file: file, line: line)
  }
}

extension Inject: Sendable where Value: Sendable {}

/// A property wrapper that injects a dependency when its owner is created; the property can be set afterward.
@frozen
@propertyWrapper
public struct MutableInject<Value> {
  /// The dependency, or the value to which the property was set.
  public var wrappedValue: Value

  /// Resolves the dependency.
  ///
  /// - Parameters:
  ///   - container: The container to resolve from; nil for the current container.
  ///   - name: The name that it is registered with, if any.
  ///   - file: The file of the property.
  ///   - line: The line of the property.
  @inlinable
  @inline(always)
  public init(
    from container: DIContainer? = nil, named name: DependencyName? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    wrappedValue = Inject(from: container, named: name, file: file, line: line).wrappedValue
  }

  /// Resolves a declared dependency: `@MutableInject(DIContainer.router) var router`.
  ///
  /// - Parameters:
  ///   - declared: The dependency.
  ///   - container: The container to resolve from; nil for the current container.
  ///   - file: The file of the property.
  ///   - line: The line of the property.
  @inlinable
  @inline(always)
  public init(
    _ declared: Dependency<Value>, from container: DIContainer? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    wrappedValue = declared(from: container, file: file, line: line)
  }
}

extension MutableInject: Sendable where Value: Sendable {}
