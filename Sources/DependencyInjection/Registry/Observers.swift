internal import Synchronization

/// An observer of every resolution from a container, for counting and tracing.
package protocol ResolutionObserver: AnyObject, Sendable {
  /// Called after each successful resolution, on the thread of the request, outside of every lock, with the registration
  /// whose factory made the request, and with the one that answered it, which an observer must not keep.
  func didResolve(_ event: ResolutionEvent, for requester: Definition?, from definition: Definition?)

  /// Called after each resolution that found no registration or could not create an instance, as `didResolve` is.
  func didNotResolve(_ event: ResolutionEvent)

  /// Called after the answers to keys have changed in an observed container, outside of every lock: with all keys, and with
  /// those that were registered or unregistered and not only decorated.
  ///
  /// It is called for what is registered and unregistered, except by `registerDependencies`, and not for `removeAll` and
  /// `restore`.
  func didChange(_ keys: Set<Key>, replacing replaced: Set<Key>, in container: DIContainer)

  /// Called after a container was created while an observed one was current, or as a child or a copy of an observed one, on
  /// the creating thread, outside of every lock.
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

/// The circumstances under which a resolution is more than a look into the table of the shared container.
enum Circumstances {
  /// The number of contexts in which code may run, and of observers, in the process.
  ///
  /// While it is 0, the shared container is current everywhere, and nothing is observed. A relaxed load is enough. Code
  /// that runs in a context begins after the context was counted, and the context is counted until no such code can
  /// run.
  static let count = Atomic(0)

  /// The number of observers among them.
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
        // Most often, all of them are those of one container.
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
      // Not in place: the thread sanitizer does not see that nobody else has the array anymore.
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

  /// The observers of this container alone, or of all with which it was copied.
  package var ownObservers: [any ResolutionObserver] { registry.copiedLineage.flatMap(\.ownObservers) }

  /// Reports every resolution to an observer from now on.
  package func addObserver(_ observer: any ResolutionObserver) { registry.copiedLineage.last?.addObserver(observer) }

  /// Stops reporting resolutions to an observer.
  package func removeObserver(_ observer: any ResolutionObserver) {
    for registry in registry.copiedLineage { registry.removeObserver(observer) }
  }
}

/// The handler that the library for tests installs, called before the registrations of the shared container change.
package enum SharedContainerGuard {
  /// A closure that gets what is registered, or the name of the method that removes registrations or instances, or neither if a
  /// snapshot is restored; and whether the code has named the shared container.
  package typealias Handler = @Sendable (_ list: RegistrationList?, _ removal: String?, _ isNamed: Bool) -> Void

  /// The handler, if there is one.
  static let handler = Locked<Handler?>(nil)

  /// A Boolean value that indicates whether there is a handler; relaxed, because the lock orders the handler itself, and a
  /// change at the very moment in which it comes may go either way.
  private static let isSet = Atomic(false)

  /// A Boolean value that indicates whether there is a handler.
  @_transparent
  static var isWatching: Bool { isSet.load(ordering: .relaxed) }

  /// Calls a handler from now on, in place of any other: on the thread of each change, outside every lock.
  package static func set(_ handler: @escaping Handler) {
    self.handler.withLock { $0 = handler }
    isSet.store(true, ordering: .relaxed)
  }
}
