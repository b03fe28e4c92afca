internal import Synchronization

/// What tells keys of the same type apart.
@safe
@usableFromInline
enum Label: Sendable {
  /// A `Dependency`; first, because that is what it then is in memory. Not counted: it is never released.
  case dependency(Unmanaged<Declaration>)

  /// A name.
  case name(DependencyName)

  /// Nothing: the type is the key.
  case none

  /// The label of a name that may be missing.
  @inlinable
  @inline(__always)
  init(_ name: DependencyName?) {
    if let name { self = .name(name) } else { self = .none }
  }

  /// The name, if it is one.
  var name: DependencyName? { if case .name(let name) = self { name } else { nil } }

  /// What declares it, if it is that of a `Dependency`.
  var declaration: Declaration? {
    if case .dependency(let declaration) = self { unsafe declaration.takeUnretainedValue() } else { nil }
  }

  /// What a `Dependency` is known by; never released, so that no other key ever has its address.
  @usableFromInline
  final class Declaration: @unchecked Sendable {
    // Unchecked: set once, before anybody else knows it.

    /// The registration that answers unless it is overridden.
    private(set) var definition: Definition!

    /// The address of the cell that the shared container has for it, or of one that belongs to no key.
    let cell: Atomic<UInt>

    private init(cell: UInt) { self.cell = Atomic(cell) }

    /// Declares a dependency, for good.
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
