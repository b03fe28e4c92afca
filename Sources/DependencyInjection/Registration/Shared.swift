/// A registration of one instance, which the first resolution creates and every resolution returns.
///
/// ```swift
/// DIContainer.register {
///   Shared(AppConfigurationImpl() as AppConfiguration)
///   Shared { resolve in RouterImpl(config: resolve()) as Router }
/// }
/// ```
///
/// The instance is created exactly once, however many threads request it at the same time. While a slow factory runs,
/// only the requesters of the same registration wait. Every thread gets the same instance, even if its type is not
/// `Sendable`. The compiler cannot check that, so a type that is resolved on more than one thread must be safe to use
/// there. Make it an actor or a `Sendable` class, or isolate it with ``init(onMain:as:named:file:line:)``.
@frozen
public struct Shared: InstanceRegistration {
  @usableFromInline
  let definition: Definition

  /// The lifetime of an instance.
  @inlinable
  public static var lifetime: Lifetime { .shared }

  /// Creates the registration; the other initializers call this one.
  ///
  /// - Parameter definition: Everything about the registration.
  @_documentation(visibility: internal)
  @inlinable
  public init(_ definition: Definition) {
    self.definition = definition
  }

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  @inlinable
  public func add(to list: inout RegistrationList) {
    list.add(definition)
  }
}
