internal import Synchronization

/// Readers count themselves in and out, each thread in counters of its own; the writer waits until all have left.
///
/// Sound: a reader counts itself in before it loads the pointer, and out after it has retained; the writer exchanges the
/// pointer before it looks at the counters. All four are sequentially consistent: a reader that loaded the old pointer
/// did so before the exchange, so it had counted itself in before the writer looks, and the writer sees zero only after
/// that reader has left. It sees it for both counters of every thread.
///
/// Two counters, because one might never be zero: the writer flips the epoch, so that new readers use the other one,
/// waits for the first to run dry, and does it again. The epoch is only about when the writer is done, so it may be
/// stale. Writers of all slots share it, and their readers share the counters: that is what the design costs.
struct EpochSlot: Slot, ~Copyable {
  static let name = "epoch"

  private static let epoch = Atomic<UInt>(0)

  private let pointer: Atomic<UInt>

  init(_ instance: Specimen) {
    pointer = Atomic(Reference.address(of: instance))
    Reference.retain(Reference.address(of: instance))
  }

  deinit { Reference.release(pointer.load(ordering: .relaxed)) }

  func take() -> Specimen {
    let record = unsafe ReaderRecord.current
    let isEven = Self.epoch.load(ordering: .relaxed) & 1 == 0
    // Sound: the record is the calling thread's, and never freed.
    if isEven {
      unsafe record.pointee.even.wrappingAdd(1, ordering: .sequentiallyConsistent)
    } else {
      unsafe record.pointee.odd.wrappingAdd(1, ordering: .sequentiallyConsistent)
    }
    let address = pointer.load(ordering: .sequentiallyConsistent)
    Reference.retain(address)
    // Nobody else writes the counter, so this needs no read-modify-write. Releasing: the retain comes before.
    if isEven {
      unsafe record.pointee.even.store(record.pointee.even.load(ordering: .relaxed) - 1, ordering: .releasing)
    } else {
      unsafe record.pointee.odd.store(record.pointee.odd.load(ordering: .relaxed) - 1, ordering: .releasing)
    }
    return Reference.owned(address)
  }

  func replace(with instance: Specimen) {
    let new = Reference.address(of: instance)
    Reference.retain(new)
    let old = pointer.exchange(new, ordering: .sequentiallyConsistent)
    waitForReaders()
    Reference.release(old)
  }

  private func waitForReaders() {
    for _ in 0..<2 {
      let wasEven = Self.epoch.wrappingAdd(1, ordering: .sequentiallyConsistent).oldValue & 1 == 0
      ReaderRecord.forEach { record in
        var backoff = Backoff()
        if wasEven {
          backoff.wait { record.even.load(ordering: .sequentiallyConsistent) == 0 }
        } else {
          backoff.wait { record.odd.load(ordering: .sequentiallyConsistent) == 0 }
        }
      }
    }
  }
}
