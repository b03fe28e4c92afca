// The end of scopes.

extension DIContainer {
  /// Ends a scope: releases its instances, so that the next resolutions create new ones.
  ///
  /// This applies to everything that is registered with this container, its ancestors, and its descendants, whichever
  /// container keeps the instance. The requesters of an instance whose creation is in progress get the instance, and no
  /// container keeps it.
  ///
  /// - Parameter scope: The scope.
  public func reset(_ scope: Scope) {
    // From the root downwards. An instance that is created in between is built from what is new further up, or is
    // removed when its container's turn comes. Each container has one turn. First come the ancestors, with the
    // containers beside the path to this one. Then comes this container, with its descendants. The removed instances
    // are released after the last turn.
    var all: [Invalidation] = []
    var next = lineage().reversed()[...]
    while next.count > 1, let ancestor = next.popFirst() {
      let invalidation = ancestor.endScope(scope)
      invalidation.children.removeAll { $0 === next.first }
      ancestor.propagate(invalidation)
      all.append(invalidation)
    }
    var pending = [self]
    while let container = pending.popLast() {
      let invalidation = container.endScope(scope)
      pending += invalidation.children
      all.append(invalidation)
    }
  }

  /// Ends a scope in the current container, its ancestors and its descendants.
  ///
  /// - Parameter scope: The scope.
  public static func reset(_ scope: Scope) {
    current.reset(scope)
  }
}
