internal import Synchronization

/// An observer of every resolution from a container, for counting and tracing.
package protocol ResolutionObserver: AnyObject, Sendable {
  /// Called after each successful resolution, on the thread of the request, outside of every lock.
  func didResolve(_ event: ResolutionEvent)

  /// Called instead of `didResolve` with the registration whose factory made the request, and with the one that
  /// answered it.
  func didResolve(_ event: ResolutionEvent, for requester: Definition?, from definition: Definition?)

  /// Called after each resolution that found no registration or could not create an instance, as `didResolve` is.
  ///
  /// It is not called if the resolution is going to be tried again on another actor.
  func didNotResolve(_ event: ResolutionEvent)

  /// Called after the answers to keys have changed in an observed container, outside of every lock.
  ///
  /// It is not called for what `registerDependencies` registers.
  func didChange(_ keys: Set<Key>, in container: DIContainer)

  /// Called after a container was created while an observed one was current, on the creating thread, outside of every
  /// lock.
  func didCreate(_ container: DIContainer)

  /// Called before a failed resolution ends the process, on the thread of the request, outside of every lock.
  func willTrap(_ error: ResolutionError)
}

extension ResolutionObserver {
  /// Calls `didResolve` with the event alone, which keeps no registration alive.
  package func didResolve(_ event: ResolutionEvent, for requester: Definition?, from definition: Definition?) {
    didResolve(event)
  }

  /// Ignores the failure.
  package func didNotResolve(_ event: ResolutionEvent) {}

  /// Ignores the change.
  package func didChange(_ keys: Set<Key>, in container: DIContainer) {}

  /// Ignores the container.
  package func didCreate(_ container: DIContainer) {}

  /// Ignores the trap.
  package func willTrap(_ error: ResolutionError) {}
}

/// A namespace for the observation of resolutions in the process.
package enum ResolutionObservation {
  private static let state = Atomic<Bool>(false)

  static var isOn: Bool { state.load(ordering: .relaxed) }

  static func begin() { state.store(true, ordering: .relaxed) }

  /// The scope by which an observer recognizes a task and the tasks that it starts; `DIContainer.escaping` passes it
  /// on.
  @TaskLocal
  package static var scope: (any AnyObject & Sendable)?

  /// The scope, without a search if there can be none.
  static var currentScope: (any AnyObject & Sendable)? { isOn ? scope : nil }
}
