internal import Synchronization

/// An observer of every resolution from a container, for counting and tracing.
package protocol ResolutionObserver: AnyObject, Sendable {
  /// Called after each successful resolution, on the thread of the request, outside of every lock.
  func didResolve(_ event: ResolutionEvent)

  /// Called instead of `didResolve` with the registration whose factory made the request, and with the one that
  /// answered it.
  func didResolve(_ event: ResolutionEvent, for requester: Definition?, from definition: Definition?)

  /// Called after each resolution that found no registration or could not create an instance, as `didResolve` is.
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
  /// The number of observers in the process; relaxed, because a resolution that has begun may go either way.
  static let count = Atomic(0)

  /// The scope by which an observer recognizes a task and the tasks that it starts; `DIContainer.escaping` passes it
  /// on.
  @TaskLocal
  package static var scope: (any AnyObject & Sendable)?

  /// The scope, without a search if there can be none.
  static var currentScope: (any AnyObject & Sendable)? { count.load(ordering: .relaxed) == 0 ? nil : scope }
}

/// The circumstances under which a resolution is more than a look into the table of the shared container.
enum Circumstances {
  /// The number of contexts and observers in the process.
  ///
  /// While it is 0, the shared container is current everywhere, and nothing is observed. A relaxed load is enough. Code
  /// that runs in a context begins after the context was counted, and the context is counted until no such code can
  /// run.
  static let count = Atomic(0)

  @inline(__always)
  static var areSimple: Bool { count.load(ordering: .relaxed) == 0 }
}
