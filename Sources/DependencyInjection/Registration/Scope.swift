/// A part of an app's life that instances are limited to, such as the time a user is logged in.
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

  /// Creates a scope; scopes of the same name are the same.
  ///
  /// - Parameter name: What errors and listings show.
  public init(_ name: String) {
    description = name
  }
}
