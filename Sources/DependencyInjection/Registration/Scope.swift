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
