internal import Synchronization

/// A sequence lock: readers copy the words and then look whether a writer was there meanwhile.
///
/// Sound: the number is odd while the words are written. If a reader copied a word that was written after an odd number,
/// then by the fences its second look at the number finds that odd number or a later one, and it starts over. The words
/// are atomics, so reading them while they are written is defined. Nothing is ever freed; that is why this works only
/// for values without references.
struct SequenceSlot: ValueSlot, ~Copyable {
  static let name = "seqlock"

  private let sequence = Atomic<UInt>(0)
  private let first: Atomic<UInt>
  private let second: Atomic<UInt>

  init(_ value: Pair) {
    first = Atomic(value.first)
    second = Atomic(value.second)
  }

  func read() -> Pair {
    while true {
      let before = sequence.load(ordering: .acquiring)
      let value = Pair(first: first.load(ordering: .relaxed), second: second.load(ordering: .relaxed))
      // The loads of the words stay above the second load of the number.
      atomicMemoryFence(ordering: .acquiring)
      if _fastPath(before & 1 == 0 && sequence.load(ordering: .relaxed) == before) { return value }
      waitForWriter()
    }
  }

  @inline(never)
  private func waitForWriter() {
    var backoff = Backoff()
    backoff.wait { sequence.load(ordering: .relaxed) & 1 == 0 }
  }

  func replace(with value: Pair) {
    let even = sequence.load(ordering: .relaxed)
    sequence.store(even &+ 1, ordering: .relaxed)
    // The stores of the words stay below that of the odd number.
    atomicMemoryFence(ordering: .releasing)
    first.store(value.first, ordering: .relaxed)
    second.store(value.second, ordering: .relaxed)
    sequence.store(even &+ 2, ordering: .releasing)
  }
}
