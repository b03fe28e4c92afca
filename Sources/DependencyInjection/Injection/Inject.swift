/// Injects a dependency when its owner is created; the property is immutable.
///
/// ```swift
/// final class HomeViewModel {
///   @Inject private var router: Router
///   @Inject var player: MediaPlayer?          // nil if nothing is registered
/// }
/// ```
///
/// A wrapped property is a `var` to the compiler, so a `Sendable` class cannot have one: write
/// `let router = DIContainer.resolve(Router.self)` there.
@propertyWrapper
public struct Inject<Value> {
  /// The dependency.
  public let wrappedValue: Value

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

extension Inject: Sendable where Value: Sendable {}
