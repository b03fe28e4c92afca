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

extension DIContainer {
  /// Ends a scope: releases its instances, and the next resolves create new ones.
  ///
  /// That goes for what is registered in this container, its ancestors and its descendants, wherever it is kept. An
  /// instance that is being created at this moment goes to whoever creates it, and is not kept.
  ///
  /// - Parameter scope: The scope.
  public func reset(_ scope: Scope) {
    // From the root on: what is created in between is made of what is new further up, or goes when its turn comes.
    for container in lineage(below: nil).reversed() { container.endScope(scope) }
    func endBelow(_ container: DIContainer) {
      for child in container.children {
        child.endScope(scope)
        endBelow(child)
      }
    }
    endBelow(self)
  }

  /// Ends a scope in the current container, its ancestors and its descendants.
  ///
  /// - Parameter scope: The scope.
  public static func reset(_ scope: Scope) {
    current.reset(scope)
  }
}
