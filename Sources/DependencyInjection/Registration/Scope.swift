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
public struct Scope: Hashable, Sendable, CustomStringConvertible {
  /// The name that errors and listings show.
  public let description: String

  /// Creates a scope.
  ///
  /// Scopes with the same name are equal.
  ///
  /// - Parameter name: The name that errors and listings show.
  public init(_ name: String) {
    description = name
  }
}
