/// The time for which an instance lives once it has been created.
///
/// Each registration type stands for one lifetime: ``Shared``, ``New``, ``Weak``, ``PerGraph``, and ``Scoped``. More lifetimes
/// may be added, so handle other lifetimes in an `@unknown default`.
@nonexhaustive
public enum Lifetime: Hashable, Sendable {
  /// The lifetime of an instance that the container keeps until it is replaced or reset.
  case shared

  /// The lifetime of an instance that only its requester keeps.
  ///
  /// Every resolution creates a new one.
  case new

  /// The lifetime of an instance that lives as long as any code holds it.
  ///
  /// Until it is released, every resolution returns it.
  case weak

  /// The lifetime of an instance that is created once for everything that the outermost resolution creates.
  case perGraph

  // Indirect, because few registrations have a scope, and the other registrations are smaller without it.
  /// The lifetime of an instance that the container keeps until the scope is reset, or the container replaces the registration.
  indirect case scoped(in: Scope)
}

extension Lifetime: CustomStringConvertible {
  /// The registration type that stands for the lifetime, such as `Shared` or `Scoped(in: session)`.
  public var description: String {
    switch self {
    case .shared: "Shared"
    case .new: "New"
    case .weak: "Weak"
    case .perGraph: "PerGraph"
    case .scoped(let scope): "Scoped(in: \(scope))"
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
  /// for the container that is asked, and kept there.
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
