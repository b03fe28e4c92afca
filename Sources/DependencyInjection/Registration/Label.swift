internal import Synchronization

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
    // Unchecked: the variables are set once, before any other code has a reference to the declaration.

    /// The registration that is used unless it is overridden.
    private(set) var definition: Definition!

    /// The keys of the dependencies that keep the instances of this one, if it has one instance for each argument.
    ///
    /// It is set once, when the dependency is declared.
    var members: (() -> [Key])?

    /// The address of the shared container's cell for the dependency, or of a cell that belongs to no key.
    let cell: Atomic<UInt>

    private init(cell: UInt) { self.cell = Atomic(cell) }

    /// Declares a dependency, which lives as long as the process.
    ///
    /// - Parameters:
    ///   - draft: Everything about the registration but its lifetime.
    ///   - lifetime: The lifetime.
    ///   - cell: The address of a cell that belongs to no key.
    /// - Returns: The declaration, which is never released.
    static func make(_ draft: DefinitionDraft, lifetime: Lifetime, cell: UInt) -> Unmanaged<Declaration> {
      let declaration = unsafe Unmanaged.passRetained(Declaration(cell: cell))
      unsafe declaration.takeUnretainedValue().definition = Definition(
        draft.labeled(.dependency(declaration)), lifetime: lifetime)
      return unsafe declaration
    }
  }
}
