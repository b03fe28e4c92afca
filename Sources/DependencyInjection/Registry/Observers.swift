internal import Synchronization

// The observers of a container's resolutions.
extension Registry {
  /// The observers of this container and of its ancestors.
  package var observers: [any ResolutionObserver] {
    var all: [any ResolutionObserver] = []
    for registry in lineage where registry.observerCount.load(ordering: .relaxed) > 0 { all += registry.ownObservers }
    return all
  }

  /// A Boolean value that indicates whether this container or an ancestor has observers.
  var isObserved: Bool {
    if ResolutionObservation.count.load(ordering: .relaxed) == 0 { return false }
    return lineage.contains { $0.observerCount.load(ordering: .relaxed) > 0 }
  }

  /// The observers of this container alone.
  package var ownObservers: [any ResolutionObserver] { state.withLock { $0.observers } }

  /// Reports every resolution to an observer from now on.
  package func addObserver(_ observer: any ResolutionObserver) {
    let isNew = state.withLock { state in
      if state.observers.contains(where: { $0 === observer }) { return false }
      state.observers.append(observer)
      return true
    }
    if isNew { countObservers(1) }
  }

  /// Stops reporting resolutions to an observer.
  package func removeObserver(_ observer: any ResolutionObserver) {
    let removed = state.withLock { state in
      let index = state.observers.firstIndex { $0 === observer }
      return index.map { state.observers.remove(at: $0) }
    }
    if removed != nil { countObservers(-1) }
  }

  /// Counts observers, so that readers do not use the tables while there are any.
  func countObservers(_ change: Int) {
    observerCount.wrappingAdd(change, ordering: .relaxed)
    ResolutionObservation.count.wrappingAdd(change, ordering: .relaxed)
    Circumstances.count.wrappingAdd(change, ordering: .relaxed)
  }
}

// The observers of a copied chain of containers are at its top, where they see everything that is resolved in the copy.
extension DIContainer {
  /// The observers of this container and of its ancestors.
  package var observers: [any ResolutionObserver] { registry.observers }

  /// The observers of this container alone, or of all with which it was copied.
  package var ownObservers: [any ResolutionObserver] { registry.copies.flatMap(\.ownObservers) }

  /// Reports every resolution to an observer from now on.
  package func addObserver(_ observer: any ResolutionObserver) { registry.copies.last?.addObserver(observer) }

  /// Stops reporting resolutions to an observer.
  package func removeObserver(_ observer: any ResolutionObserver) {
    for registry in registry.copies { registry.removeObserver(observer) }
  }
}
