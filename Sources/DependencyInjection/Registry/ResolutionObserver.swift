internal import Synchronization

/// Sees every resolve from a container, for counting and tracing.
package protocol ResolutionObserver: AnyObject, Sendable {
  /// Called after each resolve that found something, on the thread that asked, outside every lock.
  func didResolve(_ event: ResolutionEvent)

  /// Called in place of `didResolve` with the registration whose factory asked, and the one that answered.
  func didResolve(_ event: ResolutionEvent, for requester: Definition?, from definition: Definition?)

  /// Called after each resolve that found nothing, or nothing that could be created; as `didResolve` is.
  ///
  /// Not if it is going to be tried again on another actor.
  func didNotResolve(_ event: ResolutionEvent)

  /// Called after the answers to keys have changed in a container that is observed, outside every lock.
  ///
  /// Not for what `registerDependencies` registers.
  func didChange(_ keys: Set<Key>, in container: DIContainer)

  /// Called after a container was created while one that is observed was current, on the thread that did it, outside
  /// every lock.
  func didCreate(_ container: DIContainer)

  /// Called before a resolve that cannot succeed ends the process, on the thread that asked, outside every lock.
  func willTrap(_ error: ResolutionError)
}

extension ResolutionObserver {
  /// Calls `didResolve` with the event alone, which keeps no registration alive.
  package func didResolve(_ event: ResolutionEvent, for requester: Definition?, from definition: Definition?) {
    didResolve(event)
  }

  /// Ignores it.
  package func didNotResolve(_ event: ResolutionEvent) {}

  /// Ignores the change.
  package func didChange(_ keys: Set<Key>, in container: DIContainer) {}

  /// Ignores the container.
  package func didCreate(_ container: DIContainer) {}

  /// Ignores the trap.
  package func willTrap(_ error: ResolutionError) {}
}

/// Whether any resolve of the process has ever been observed.
package enum ResolutionObservation {
  private static let state = Atomic<Bool>(false)

  static var isOn: Bool { state.load(ordering: .relaxed) }

  static func begin() { state.store(true, ordering: .relaxed) }

  /// What an observer wants to know a task and the tasks that it starts by; `DIContainer.escaping` takes it along.
  @TaskLocal
  package static var scope: (any AnyObject & Sendable)?

  /// The scope, without looking for one that cannot be there.
  static var currentScope: (any AnyObject & Sendable)? { isOn ? scope : nil }
}
