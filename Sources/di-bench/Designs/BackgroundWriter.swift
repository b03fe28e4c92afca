internal import Foundation
internal import Synchronization

/// Writes as fast as it can, on a thread and a core of its own, while a reader reads.
enum BackgroundWriter {
  private final class State: Sendable {
    let hasBegun = Atomic(false)
    let shouldEnd = Atomic(false)
    let hasEnded = Atomic(false)
  }

  /// Runs a closure on the calling thread while another thread calls `write` over and over, at least once.
  static func run<Result>(_ write: @escaping @Sendable () -> Void, during read: () -> Result) -> Result {
    let state = State()
    CoreAffinity.tie(thread: 0)
    Thread.detachNewThread {
      CoreAffinity.tie(thread: 1)
      write()
      state.hasBegun.store(true, ordering: .releasing)
      while !state.shouldEnd.load(ordering: .acquiring) { write() }
      state.hasEnded.store(true, ordering: .releasing)
    }
    var backoff = Backoff()
    backoff.wait { state.hasBegun.load(ordering: .acquiring) }
    let result = read()
    state.shouldEnd.store(true, ordering: .releasing)
    backoff.wait { state.hasEnded.load(ordering: .acquiring) }
    return result
  }
}
