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

/// A part of an app's life to which instances are limited, such as the time during which a user is logged in.
///
/// ```swift
/// extension Scope {
///   static let session = Scope("session")
/// }
///
/// DIContainer.register(Scoped(in: .session) { resolve in Authentication() })
/// DIContainer.reset(.session)  // the user logs out
/// ```
public struct Scope: Hashable, Sendable, CustomStringConvertible, _NonisolatedExtensions {
  /// The scope of the container that is asked: `Scoped(in: .container)` is one instance for each container.
  ///
  /// Use it for what belongs to a request or a window and is registered once for all of them. The instance is created
  /// for the container that asks, and kept there.
  public static let container = Scope(description: "container", isContainer: true)

  /// The name that errors and listings show.
  public let description: String

  /// A Boolean value that indicates whether this is ``container``, which no other scope is equal to.
  let isContainer: Bool

  /// Creates a scope.
  ///
  /// Scopes with the same name are equal.
  ///
  /// - Parameter name: The name that errors and listings show.
  public init(_ name: String) { self.init(description: name, isContainer: false) }

  private init(description: String, isContainer: Bool) {
    (self.description, self.isContainer) = (description, isContainer)
  }
}
