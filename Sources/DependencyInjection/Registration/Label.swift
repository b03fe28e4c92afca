/// The part of a key that distinguishes registrations of the same type.
@safe
@usableFromInline
enum Label: Sendable {
  /// A `Dependency`.
  ///
  /// It is the first case, so that it has no tag in memory. Not reference counted: the declaration is never released.
  case dependency(Unmanaged<Declaration>)

  /// A name.
  case name(DependencyName)

  /// No label: the type alone is the key.
  case none

  /// Creates the label of a name, or an empty label if the name is nil.
  @inlinable
  @inline(__always)
  init(_ name: DependencyName?) {
    if let name { self = .name(name) } else { self = .none }
  }

  /// The name, if the label is one.
  var name: DependencyName? { if case .name(let name) = self { name } else { nil } }

  /// The declaration, if the label is a `Dependency`.
  var declaration: Declaration? {
    if case .dependency(let declaration) = self { unsafe declaration.takeUnretainedValue() } else { nil }
  }

  /// The declaration that identifies a `Dependency`.
  ///
  /// It is never released, so no other key ever has its address.
  @usableFromInline
  final class Declaration: @unchecked Sendable {
    // Unchecked: the variable is set once, before any other code has a reference to the declaration.

    /// The registration that is used unless it is overridden.
    package private(set) var definition: Definition!

    private init() {}

    /// Declares a dependency, which lives as long as the process.
    ///
    /// - Parameter definition: Its registration, without a label.
    /// - Returns: The declaration, which is never released.
    static func make(_ definition: Definition) -> Unmanaged<Declaration> {
      let declaration = unsafe Unmanaged.passRetained(Declaration())
      unsafe declaration.takeUnretainedValue().definition = definition.with(label: .dependency(declaration))
      return unsafe declaration
    }
  }
}
