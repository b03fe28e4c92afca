internal import Synchronization

/// Sees every resolve from a container, for counting and tracing.
package protocol ResolutionObserver: AnyObject, Sendable {
  /// Called after each resolve that found something, on the thread that asked, outside every lock.
  func didResolve(_ resolution: Resolution)
}

/// One resolve, as an observer sees it.
package struct Resolution: Sendable {
  /// The type that was asked for: an alias counts as itself.
  package let type: Any.Type

  /// The names of the types that were being created, outermost first, then that of the type.
  package let path: [String]

  /// Where it was asked for.
  package let location: SourceLocation

  /// Whether the instance was created by this resolve.
  package let isCreated: Bool
}

/// Whether any container of the process has ever been observed.
enum ResolutionObservation {
  private static let state = Atomic<Bool>(false)

  static var isOn: Bool { state.load(ordering: .relaxed) }

  static func begin() { state.store(true, ordering: .relaxed) }
}
