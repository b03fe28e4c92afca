internal import Foundation
internal import Synchronization

/// Two threads that hand a word to each other: how far apart their cores are.
///
/// Two cores that share a cache do it several times as fast as two that do not, and a virtual machine may be moved from
/// one such pair to another while it runs. Ratios on two threads compare only where this is about the same.
final class HandoverLoop: Loop {
  private let turn = Atomic(0)

  var registrations: Int? { nil }

  func run(_ operations: Int, thread: Int) {
    for _ in 0..<operations {
      var tries = 0
      // Acquiring and releasing, as a hand-over of anything more than the word itself would be.
      while turn.load(ordering: .acquiring) != thread {
        tries += 1
        if tries & 4095 == 0 { sched_yield() }
      }
      turn.store(1 - thread, ordering: .releasing)
    }
  }
}
