internal import Foundation
internal import Synchronization

/// Writes as fast as it can, on a thread and a core of its own, while a reader reads.
final class BackgroundWriter: Sendable {
  private enum Phase {
    static let absent = 0
    static let starting = 1
    static let writing = 2
  }

  private let phase = Atomic(Phase.absent)
  private let readers = Atomic(0)
  private let write: @Sendable () -> Void

  init(_ write: @escaping @Sendable () -> Void) {
    self.write = write
  }

  /// Runs a closure on the calling thread while another thread writes over and over.
  ///
  /// The other thread goes on for a moment after the closure has returned, so that it is there already when the timed
  /// part of a sample follows its warm-up.
  func run<Result>(during read: () -> Result) -> Result {
    CoreAffinity.tie(thread: 0)
    // Sequentially consistent, as in `end`: either this finds nobody, or a writer that is about to end finds a reader.
    readers.add(1, ordering: .sequentiallyConsistent)
    defer { readers.subtract(1, ordering: .sequentiallyConsistent) }
    var backoff = Backoff()
    backoff.wait {
      let (isMine, seen) = phase.compareExchange(
        expected: Phase.absent, desired: Phase.starting, ordering: .sequentiallyConsistent)
      if isMine { Thread.detachNewThread { self.writeUntilAlone() } }
      return seen == Phase.writing
    }
    return read()
  }

  /// Returns when nothing is being written any more.
  func end() {
    var backoff = Backoff()
    backoff.wait { phase.load(ordering: .acquiring) == Phase.absent }
  }

  private func writeUntilAlone() {
    CoreAffinity.tie(thread: 1)
    write()
    phase.store(Phase.writing, ordering: .sequentiallyConsistent)
    var writesAlone = 0
    while true {
      write()
      writesAlone = readers.load(ordering: .relaxed) == 0 ? writesAlone + 1 : 0
      guard writesAlone > 500 else { continue }
      phase.store(Phase.absent, ordering: .sequentiallyConsistent)
      if readers.load(ordering: .sequentiallyConsistent) == 0 { return }
      // A reader has come meanwhile; unless it has started another thread, go on.
      guard
        phase.compareExchange(
          expected: Phase.absent, desired: Phase.writing, ordering: .sequentiallyConsistent
        ).exchanged
      else { return }
      writesAlone = 0
    }
  }
}
