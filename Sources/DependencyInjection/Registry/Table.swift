internal import Synchronization

/// A map from keys to cells that readers search without a lock while one writer inserts.
///
/// It is a hash table with open addressing. A slot has the address of a cell, which never moves and is never removed. A
/// table that is full is replaced by one of twice the size: a small table is full if half of its slots are used, a large one if
/// two thirds are. The former tables are kept until the container ends, because threads may still search them. Together they are
/// at most as large as the current one. A search of a former table may miss a new cell: then it came before the registration that
/// added the cell.
struct Table: ~Copyable {
  private let slots = Atomic<UInt>(Slots.empty.address)

  /// Returns the cell of a key, if there is one.
  @inline(__always)
  func find(_ key: UInt) -> CellPointer? {
    // Acquiring: the slots were initialized before their address was stored.
    let slots = Slots(address: slots.load(ordering: .acquiring)), shift = slots.shift
    var index = Key.hash(key) &>> shift
    while true {
      // Acquiring: the cell was initialized before its address was stored.
      let address = slots[index].load(ordering: .acquiring)
      if address == 0 { return nil }
      let cell = CellPointer(address: address)
      if cell.pointee.key == key { return cell }
      index = (index &+ 1) & (UInt.max &>> shift)
    }
  }

  /// Adds a cell for a key that has none; under the container's lock.
  func insert(_ cell: CellPointer, _ cells: borrowing Cells) {
    var slots = Slots(address: slots.load(ordering: .relaxed))
    // Small, because a child has few registrations, and most searches in its table find nothing: that takes longest if few
    // slots are empty.
    let isFull = slots.capacity < 64 ? 2 * cells.count > slots.capacity : 3 * cells.count > 2 * slots.capacity
    if isFull {
      slots = Slots(replacing: slots)
      // All of them, the new one as well.
      cells.forEach { slots.put($0) }
      self.slots.store(slots.address, ordering: .releasing)
    } else {
      slots.put(cell)
    }
  }

  deinit {
    var slots = Slots(address: slots.load(ordering: .relaxed))
    while slots.address != Slots.empty.address {
      let former = slots.former
      slots.deallocate()
      slots = Slots(address: former)
    }
  }
}

/// The slots of a table, behind two words: the number of bits by which a hash is shifted to get an index, and the address of
/// the slots that these have replaced.
@safe
struct Slots: Sendable {
  let address: UInt

  /// Slots that stay empty, which all empty tables share.
  static let empty = Slots(bits: 1, former: 0)

  @_transparent
  private static var wordSize: UInt { UInt(MemoryLayout<UInt>.size) }

  @_transparent
  init(address: UInt) { self.address = address }

  // Sound: the memory is initialized, and it exists as long as any code has its address.
  @_transparent
  private(set) var shift: UInt {
    get { StablePointer<UInt>(address: address).pointee }
    nonmutating set { StablePointer<UInt>(address: address).pointee = newValue }
  }
  @_transparent
  private(set) var former: UInt {
    get { StablePointer<UInt>(address: address &+ Self.wordSize).pointee }
    nonmutating set { StablePointer<UInt>(address: address &+ Self.wordSize).pointee = newValue }
  }
  @_transparent
  var capacity: Int { address == Self.empty.address ? 0 : 1 << (UInt.bitWidth - Int(shift)) }

  subscript(index: UInt) -> Atomic<UInt> {
    @_transparent unsafeAddress {
      let slot = address &+ (2 &+ index) &* Self.wordSize
      return unsafe UnsafePointer(StablePointer<Atomic<UInt>>(address: slot).pointer)
    }
  }

  // MARK: Under the container's lock

  /// Allocates empty slots.
  ///
  /// - Parameters:
  ///   - bits: The binary logarithm of the number of slots.
  ///   - former: The address of the slots that these replace.
  private init(bits: UInt, former: UInt) {
    let count = 1 << Int(bits)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: (2 + count) * MemoryLayout<UInt>.size, alignment: MemoryLayout<UInt>.alignment)
    // Atomics of words are laid out as words, and 0 is the address of no cell.
    unsafe memory.initializeMemory(as: UInt.self, repeating: 0, count: 2 + count)
    address = UInt(bitPattern: memory)
    (shift, self.former) = (UInt(UInt.bitWidth) - bits, former)
  }

  /// Allocates twice as many slots as other ones, but at least 8.
  init(replacing former: Slots) {
    self.init(bits: former.capacity == 0 ? 3 : UInt(UInt.bitWidth) + 1 - former.shift, former: former.address)
  }

  func put(_ cell: CellPointer) {
    var index = Key.hash(cell.pointee.key) &>> shift
    while self[index].load(ordering: .relaxed) != 0 { index = (index &+ 1) & (UInt.max &>> shift) }
    self[index].store(cell.address, ordering: .releasing)
  }

  func deallocate() { unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
}

/// The cells of a container in the order in which they were added, guarded by its lock: in blocks, so that none moves.
struct Cells: ~Copyable {
  private(set) var count = 0
  private var first: StablePointer<Block>?
  private var last: StablePointer<Block>?

  /// The head of a block, which its cells follow.
  @safe
  private struct Block {
    let memory: UnsafeMutableRawPointer
    /// The address of the cells.
    let cells: UInt
    let size: Int
    var used = 0
    var next: StablePointer<Block>?
  }

  init() {}

  /// Adds a cell.
  mutating func add(_ key: UInt) -> CellPointer {
    let block: StablePointer<Block>
    if let last, last.pointee.used < last.pointee.size { block = last } else { block = addBlock() }
    let cell = Self.cell(block.pointee.used, of: block)
    unsafe cell.pointer.initialize(to: Cell(key: key))
    block.pointee.used += 1
    count += 1
    return cell
  }

  private mutating func addBlock() -> StablePointer<Block> {
    let (size, cacheLine) = (max(4, min(count, 256)), 64)
    // Aligned here, because aligned memory costs several times as much as other memory.
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: 2 * cacheLine + size * MemoryLayout<Cell>.stride, alignment: 16)
    let head = unsafe memory.alignedUp(toMultipleOf: cacheLine)
    // Sound: the head is smaller than a cache line, after which the cells begin.
    let cells = unsafe UInt(bitPattern: head + cacheLine)
    let block = unsafe StablePointer(
      head.initializeMemory(as: Block.self, to: Block(memory: memory, cells: cells, size: size)))
    if let last { last.pointee.next = block } else { first = block }
    last = block
    return block
  }

  private static func cell(_ index: Int, of block: StablePointer<Block>) -> CellPointer {
    CellPointer(address: block.pointee.cells &+ UInt(index) &* UInt(MemoryLayout<Cell>.stride))
  }

  /// Calls a closure with each cell, in the order in which they were added.
  func forEach(_ body: (CellPointer) -> Void) {
    var next = first
    while let block = next {
      var index = 0
      while index < block.pointee.used {
        body(Self.cell(index, of: block))
        index += 1
      }
      next = block.pointee.next
    }
  }

  deinit {
    forEach { cell in
      cell.pointee.reference.clear().release()
      unsafe cell.pointer.deinitialize(count: 1)
    }
    var next = first
    while let block = next {
      next = block.pointee.next
      unsafe block.pointee.memory.deallocate()
    }
  }
}
