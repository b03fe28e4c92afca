internal import Foundation
internal import Synchronization

/// Where threads wait for each other, so that all start at once.
final class StartLine: Sendable {
  private let missing: Atomic<Int>

  init(threads: Int) {
    missing = Atomic(threads)
  }

  /// Returns when all threads have called it.
  ///
  /// It spins, because waking a sleeping thread takes as long as thousands of operations; it yields, because there may
  /// be more threads than cores. Acquiring and releasing: what a thread did before is visible to all of them after.
  func wait() {
    missing.subtract(1, ordering: .acquiringAndReleasing)
    while missing.load(ordering: .acquiring) > 0 { sched_yield() }
  }
}
