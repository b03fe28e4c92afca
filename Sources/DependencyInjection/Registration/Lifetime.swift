/// How long an instance lives once it has been created.
///
/// The registration types stand for one each: ``Shared``, ``New``, ``Weak``, ``PerGraph`` and ``Scoped``.
public struct Lifetime: Hashable, Sendable {
  /// What is done with an instance.
  package enum Kind: UInt8, Sendable {
    case shared, new, weak, perGraph, scoped
  }

  package let kind: Kind

  /// The scope at whose end the instance is released, if it is `scoped`.
  package let scope: Scope?

  /// A Boolean value that indicates whether the container keeps an instance alive.
  var isKept: Bool { kind == .shared || kind == .scoped }

  /// Until it is replaced or reset.
  public static let shared = Lifetime(kind: .shared, scope: nil)

  /// As long as whoever resolved it keeps it: every resolve creates another one.
  public static let new = Lifetime(kind: .new, scope: nil)

  /// As long as anybody keeps it; until then everybody gets the same.
  public static let weak = Lifetime(kind: .weak, scope: nil)

  /// As long as the outermost resolve takes: everything that it creates gets the same.
  public static let perGraph = Lifetime(kind: .perGraph, scope: nil)

  /// Until a scope is reset, or the registration replaced.
  ///
  /// - Parameter scope: The scope.
  /// - Returns: The lifetime of ``Scoped``.
  public static func scoped(in scope: Scope) -> Lifetime { Lifetime(kind: .scoped, scope: scope) }
}

extension Lifetime: CustomStringConvertible {
  /// The registration that stands for the lifetime, such as `Shared` or `Scoped(in: session)`.
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
