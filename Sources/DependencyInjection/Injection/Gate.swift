public import Synchronization

/// The one word that every resolve reads first: zero while a resolve from the shared container is just a look-up.
///
/// - The lowest bit is set for good once the process has made another container current. From then on the static API
///   reads the task-local that says which one; a task that outlives the scope may still carry the binding.
/// - The bits above count the cached instances that are being created anywhere. While there is one, a resolve looks
///   whether it happens inside, to note what the instance depends on.
@usableFromInline
enum Gate {
  @usableFromInline
  static let state = Atomic<UInt>(0)

  // Relaxed is enough throughout: each thread only has to see what it has done itself. A task started inside
  // `withCurrent` happens after the bit was set.

  /// Whether a static resolve is just a look-up in the shared container.
  @inlinable
  @inline(__always)
  static var isOpen: Bool { state.load(ordering: .relaxed) == 0 }

  /// Whether another container than the shared one may be current.
  @inlinable
  @inline(__always)
  static var mayBeIsolated: Bool { state.load(ordering: .relaxed) & 1 != 0 }

  /// Whether an instance is being created somewhere, so that a resolve may have to be noted.
  @inlinable
  @inline(__always)
  static var mayBeNoted: Bool { state.load(ordering: .relaxed) > 1 }

  /// Notes for good that another container may be current.
  static func isolate() {
    if !mayBeIsolated { state.bitwiseOr(1, ordering: .relaxed) }
  }

  /// Counts a creation.
  static func beginCreation() { state.wrappingAdd(2, ordering: .relaxed) }

  /// Ends the creation.
  static func endCreation() { state.wrappingSubtract(2, ordering: .relaxed) }
}
