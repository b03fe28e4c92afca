/// The time for which an instance lives once it has been created.
///
/// Each registration type stands for one lifetime: ``Shared``, ``New``, ``Weak``, ``PerGraph``, and ``Scoped``.
public struct Lifetime: Hashable, Sendable {
  /// The kind of a lifetime.
  package enum Kind: UInt8, Sendable {
    case shared, new, weak, perGraph, scoped
  }

  package let kind: Kind

  /// The scope whose end releases the instance, if the kind is `scoped`.
  package let scope: Scope?

  /// A Boolean value that indicates whether a container keeps an instance alive.
  var isKept: Bool { kind == .shared || kind == .scoped }

  /// A Boolean value that indicates whether each container that asks has an instance of its own.
  var isPerContainer: Bool { scope?.isContainer == true }

  /// The lifetime of an instance that the container keeps until it is replaced or reset.
  public static let shared = Lifetime(kind: .shared, scope: nil)

  /// The lifetime of an instance that only its requester keeps.
  ///
  /// Every resolution creates another one.
  public static let new = Lifetime(kind: .new, scope: nil)

  /// The lifetime of an instance that lives as long as any code holds it.
  ///
  /// Until it is released, every resolution returns it.
  public static let weak = Lifetime(kind: .weak, scope: nil)

  /// The lifetime of an instance that is created once for everything that the outermost resolution creates.
  public static let perGraph = Lifetime(kind: .perGraph, scope: nil)

  /// Returns the lifetime of an instance that the container keeps until a scope is reset or the registration is
  /// replaced.
  ///
  /// - Parameter scope: The scope.
  /// - Returns: The lifetime of ``Scoped``.
  public static func scoped(in scope: Scope) -> Lifetime { Lifetime(kind: .scoped, scope: scope) }
}

extension Lifetime: CustomStringConvertible {
  /// The registration type that stands for the lifetime, such as `Shared` or `Scoped(in: session)`.
  public var description: String {
    switch kind {
    case .shared: "Shared"
    case .new: "New"
    case .weak: "Weak"
    case .perGraph: "PerGraph"
    case .scoped: "Scoped(in: \(scope.map { "\($0)" } ?? ""))"
    }
  }
}
