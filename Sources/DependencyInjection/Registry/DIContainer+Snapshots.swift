// How what a container stores is copied, put back and shown.

extension DIContainer {
  /// What is stored now: O(1), and O(n) once for the first change after it.
  package func registry() -> Registry {
    state.withLock { state in
      var registry = state.registry
      // Whoever restores it in the middle of registering the defaults has to start over.
      if case .running = registry.defaults { registry.defaults = .pending }
      return registry
    }
  }

  /// Puts back what was stored when the copy was taken: O(1) and the nodes of the table.
  package func setRegistry(_ registry: Registry) {
    propagate(
      state.withLock { state in
        let invalidation = Invalidation(tracksKeys: false)
        invalidation.isEverything = true
        invalidation.references = table.pointee.clearAll()
        invalidation.registry = state.registry
        state.registry = registry
        state.creations = [:]
        invalidateInherited(&state, invalidation)
        return invalidation
      })
  }

  /// A container of its own, without a parent, that has the same registrations and none of the instances.
  ///
  /// O(1), and for a child O(n), since the ancestors' registrations become its own.
  package func isolatedCopy() -> DIContainer {
    DIContainer(registry: merged())
  }

  /// What is registered here and in the ancestors, without the instances.
  func merged() -> Registry {
    var registry = registry()
    registry.instances = [:]
    var ancestor = parent
    while let container = ancestor {
      registry.inherit(container.registry())
      ancestor = container.parent
    }
    return registry
  }

  /// What answers a key in this container itself.
  package func record(of key: Key) -> Registry.Record? { state.withLock { $0.registry.records[key] } }

  /// The registration that answers a key in this container itself.
  package func definition(of key: Key) -> Definition? { record(of: key)?.definition }

  /// The registration that answers a key in this container or the nearest ancestor that has one.
  package func visibleDefinition(of key: Key) -> Definition? {
    lineage(below: nil).lazy.compactMap { $0.definition(of: key) }.first
  }

  /// Whether `registerDependencies` has still to be called for this container.
  package var lacksDefaults: Bool {
    guard Self.registering != nil else { return false }
    return state.withLock { state in
      if case .none = state.registry.defaults { return false }
      return true
    }
  }

  /// The observers of this container and of its ancestors.
  package var observers: [any ResolutionObserver] {
    lineage(below: nil).flatMap { container in container.state.withLock { $0.observers } }
  }

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
        return state.children.values.compactMap(\.container)
      }
      invalidation.children += children
      pending += children
    }
  }
}
