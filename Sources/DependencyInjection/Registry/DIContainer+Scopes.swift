// How scopes end.

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
    var all: [Invalidation] = []
    var next = lineage(below: nil).reversed()[...]
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
