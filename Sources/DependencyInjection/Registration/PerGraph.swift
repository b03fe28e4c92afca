/// Registers a factory that is called once for everything that one resolve creates.
///
/// ```swift
/// DIContainer.register {
///   PerGraph { resolve in Session() as Session }
///   New { resolve in Screen(header: resolve(), list: resolve()) }  // both get the same session, and no other screen
/// }
/// ```
///
/// The graph is what the outermost resolve of a thread creates on that thread. It is not shared with graphs of other
/// threads, and its instances are released, unless somebody holds them, when the outermost resolve returns. What an
/// instance resolves later, lazily, begins a graph of its own.
public struct PerGraph: InstanceRegistration {
  @usableFromInline
  let definition: Definition

  /// Creates the registration from everything but its lifetime; the other initializers end here.
  ///
  /// - Parameter definition: What they have put together.
  @inlinable
  public init(_ definition: consuming DefinitionDraft) {
    self.definition = Definition(definition, lifetime: .perGraph)
  }

  /// Adds the registration to a list.
  ///
  /// - Parameter list: The list.
  @inlinable
  public func add(to list: inout RegistrationList) {
    list.add(definition)
  }
}
