internal import Synchronization

// Shards keep threads that want the same instance at the same moment from competing for one word.
//
// Threads that claim references from the same `AtomicReference` write the same word. After enough contention, the cell
// gets *shards*: more references to the same object, each on cache lines of its own. Each thread uses one of them. The
// original reference then stays empty.
//
// Sound, because each shard is sound by itself. A writer, which holds the lock, clears all of them before it changes
// anything beside them, and fills all of them afterwards. So the references that it has cleared belong to one object,
// and no reader gets the new object before all readers have stopped getting the old one. The argument does not depend
// on which shard a thread uses. The shards are initialized before their address is stored, once, with release ordering.
// They are freed with the cell.

extension Cell {
  /// The binary logarithm of the number of shards.
  static var shardBits: UInt { 3 }

  static var shardStride: UInt { 128 }

  /// The reference that the calling thread uses.
  var currentReference: StablePointer<AtomicReference> {
    @inline(__always)
    get {
      let shards = shards.load(ordering: .acquiring)
      if _slowPath(shards != 0) { return Self.shard(in: shards) }
      // Sound: a cell has one place in memory, and the reference is a part of it.
      return unsafe withUnsafePointer(to: reference) { unsafe StablePointer(UnsafeMutablePointer(mutating: $0)) }
    }
  }

  /// Returns the shard of the calling thread.
  ///
  /// Stacks are far from each other, so the upper bits of an address on a stack differ between threads.
  @inline(__always)
  static func shard(in shards: UInt) -> StablePointer<AtomicReference> {
    var here: UInt8 = 0
    let address = unsafe _withUnprotectedUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    // The hash is designed for multiples of eight.
    let index = Key.hash((address &>> 18) &<< 3) &>> (UInt(UInt.bitWidth) &- shardBits)
    return StablePointer(address: shards &+ index &* shardStride)
  }

  // MARK: Under the container's lock

  /// Calls `body` with each shard.
  func forEachShard(_ body: (borrowing AtomicReference) -> Void) {
    let shards = shards.load(ordering: .relaxed)
    if shards == 0 { return }
    for index in 0..<UInt(1) << Self.shardBits {
      body(StablePointer<AtomicReference>(address: shards + index * Self.shardStride).pointee)
    }
  }

  /// Adds shards, if there are none, and moves the object of the cell there.
  func addShards() {
    guard shards.load(ordering: .relaxed) == 0, let object = reference.object else { return }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(Self.shardStride << Self.shardBits), alignment: Int(Self.shardStride))
    precondition(MemoryLayout<AtomicReference>.size <= Self.shardStride)
    for index in 0..<Int(1 << Self.shardBits) {
      let shard = unsafe memory + index * Int(Self.shardStride)
      unsafe shard.initializeMemory(as: AtomicReference.self, to: AtomicReference(isShard: true))
    }
    shards.store(UInt(bitPattern: memory), ordering: .releasing)
    forEachShard { $0.store(object) }
    // These are not the last references, so their release runs no `deinit`.
    reference.clear().release()
  }
}
