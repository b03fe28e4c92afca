// The observers of a container's resolutions.

extension DIContainer {
  /// The observers of this container and of its ancestors.
  package var observers: [any ResolutionObserver] {
    var all: [any ResolutionObserver] = []
    for container in lineage() {
      let own = container.ownObservers
      if all.isEmpty { all = own } else { all += own }
    }
    return all
  }

  /// A Boolean value that indicates whether this container or an ancestor has observers.
  var isObserved: Bool { ResolutionObservation.isOn && state.withLock { $0.observerCount > 0 } }

  /// The observers of this container alone.
  package var ownObservers: [any ResolutionObserver] { state.withLock { $0.observers } }

  /// Reports every resolution to an observer from now on.
  package func addObserver(_ observer: any ResolutionObserver) {
    // First, so that a thread that finds the table empty knows that there may be an observer.
    ResolutionObservation.begin()
    let isNew = state.withLock { state in
      if state.observers.contains(where: { $0 === observer }) { return false }
      state.observers.append(observer)
      return true
    }
    if isNew { countObservers(1) }
  }

  /// Stops reporting resolutions to an observer.
  package func removeObserver(_ observer: any ResolutionObserver) {
    let isGone = state.withLock { state in
      let count = state.observers.count
      state.observers.removeAll { $0 === observer }
      return state.observers.count < count
    }
    if isGone { countObservers(-1) }
  }

  /// Reports this new container to the observers of the current one.
  func showToCurrentObservers() {
    if ResolutionObservation.isOn { for observer in Self.current.observers { observer.didCreate(self) } }
  }

  /// Changes the number of observers of this container and its descendants.
  ///
  /// If there are more of them, the registry answers the next resolution of each key.
  ///
  /// A thread that puts an answer into a table checks the number under the same lock. It does so either before this
  /// change, and then the answer is cleared, or after it.
  ///
  /// No container is missed, and none is counted twice. A container changes its number and lists its children in one
  /// step. A new child gets on that list and gets its initial number in one step. A child that is on the list is
  /// visited, which changes its initial number. Every other child began with the changed number.
  private func countObservers(_ change: Int) {
    // It keeps the containers alive until no lock is held.
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
