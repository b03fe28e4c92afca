internal import Foundation

/// Waits for what another thread is about to do.
struct Backoff {
  private var tries = 0

  /// Returns when something has come true.
  ///
  /// It spins a while, because what is waited for takes nanoseconds, and then yields, because whoever does it may not be
  /// running: there may be more threads than cores.
  @inline(__always)
  mutating func wait(until isTrue: () -> Bool) {
    while !isTrue() {
      tries += 1
      if tries & 63 == 0 { sched_yield() }
    }
  }
}
