internal import Synchronization

/// A map from keys to cells that readers search without a lock while one writer inserts.
///
/// It is a hash table with open addressing. A slot has the address of a cell, which never moves and is never removed. A
/// search ends at the cell of the key or at `EmptyTable.cell`. A table that is half full is replaced by one of twice
/// the size. The former tables are kept until the container ends, because threads may still search them. Together they
/// are at most as large as the current one. A search of a former table may miss a new cell; then the registry answers.
struct ResolveTable: ~Copyable {
  /// The address of the current slots, or of the slots that stay empty forever.
  let current = Atomic<UInt>(EmptyTable.slots.address)

  /// The keys that shadow those of the ancestors.
  ///
  /// A container with a parent maintains them; while it is observed, they are all keys.
  let shadowed = AtomicKeyFilter()

  /// The memory in front of the slots.
  struct Header: ~Copyable {
    /// The number of bits by which a hash is shifted to get an index.
    let shift: UInt

    /// The address of the slots that these have replaced, or 0.
    let former: UInt

    /// The number of used slots.
    ///
    /// It is atomic, because readers load from memory beside it.
    let count = Atomic<Int>(0)
  }

  deinit {
    forEachCell { cell in
      cell.pointee.clear().release()
      cell.deallocate()
    }
    var slots = Slots(address: current.load(ordering: .relaxed))
    while slots.address != EmptyTable.slots.address {
      let former = slots.header.pointee.former
      slots.header.deallocate()
      slots = Slots(address: former)
    }
  }

  /// Returns the cell of a key, or the cell that belongs to no key.
  @inline(__always)
  func cell(for key: UInt) -> StablePointer<Cell> {
    // Acquiring: the slots were initialized before their address was stored.
    Slots(address: current.load(ordering: .acquiring)).search(key).cell
  }
}

// MARK: - Writing, under the container's lock

extension ResolveTable {
  /// Makes the value or the factory in `layout` the answer to a key, if there is no answer yet.
  ///
  /// If there is one, another thread has stored the same answer, or readers have found no reference left in it.
  func put(_ layout: CellLayout, for key: UInt) {
    let cell = insertedCell(for: key)
    if cell.pointee.isFull { cell.pointee.replenish() } else { cell.pointee.fill(layout) }
  }

  /// Removes the answer to a key, if there is one.
  func clear(_ key: UInt) -> UnclaimedReferences {
    let cell = cell(for: key)
    return cell.pointee.key == key ? cell.pointee.clear() : UnclaimedReferences()
  }

  /// Removes all answers.
  func clearAll() -> [UnclaimedReferences] {
    var unclaimed: [UnclaimedReferences] = []
    forEachCell { cell in
      let references = cell.pointee.clear()
      if references.count > 0 { unclaimed.append(references) }
    }
    return unclaimed
  }

  private func forEachCell(_ body: (StablePointer<Cell>) -> Void) {
    Slots(address: current.load(ordering: .relaxed)).forEachCell(body)
  }

  private func insertedCell(for key: UInt) -> StablePointer<Cell> {
    let slots = Slots(address: current.load(ordering: .relaxed))
    let (index, cell) = slots.search(key)
    if cell.pointee.key == key { return cell }
    guard slots.isHalfFull else { return slots.insert(StablePointer(allocating: Cell(key: key)), at: index) }
    let larger = Slots(replacing: slots)
    slots.forEachCell { _ = larger.insert($0, at: larger.search($0.pointee.key).index) }
    current.store(larger.address, ordering: .releasing)
    return larger.insert(StablePointer(allocating: Cell(key: key)), at: larger.search(key).index)
  }
}

/// The slots of a table, in memory that follows their header.
@safe
struct Slots: Sendable {
  /// The header; the slots follow it.
  let header: StablePointer<ResolveTable.Header>

  @inline(__always)
  init(address: UInt) { header = StablePointer(address: address) }

  var address: UInt { header.address }

  static var headerSize: UInt { 32 }

  /// Returns the index at which a search for a key ends, and the cell there: that of the key, or `EmptyTable.cell`.
  @inline(__always)
  func search(_ key: UInt) -> (index: UInt, cell: StablePointer<Cell>) {
    let shift = header.pointee.shift
    var index = Key.hash(key) &>> shift
    while true {
      // Acquiring: the cell was initialized before its address was stored.
      let cell = StablePointer<Cell>(address: self[index].pointee.load(ordering: .acquiring))
      if cell.pointee.key == key || cell.pointee.key == 0 { return (index, cell) }
      index = (index &+ 1) & (UInt.max &>> shift)
    }
  }

  @inline(__always)
  subscript(index: UInt) -> StablePointer<Atomic<UInt>> {
    StablePointer(address: address &+ Self.headerSize &+ index &* UInt(MemoryLayout<UInt>.stride))
  }

  // MARK: Under the container's lock

  /// Allocates empty slots.
  ///
  /// - Parameters:
  ///   - bits: The binary logarithm of the number of slots.
  ///   - former: The address of the slots that these replace, or 0.
  init(bits: UInt, former: UInt) {
    let count = Int(1 << bits)
    precondition(MemoryLayout<ResolveTable.Header>.size <= Self.headerSize)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: Int(Self.headerSize) + count * MemoryLayout<UInt>.stride, alignment: 64)
    let header = unsafe memory.bindMemory(to: ResolveTable.Header.self, capacity: 1)
    unsafe header.initialize(to: ResolveTable.Header(shift: UInt(UInt.bitWidth) - bits, former: former))
    self.header = unsafe StablePointer(header)
    let slots = unsafe (memory + Int(Self.headerSize)).bindMemory(to: Atomic<UInt>.self, capacity: count)
    for index in 0..<count { unsafe (slots + index).initialize(to: Atomic(EmptyTable.cell.address)) }
  }

  /// Allocates twice as many slots as another table has, but at least 16.
  init(replacing former: Slots) {
    let bits = UInt(UInt.bitWidth) - former.header.pointee.shift
    self.init(bits: max(bits + 1, 4), former: former.address)
  }

  var capacity: Int { 1 << (UInt.bitWidth - Int(header.pointee.shift)) }

  /// A Boolean value that indicates whether one more cell would fill half of the slots; the empty table has two slots.
  var isHalfFull: Bool { 2 * (header.pointee.count.load(ordering: .relaxed) + 1) >= capacity }

  func insert(_ cell: StablePointer<Cell>, at index: UInt) -> StablePointer<Cell> {
    header.pointee.count.wrappingAdd(1, ordering: .relaxed)
    self[index].pointee.store(cell.address, ordering: .releasing)
    return cell
  }

  func forEachCell(_ body: (StablePointer<Cell>) -> Void) {
    for index in 0..<UInt(capacity) {
      let cell = StablePointer<Cell>(address: self[index].pointee.load(ordering: .relaxed))
      if cell.address != EmptyTable.cell.address { body(cell) }
    }
  }
}

/// The parts of a table without any cell, which all empty tables share and which are never freed.
enum EmptyTable {
  /// A cell that belongs to no key.
  static let cell = StablePointer(allocating: Cell(key: 0))

  /// The slots of an empty table.
  static let slots = Slots(bits: 1, former: 0)
}
