internal import Synchronization

/// Tells whether threads are still under way.
final class FinishLine: Sendable {
  private let missing: Atomic<Int>

  init(threads: Int) {
    missing = Atomic(threads)
  }

  /// Called by each thread at its end.
  func cross() {
    missing.subtract(1, ordering: .relaxed)
  }

  /// Whether a thread has not crossed yet.
  ///
  /// Relaxed: it only says how long to go on. What the threads did becomes visible when they are waited for.
  var isAwaitingThreads: Bool { missing.load(ordering: .relaxed) > 0 }
}
