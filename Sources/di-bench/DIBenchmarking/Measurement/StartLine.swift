internal import Foundation
internal import Synchronization

/// Counts threads that arrive; they can wait for each other, so that all start at once.
package final class StartLine: Sendable {
  private let missing: Atomic<Int>
  package init(threads: Int) { missing = Atomic(threads) }
  /// Counts the calling thread.
  ///
  /// Acquiring and releasing: what a thread did before is visible to all that have waited.
  func arrive() { missing.subtract(1, ordering: .acquiringAndReleasing) }
  /// A Boolean value that indicates whether a thread has not arrived yet.
  var isAwaitingThreads: Bool { missing.load(ordering: .acquiring) > 0 }

  /// Returns when all threads have called it.
  ///
  /// It spins, because waking a sleeping thread takes as long as thousands of operations; it yields, because there may
  /// be more threads than cores.
  package func wait() {
    arrive()
    while isAwaitingThreads { sched_yield() }
  }
}
