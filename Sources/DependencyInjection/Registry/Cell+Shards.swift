public import Synchronization

// How threads that want the same instance at the same moment keep out of each other's way.
//
// A cell begins with one bank, and the threads that take from it write the same word. Once they have met there often
// enough, the cell gets *shards*: more banks, on cache lines of their own, and each thread goes to one of them.
//
// ## Why this is sound
//
// Each bank is, for itself. What is left to argue is that they are filled and emptied together:
//
// 1. *One object*: all banks of a cell that are not empty hold the same object. `deposit` finds all of them empty and
//    fills one; `restock` copies from a bank that is full to one that is empty; nothing else fills a bank: a reader adds
//    only to one that holds the object already. Both hold the container's lock, and so does `withdraw`, which empties
//    all: which banks are full is for them to say, and an object in one stays alive until they are done.
// 2. *All of it*: so the withdrawals from all banks are of one object, and their sum is what was paid and not taken.
// 3. *One moment*: while a writer empties one bank after the other, some threads get the old object, and the rest find
//    nothing and wait for the lock. Nobody gets the new one before everybody has stopped getting the old.
// 4. *Which bank* a thread takes from, and whether it gives back to the same, does not matter to any of this. So a
//    reader may compute its shard from anything, and may still use the first bank when there are shards already. It does
//    so once at most: then it has been to the lock, under which the shards were made. So nobody needs to restock the
//    first bank any more.
// 5. *Ordering*: the shards are initialised, and empty, before their address is stored once with a release; a reader
//    loads it with an acquire. They are freed with the cell.

extension Cell {
  /// How many shards there are, as a power of two.
  @usableFromInline
  static var shardBits: UInt { 3 }

  /// How far apart shards are: two cache lines, because the hardware fetches lines in pairs.
  @usableFromInline
  static var shardStride: UInt { 128 }

  /// The bank of the calling thread.
  @inlinable
  @inline(__always)
  static func bank(of cell: UnsafeMutablePointer<Cell>) -> UnsafeMutablePointer<ReferenceBank> {
    let shards = unsafe cell.pointee.shards.load(ordering: .acquiring)
    // Sound: what cannot be copied has one place in memory, which is part of the cell.
    if _fastPath(shards == 0) {
      return unsafe withUnsafePointer(to: cell.pointee.bank) { unsafe UnsafeMutablePointer(mutating: $0) }
    }
    return unsafe shard(in: shards)
  }

  /// The shard of the calling thread.
  ///
  /// Where the stack is, without the bits that tell frames apart, differs between threads, and costs nothing to find.
  /// But a thread may get another one in another frame, if the border between two parts of the stack is between them.
  ///
  /// - Parameters:
  ///   - shards: Where the shards are.
  ///   - distance: How many bytes further up on the stack the frame is that matters.
  /// - Returns: Its bank.
  @inlinable
  @inline(__always)
  static func shard(in shards: UInt, above distance: UInt = 0) -> UnsafeMutablePointer<ReferenceBank> {
    var here: UInt8 = 0
    let address = unsafe _withUnprotectedUnsafeMutablePointer(to: &here) { UInt(bitPattern: $0) } &+ distance
    // Eight times as much, because the hash is meant for multiples of eight.
    let index = ResolveTable.hash((address &>> 18) &<< 3) &>> (UInt(UInt.bitWidth) &- shardBits)
    return unsafe UnsafeMutablePointer(bitPattern: shards &+ index &* shardStride).unsafelyUnwrapped
  }

  // MARK: Under the container's lock

  /// The object that the banks hold, or 0.
  private var object: UInt {
    var object = bank.object
    forEachShard { if object == 0 { object = $0.object } }
    return object
  }

  /// Whether any bank holds an object.
  var hasObject: Bool { object != 0 }

  /// Puts an object into the bank of the calling thread; all of them are empty.
  func deposit(_ object: UInt) {
    let shards = shards.load(ordering: .relaxed)
    if shards == 0 { bank.deposit(object) } else { unsafe Self.shard(in: shards).pointee.deposit(object) }
  }

  /// Fills the bank of the calling thread, which has left it empty-handed, with what the cell holds.
  ///
  /// If that was because too many threads come to the first bank, this is when they get shards.
  func restock() {
    if bank.isCrowded { split() }
    let shards = shards.load(ordering: .relaxed)
    if shards == 0 { return bank.restock() }
    // Whichever bank holds it keeps it alive until somebody else has the lock.
    let object = object
    if object == 0 { return }
    func fill(_ shard: UnsafeMutablePointer<ReferenceBank>) {
      if unsafe shard.pointee.isFull { unsafe shard.pointee.restock() } else { unsafe shard.pointee.deposit(object) }
    }
    unsafe fill(Self.shard(in: shards))
    // That of the reader, if the border is between its frame and this one. They are nearer than this to each other,
    // unless there are values of kilobytes between them; then it asks the registry each time, which is only slower.
    unsafe fill(Self.shard(in: shards, above: 8192))
  }

  /// Empties all banks.
  func withdraw() -> Withdrawal {
    var all = bank.withdraw()
    forEachShard { all.add($0.withdraw()) }
    return all
  }

  /// Creates the shards, if there are none.
  ///
  /// The first bank keeps what it has until the next withdrawal, for readers that come late.
  func split() {
    guard shards.load(ordering: .relaxed) == 0 else { return }
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(Self.shardStride << Self.shardBits), alignment: Int(Self.shardStride))
    assert(MemoryLayout<ReferenceBank>.size <= Self.shardStride)
    for index in 0..<Int(1 << Self.shardBits) {
      unsafe (memory + index * Int(Self.shardStride)).bindMemory(to: ReferenceBank.self, capacity: 1)
        .initialize(to: ReferenceBank(isShard: true))
    }
    shards.store(UInt(bitPattern: memory), ordering: .releasing)
  }

  // MARK: Memory

  func forEachShard(_ body: (borrowing ReferenceBank) -> Void) {
    let shards = shards.load(ordering: .relaxed)
    guard shards != 0 else { return }
    for index in 0..<UInt(1) << Self.shardBits {
      // Sound: `split` has initialised them.
      unsafe body(UnsafeMutablePointer(bitPattern: shards + index * Self.shardStride).unsafelyUnwrapped.pointee)
    }
  }

  /// Frees the shards; nobody reads any more.
  static func freeShards(_ shards: UInt) {
    guard let memory = unsafe UnsafeMutableRawPointer(bitPattern: shards) else { return }
    for index in 0..<Int(1 << shardBits) {
      unsafe (memory + index * Int(shardStride)).assumingMemoryBound(to: ReferenceBank.self).deinitialize(count: 1)
    }
    unsafe memory.deallocate()
  }
}
