internal import Synchronization

/// Hazard pointers of which the writer pays for both sides: it makes the kernel run a barrier on every core.
///
/// Sound where `ProcessBarrier` is there: a reader stores its announcement and then loads the pointer, without a barrier
/// between them. After the exchange, the writer has every running thread of the process run a full barrier. In each
/// reader that falls either after its store, and the writer sees the announcement; or before its load, and the reader
/// sees the new address. The language knows nothing about this. It is also relied on that the compiler leaves a
/// releasing store and the acquiring load after it in their order, as it does with all ordered atomics.
struct BarrierSlot: Slot, ~Copyable {
  static let name = "hazard-membarrier"

  private let pointer: Atomic<UInt>

  init(_ instance: Specimen) {
    precondition(ProcessBarrier.isAvailable, "The system has no barrier for a whole process.")
    pointer = Atomic(Reference.address(of: instance))
    Reference.retain(Reference.address(of: instance))
  }

  deinit { Reference.release(pointer.load(ordering: .relaxed)) }

  func take() -> Specimen {
    // Sound: the record is the calling thread's, and never freed.
    let record = unsafe ReaderRecord.current
    var address = pointer.load(ordering: .relaxed)
    while true {
      unsafe record.pointee.hazard.store(address, ordering: .releasing)
      let current = pointer.load(ordering: .acquiring)
      if current == address { break }
      address = current
    }
    Reference.retain(address)
    unsafe record.pointee.hazard.store(0, ordering: .releasing)
    return Reference.owned(address)
  }

  func replace(with instance: Specimen) {
    let new = Reference.address(of: instance)
    Reference.retain(new)
    let old = pointer.exchange(new, ordering: .sequentiallyConsistent)
    ProcessBarrier.run()
    ReaderRecord.forEach { record in
      var backoff = Backoff()
      backoff.wait { record.hazard.load(ordering: .sequentiallyConsistent) != old }
    }
    Reference.release(old)
  }
}
