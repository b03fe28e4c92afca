// Who sees the resolves of a container.

extension DIContainer {
  /// The observers of this container and of its ancestors.
  package var observers: [any ResolutionObserver] {
    var all = ownObservers
    var next = parent
    while let container = next {
      let observers = container.ownObservers
      if !observers.isEmpty { all += observers }
      next = container.parent
    }
    return all
  }

  /// The observers of this container alone.
  package var ownObservers: [any ResolutionObserver] { state.withLock { $0.observers } }

  /// Shows every resolve to an observer from now on.
  package func addObserver(_ observer: any ResolutionObserver) {
    // First, so that whoever finds the table empty knows that there may be somebody to tell.
    ResolutionObservation.begin()
    let isNew = state.withLock { state in
      if state.observers.contains(where: { $0 === observer }) { return false }
      state.observers.append(observer)
      return true
    }
    if isNew { countObservers(1) }
  }

  /// Shows no more resolves to an observer.
  package func removeObserver(_ observer: any ResolutionObserver) {
    let isGone = state.withLock { state in
      let count = state.observers.count
      state.observers.removeAll { $0 === observer }
      return state.observers.count < count
    }
    if isGone { countObservers(-1) }
  }

  /// Shows this container, which is new, to those who observe the current one.
  func showToCurrentObservers() {
    if ResolutionObservation.isOn { for observer in Self.current.observers { observer.didCreate(self) } }
  }

  /// Changes the number of observers here and in the descendants, and has the registry answer the next resolve of
  /// everything if there are more.
  ///
  /// Whoever puts an answer into a table looks at the number under the same lock: either before this, and then the
  /// answer is cleared, or after it. No container is missed, nor counted twice: in one step each, a container changes its
  /// number and says which children it has, and a new child gets on that list and the number to begin with. One that is
  /// on the list is visited, which changes what it began with; any other one has begun with the changed number.
  private func countObservers(_ change: Int) {
    // Keeps the containers until no lock is held.
    let invalidation = Invalidation(tracksKeys: false)
    var pending = [self]
    while let container = pending.popLast() {
      let children = container.state.withLock { state in
        state.observerCount += change
        if change > 0 { invalidation.references += container.table.pointee.clearAll() }
        container.updateShadowedKeys(state)
        return state.children.values.compactMap(\.container)
      }
      invalidation.children += children
      pending += children
    }
  }
}
