/// Registers one instance, created by the first resolve and handed to everybody for ever.
///
/// ```swift
/// DIContainer.register {
///   Shared(AppConfigurationImpl() as AppConfiguration)
///   Shared { resolve in RouterImpl(config: resolve()) as Router }
/// }
/// ```
///
/// The instance is created exactly once, however many threads ask at the same time; a factory that takes long makes
/// only those wait that ask for the same registration. Every thread gets the same instance, also when its type is not
/// `Sendable`: the compiler cannot see that, so a type that is resolved on more than one thread must be safe to use
/// there. Make it an actor, a `Sendable` class, or isolate it with ``init(onMain:as:named:file:line:)``.
public struct Shared: InstanceRegistration {
  @usableFromInline
  let definition: Definition

  /// Creates the registration from everything but its lifetime; the other initializers end here.
  ///
  /// - Parameter definition: What they have put together.
  @inlinable
  public init(_ definition: consuming DefinitionDraft) {
    self.definition = Definition(definition, lifetime: .shared)
  }

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  @inlinable
  public func add(to list: inout RegistrationList) {
    list.add(definition)
  }
}
