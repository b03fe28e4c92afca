internal import Synchronization

/// Frees nothing: a pointer that is read and then retained.
///
/// Not a design to use, but what the others are measured by. Memory-safe only because what was replaced is never released: it leaks, by design. If `replace` released it, a reader
/// between the load and the retain would retain freed memory.
struct LeakingSlot: Slot, ~Copyable {
  static let name = "leaks"

  private let pointer: Atomic<UInt>

  init(_ instance: Specimen) {
    pointer = Atomic(Reference.address(of: instance))
    Reference.retain(Reference.address(of: instance))
  }

  func take() -> Specimen {
    let address = pointer.load(ordering: .acquiring)
    Reference.retain(address)
    return Reference.owned(address)
  }

  func replace(with instance: Specimen) {
    let new = Reference.address(of: instance)
    Reference.retain(new)
    // Releasing, for the reader that acquires it to see an initialized instance.
    pointer.store(new, ordering: .releasing)
  }
}
