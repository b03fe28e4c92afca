internal import Synchronization

/// A reader announces which instance it is about to retain; the writer waits while anybody announces the old one.
///
/// Sound: a reader announces an address and then looks whether it still is in the slot; the writer takes the old address
/// out and then looks who announces it. All four are sequentially consistent, so at least one of the two sees the
/// other: either the reader finds another address and starts over, having touched nothing, or the writer finds the
/// announcement and waits until the reader has retained. Should a new instance have the address of an old one, then the
/// announcement protects the new one.
///
/// The store of the announcement is as dear as an atomic read-modify-write: nothing else keeps the processor from doing
/// the load before it.
struct HazardSlot: Slot, ~Copyable {
  static let name = "hazard"

  private let pointer: Atomic<UInt>

  init(_ instance: Specimen) {
    pointer = Atomic(Reference.address(of: instance))
    Reference.retain(Reference.address(of: instance))
  }

  deinit { Reference.release(pointer.load(ordering: .relaxed)) }

  func take() -> Specimen {
    // Sound: the record is the calling thread's, and never freed.
    let record = unsafe ReaderRecord.current
    var address = pointer.load(ordering: .relaxed)
    while true {
      unsafe record.pointee.hazard.store(address, ordering: .sequentiallyConsistent)
      let current = pointer.load(ordering: .sequentiallyConsistent)
      if current == address { break }
      address = current
    }
    Reference.retain(address)
    // Releasing: the retain comes before.
    unsafe record.pointee.hazard.store(0, ordering: .releasing)
    return Reference.owned(address)
  }

  func replace(with instance: Specimen) {
    let new = Reference.address(of: instance)
    Reference.retain(new)
    let old = pointer.exchange(new, ordering: .sequentiallyConsistent)
    ReaderRecord.forEach { record in
      var backoff = Backoff()
      backoff.wait { record.hazard.load(ordering: .sequentiallyConsistent) != old }
    }
    Reference.release(old)
  }
}
