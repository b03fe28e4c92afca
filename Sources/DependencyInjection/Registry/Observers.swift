internal import Synchronization

/// An observer of every resolution from a container, for counting and tracing.
package protocol ResolutionObserver: AnyObject, Sendable {
  /// Called after each successful resolution, on the thread of the request, outside of every lock.
  ///
  /// `requester` is the registration whose factory made the request. `definition` is the one that answered it. An
  /// observer that keeps either keeps what the factory captures.
  func didResolve(_ event: ResolutionEvent, for requester: Definition?, from definition: Definition?)

  /// Called like `didResolve`, after each resolution that found no registration or could not create an instance.
  func didNotResolve(_ event: ResolutionEvent)

  /// Called after the answers to keys have changed in an observed container, outside of every lock.
  ///
  /// `keys` are all of these keys. `replaced` are those that were registered or unregistered, and not only decorated.
  ///
  /// It is called when something is registered or unregistered, except by `registerDependencies`. It is not called for
  /// `removeAll` and `restore`.
  func didChange(_ keys: Set<Key>, replacing replaced: Set<Key>, in container: DIContainer)

  /// Called after a container was created as a child or a copy of an observed one, or while an observed one was
  /// current; on the creating thread, outside of every lock.
  func didCreate(_ container: DIContainer)

  /// Called before a failed resolution ends the process, on the thread of the request, outside of every lock.
  func willTrap(_ error: ResolutionError)
}

extension ResolutionObserver {
  /// Ignores the failure.
  package func didNotResolve(_ event: ResolutionEvent) {}

  /// Ignores the change.
  package func didChange(_ keys: Set<Key>, replacing replaced: Set<Key>, in container: DIContainer) {}

  /// Ignores the container.
  package func didCreate(_ container: DIContainer) {}

  /// Ignores the trap.
  package func willTrap(_ error: ResolutionError) {}
}

/// The circumstances under which a resolution is more than a lookup in the table of the shared container.
enum Circumstances {
  /// The number of observers in the process, of lazy properties that count as observers, and of contexts in which code may run.
  ///
  /// While it is 0, the shared container is current everywhere, and nothing is observed. A relaxed load is enough. Code
  /// that runs in a context begins after the context was counted, and the context is counted until no such code can
  /// run.
  static let count = Atomic(0)

  /// The number of observers, and of those lazy properties, among them.
  static let observerCount = Atomic(0)

  /// A Boolean value that indicates whether any container of the process is observed.
  @_transparent
  static var areObserved: Bool { observerCount.load(ordering: .relaxed) > 0 }

  @_transparent
  static var areSimple: Bool { count.load(ordering: .relaxed) == 0 }
}

// The observers of a container's resolutions.
extension Registry {
  /// The observers of this container and of its ancestors.
  package var observers: [any ResolutionObserver] {
    var all: [any ResolutionObserver]?
    var next: Registry? = self
    while let registry = next {
      if registry.observerCount.load(ordering: .relaxed) > 0 {
        // Usually, all observers belong to one container.
        if let nearer = all { all = nearer + registry.ownObservers } else { all = registry.ownObservers }
      }
      next = registry.parent
    }
    return all ?? []
  }

  /// A Boolean value that indicates whether this container or an ancestor has observers.
  var isObserved: Bool {
    if !Circumstances.areObserved { return false }
    var next = Unowned(self)
    while next.borrow({ $0.observerCount.load(ordering: .relaxed) }) == 0 {
      guard let parent = next.borrow({ $0.parent.map { Unowned($0) } }) else { return false }
      next = parent
    }
    return true
  }

  /// The observers of this container alone.
  package var ownObservers: [any ResolutionObserver] { withLock { $0.observers } }

  /// Reports every resolution to an observer from now on.
  package func addObserver(_ observer: any ResolutionObserver) {
    withLock { state in
      if state.observers.contains(where: { $0 === observer }) { return }
      state.observers = state.observers + [observer]
      // Under the lock: another thread that removes the observer must not count it out before it is counted.
      countObservers(1)
    }
  }

  /// Stops reporting resolutions to an observer.
  package func removeObserver(_ observer: any ResolutionObserver) {
    withLock { state in
      guard state.observers.contains(where: { $0 === observer }) else { return }
      // Not in place: the thread sanitizer does not see that nothing else refers to the array anymore.
      state.observers = state.observers.filter { $0 !== observer }
      countObservers(-1)
    }
  }

  /// Counts observers, so that readers do not use the tables while there are any.
  func countObservers(_ change: Int) {
    observerCount.wrappingAdd(change, ordering: .releasing)
    Circumstances.observerCount.wrappingAdd(change, ordering: .relaxed)
    Circumstances.count.wrappingAdd(change, ordering: .relaxed)
  }
}

// The observers of a copied chain of containers are at its top, where they see everything that is resolved in the copy.
extension DIContainer {
  /// The observers of this container and of its ancestors.
  package var observers: [any ResolutionObserver] { registry.observers }

  /// The observers of this container, and of the ancestors with which it was copied.
  package var ownObservers: [any ResolutionObserver] { registry.copiedLineage.flatMap(\.ownObservers) }

  /// Reports every resolution to an observer from now on.
  package func addObserver(_ observer: any ResolutionObserver) { registry.copiedLineage.last?.addObserver(observer) }

  /// Stops reporting resolutions to an observer.
  package func removeObserver(_ observer: any ResolutionObserver) {
    for registry in registry.copiedLineage { registry.removeObserver(observer) }
  }
}

/// The handler that DITesting installs, and that is called before the shared container changes.
package enum SharedContainerGuard {
  /// A closure that receives the list to register, or the name of the method that removes registrations or instances,
  /// and whether the code names the shared container.
  ///
  /// If a snapshot is restored, there is neither a list nor a name.
  package typealias Handler = @Sendable (_ list: RegistrationList?, _ removal: String?, _ isNamed: Bool) -> Void

  /// The handler, if there is one; in an array, because each access to a closure behind a lock would wrap it once more.
  static let handlers = Locked<[Handler]>([])

  /// A Boolean value that indicates whether there is a handler.
  ///
  /// Relaxed, because the lock orders the handler itself, and a change at the very moment when the handler is set may
  /// or may not call it.
  private static let isSet = Atomic(false)

  /// A Boolean value that indicates whether there is a handler.
  @_transparent
  static var isWatching: Bool { isSet.load(ordering: .relaxed) }

  /// Calls a handler from now on, in place of any other: on the thread of each change, outside every lock.
  package static func set(_ handler: @escaping Handler) {
    handlers.withLock { $0 = [handler] }
    isSet.store(true, ordering: .relaxed)
  }
}
