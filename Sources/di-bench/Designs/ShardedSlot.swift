/// Several prepaid banks for one instance, of which each thread uses one: threads that resolve the same thing at the same
/// moment then share the instance's reference count, but not the bank's word as well.
///
/// Sound, because each of the banks is. A writer replaces in one after the other; until it is done, some threads get the
/// new instance and others the old one.
@safe
struct ShardedSlot: Slot, ~Copyable, @unchecked Sendable {
  // Unchecked: the pointers never change, and banks are made for many threads.

  static let name = "prepaid-sharded"

  private static var shardBits: UInt { 3 }

  private let banks: [Pinned<PrepaidSlot>]

  /// The addresses of the banks, on a line that nobody writes.
  private let shards: UnsafeMutablePointer<UnsafeMutablePointer<PrepaidSlot>>

  init(_ instance: Specimen) {
    banks = (0..<1 << Self.shardBits).map { _ in Pinned(PrepaidSlot(instance)) }
    unsafe shards = .allocate(capacity: banks.count)
    // Sound: the banks do not move, and live as long as this.
    for (index, bank) in banks.enumerated() { unsafe (shards + index).initialize(to: bank.pointer) }
  }

  deinit { unsafe shards.deallocate() }

  func take() -> Specimen {
    unsafe shards[Self.shard].pointee.take()
  }

  func replace(with instance: Specimen) {
    for bank in banks { unsafe bank.pointer.pointee.replace(with: instance) }
  }

  /// Some number that differs between most threads: where the stack is, without the bits that tell frames apart.
  @inline(__always)
  private static var shard: Int {
    var here: UInt8 = 0
    let address = unsafe withUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    let hash = (address >> 18) &* UInt(truncatingIfNeeded: 0x9E37_79B9_7F4A_7C15 as UInt64)
    return Int(bitPattern: hash >> (UInt(UInt.bitWidth) - shardBits))
  }
}
