internal import Synchronization

// How threads that want the same instance at the same moment keep out of each other's way.
//
// Threads that claim references from the same `AtomicReference` write the same word. Once they have got into each other's
// way often enough, the cell gets *shards*: more references to the same object, on cache lines of their own, of which each
// thread uses one. The first one then stays empty.
//
// Sound, because each shard is, for itself. A writer, which holds the lock, clears all of them before it changes anything
// beside them, and fills all of them afterwards. So what it has cleared is of one object, and nobody gets the new one
// before everybody has stopped getting the old one. Which shard a thread uses does not matter to any of this. The shards
// are initialized before their address is stored, once, with release ordering; they are freed with the cell.

extension Cell {
  /// How many shards there are, as a power of two.
  static var shardBits: UInt { 3 }

  static var shardStride: UInt { 128 }

  /// The reference that the calling thread uses.
  var currentReference: StablePointer<AtomicReference> {
    @inline(__always)
    get {
      let shards = shards.load(ordering: .acquiring)
      if _slowPath(shards != 0) { return Self.shard(in: shards) }
      // Sound: a cell has one place in memory, and this is a part of it.
      return unsafe withUnsafePointer(to: reference) { unsafe StablePointer(UnsafeMutablePointer(mutating: $0)) }
    }
  }

  /// The shard of the calling thread.
  ///
  /// Stacks are far from each other, so the upper bits of an address on them differ between threads.
  @inline(__always)
  static func shard(in shards: UInt) -> StablePointer<AtomicReference> {
    var here: UInt8 = 0
    let address = unsafe _withUnprotectedUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) }
    // The hash is meant for multiples of eight.
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

  /// Adds shards, if there are none, and moves what is in the cell there.
  func addShards() {
    guard shards.load(ordering: .relaxed) == 0, let object = reference.object else { return }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(Self.shardStride << Self.shardBits), alignment: Int(Self.shardStride))
    assert(MemoryLayout<AtomicReference>.size <= Self.shardStride)
    for index in 0..<Int(1 << Self.shardBits) {
      let shard = unsafe memory + index * Int(Self.shardStride)
      unsafe shard.initializeMemory(as: AtomicReference.self, to: AtomicReference(isShard: true))
    }
    shards.store(UInt(bitPattern: memory), ordering: .releasing)
    forEachShard { $0.store(object) }
    // Not the last references, so this runs no `deinit`.
    reference.clear().release()
  }

  /// Frees the shards; nobody reads any more, and there is nothing in them.
  func freeShards() {
    guard let memory = unsafe UnsafeMutableRawPointer(bitPattern: shards.load(ordering: .relaxed)) else { return }
    // Atomics of numbers need no deinitialization.
    unsafe memory.deallocate()
  }
}
