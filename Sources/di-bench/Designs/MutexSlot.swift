internal import DependencyInjection
internal import Synchronization

#if DI_TSAN
  // The thread sanitizer does not understand the standard library's mutex.
  private typealias Lock<Value> = Locked<Value>
#else
  private typealias Lock<Value> = Mutex<Value>
#endif

/// The platform's mutex, held for a load and a retain.
///
/// Sound as any lock: readers and the writer exclude each other. It is what the library does where a pointer leaves no
/// bits free, because it knows about priorities and sleeps where a lock word spins.
struct MutexSlot: Slot, ~Copyable {
  static let name = "mutex"

  private let pointer: Lock<UInt>

  init(_ instance: Specimen) {
    pointer = Lock(Reference.address(of: instance))
    Reference.retain(Reference.address(of: instance))
  }

  deinit { Reference.release(pointer.withLock { $0 }) }

  func take() -> Specimen {
    let address = pointer.withLock { address in
      Reference.retain(address)
      return address
    }
    return Reference.owned(address)
  }

  func replace(with instance: Specimen) {
    let new = Reference.address(of: instance)
    Reference.retain(new)
    let old = pointer.withLock { address in
      defer { address = new }
      return address
    }
    // Not under the lock: `deinit` may do anything.
    Reference.release(old)
  }
}
