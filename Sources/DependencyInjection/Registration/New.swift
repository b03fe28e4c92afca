/// A registration of a factory that every resolution calls, so each gets an instance of its own.
///
/// ```swift
/// DIContainer.register {
///   New(MockRouter() as Router)
///   New { _, id in ConcreteViewModel(id: id) as ViewModel }
/// }
/// ```
@frozen
public struct New: InstanceRegistration {
  @usableFromInline
  let definition: Definition

  /// The lifetime of an instance.
  @inlinable
  public static var lifetime: Lifetime { .new }

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
