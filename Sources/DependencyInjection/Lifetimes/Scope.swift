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
    // From the root on: what is created in between is made of what is new further up, or goes when its turn comes. Each
    // container has one turn: the ancestors, with what is beside the way down to this one, and this one with what is
    // below. What they leave is released when all have had theirs.
    var all: [Leftovers] = []
    var next = lineage(below: nil).reversed()[...]
    while next.count > 1, let ancestor = next.popFirst() {
      let leftovers = ancestor.endScope(scope)
      leftovers.children.removeAll { $0 === next.first }
      ancestor.finish(leftovers)
      all.append(leftovers)
    }
    var pending = [self]
    while let container = pending.popLast() {
      let leftovers = container.endScope(scope)
      pending += leftovers.children
      all.append(leftovers)
    }
  }

  /// Ends a scope in the current container, its ancestors and its descendants.
  ///
  /// - Parameter scope: The scope.
  public static func reset(_ scope: Scope) {
    current.reset(scope)
  }
}
