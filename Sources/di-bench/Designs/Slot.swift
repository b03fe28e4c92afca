/// A place for one instance that readers take strong references to while a writer may replace it.
///
/// What the designs in this folder have to do is always this. Loading a pointer and then retaining what it points to is
/// two steps, between which the writer may release the last reference: each design has another way to prevent that.
///
/// Slots do not move, and nobody uses one while it is freed.
protocol Slot: ~Copyable, Sendable {
  /// How the design is called in the results.
  static var name: String { get }

  /// A slot with an instance.
  init(_ instance: Specimen)

  /// A strong reference to the instance; called on any number of threads.
  borrowing func take() -> Specimen

  /// Puts another instance in, and lets go of the one before; called on one thread at a time, as if under a lock.
  borrowing func replace(with instance: Specimen)
}

/// Something that stays where it is, on cache lines of its own.
@safe
final class Pinned<Value: Sendable & ~Copyable>: @unchecked Sendable {
  // Unchecked: the pointer never changes, and what it points to may be used on any thread.

  /// Where it is, as long as this exists.
  let pointer: UnsafeMutablePointer<Value>

  init(_ value: consuming Value) {
    // 128 bytes, two cache lines, because the hardware fetches lines in pairs.
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(MemoryLayout<Value>.size, 128), alignment: max(MemoryLayout<Value>.alignment, 128))
    // Sound: the memory is large enough, and freed only in `deinit`.
    unsafe pointer = memory.bindMemory(to: Value.self, capacity: 1)
    unsafe pointer.initialize(to: value)
  }

  deinit {
    unsafe pointer.deinitialize(count: 1)
    unsafe UnsafeMutableRawPointer(pointer).deallocate()
  }
}
