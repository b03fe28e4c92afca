/// A registration of a factory that is called once for everything that one resolution creates.
///
/// ```swift
/// DIContainer.register {
///   PerGraph { resolve in Session() as Session }
///   New { resolve in Screen(header: resolve(), list: resolve()) }  // both get the same session, and no other screen
/// }
/// ```
///
/// The graph consists of everything that the outermost resolution of a thread creates on that thread. It is not shared
/// with graphs of other threads. When the outermost resolution returns, the graph releases its instances; an instance
/// lives on only if other code holds it. What an instance resolves later, lazily, begins a graph of its own.
@frozen
public struct PerGraph: InstanceRegistration {
  @usableFromInline
  let definition: Definition

  /// The lifetime of an instance.
  @inlinable
  public static var lifetime: Lifetime { .perGraph }

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
