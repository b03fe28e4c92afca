/// Registers a factory that every resolve calls, so each gets an instance of its own.
///
/// ```swift
/// DIContainer.register {
///   New(MockRouter() as Router)
///   New { _, id in ConcreteViewModel(id: id) as ViewModel }
/// }
/// ```
public struct New: InstanceRegistration {
  @usableFromInline
  let definition: Definition

  /// Creates the registration from everything but its lifetime; the other initializers end here.
  ///
  /// - Parameter definition: What they have put together.
  @inlinable
  public init(_ definition: consuming DefinitionDraft) {
    self.definition = definition.definition
  }

  /// What another registration type can make of it.
  var draft: DefinitionDraft { DefinitionDraft(definition) }

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  @inlinable
  public func add(to list: inout RegistrationList) {
    list.add(definition)
  }
}
