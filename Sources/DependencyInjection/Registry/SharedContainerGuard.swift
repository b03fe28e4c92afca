internal import Synchronization

/// The handler that the library for tests installs, called before the registrations of the shared container change.
package enum SharedContainerGuard {
  /// Gets the registrations that are going to be added; nil for any other change.
  package typealias Handler = @Sendable (RegistrationList?) -> Void

  private static let handler = Locked<Handler?>(nil)

  /// A Boolean value that indicates whether there is a handler; relaxed, because the lock orders the handler itself, and a
  /// change at the very moment in which it comes may go either way.
  private static let isSet = Atomic(false)

  /// A Boolean value that indicates whether there is a handler.
  static var isWatching: Bool { isSet.load(ordering: .relaxed) }

  /// Calls a handler from now on, in place of any other: on the thread of each change, outside every lock.
  package static func set(_ handler: @escaping Handler) {
    self.handler.withLock { $0 = handler }
    isSet.store(true, ordering: .relaxed)
  }

  /// Calls the handler before a change of a registry, if that is the shared one.
  static func willChange(_ registry: Registry, _ list: RegistrationList? = nil) {
    guard isWatching, registry === Registry.shared else { return }
    handler.withLock { $0 }?(list)
  }
}
