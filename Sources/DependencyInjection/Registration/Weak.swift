/// Registers an instance that lives as long as somebody holds it.
///
/// ```swift
/// DIContainer.register(Weak(ImageCache() as Cache))
/// ```
///
/// As long as it lives everybody gets the same instance; the resolve after it has gone creates another one, exactly
/// once. The instance must be one of a class: a resolve of anything else is an error.
public struct Weak: InstanceRegistration {
  @usableFromInline
  let definition: Definition

  /// Creates the registration from everything but its lifetime; the other initializers end here.
  ///
  /// - Parameter definition: What they have put together.
  @inlinable
  public init(_ definition: consuming DefinitionDraft) {
    self.definition = Definition(definition, lifetime: .weak)
  }

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  @inlinable
  public func add(to list: inout RegistrationList) {
    list.add(definition)
  }
}
