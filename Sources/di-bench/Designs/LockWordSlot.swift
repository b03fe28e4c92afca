internal import Synchronization

/// A lock of one word, held for a load and a retain.
///
/// Sound: readers and the writer exclude each other, so the instance that a reader loads has the slot's own reference
/// until the reader has its own. Acquiring on the way in and releasing on the way out orders the sections. The retain is
/// a call that the optimizer cannot move below the store that unlocks: a plain one it does move there.
struct LockWordSlot: Slot, ~Copyable {
  static let name = "lock-word"

  private let isLocked = Atomic(false)

  /// Guarded by `isLocked`, so relaxed accesses are enough.
  private let pointer: Atomic<UInt>

  init(_ instance: Specimen) {
    pointer = Atomic(Reference.address(of: instance))
    Reference.retain(Reference.address(of: instance))
  }

  deinit { Reference.release(pointer.load(ordering: .relaxed)) }

  func take() -> Specimen {
    lock()
    let address = pointer.load(ordering: .relaxed)
    Reference.retain(address)
    unlock()
    return Reference.owned(address)
  }

  func replace(with instance: Specimen) {
    let new = Reference.address(of: instance)
    Reference.retain(new)
    lock()
    let old = pointer.load(ordering: .relaxed)
    pointer.store(new, ordering: .relaxed)
    unlock()
    // Not under the lock: `deinit` may do anything.
    Reference.release(old)
  }

  @inline(__always)
  private func lock() {
    if _slowPath(!isLocked.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged) { spin() }
  }

  @inline(never)
  private func spin() {
    var backoff = Backoff()
    repeat {
      backoff.wait { !isLocked.load(ordering: .relaxed) }
    } while !isLocked.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  @inline(__always)
  private func unlock() {
    isLocked.store(false, ordering: .releasing)
  }
}
