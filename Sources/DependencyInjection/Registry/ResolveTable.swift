public import Synchronization

/// A map from types to cells that readers search without a lock while one writer inserts.
///
/// A hash trie: the root has 256 slots, every node below it 16. A slot holds a cell or, with its lowest bit set, a
/// node; an empty one holds a cell that matches no key, so a search never tests for nil. The multiplication that hashes
/// is a bijection, so two keys part at some level and buckets never chain. Slots only ever change from empty to cell to
/// node, or from one cell of a key to another, and nothing moves or is replaced while it grows: inserting is O(1) and
/// there is no retired table to free. Cells and nodes are freed with the table, which lives as long as its container.
@usableFromInline
struct ResolveTable: ~Copyable {
  @usableFromInline
  typealias Slot = Atomic<UInt>

  /// The address of the root's first slot.
  @usableFromInline
  let root: Atomic<UInt>

  @usableFromInline
  static var rootBits: UInt { 8 }

  @usableFromInline
  static var nodeBits: UInt { 4 }

  init() {
    root = Atomic(EmptyTable.address)
  }

  deinit {
    let own = root.load(ordering: .relaxed)
    guard own != EmptyTable.address else { return }
    Self.free(own)
  }

  /// The hash of a key; its upper bits are the good ones.
  ///
  /// The factor is an eighth of the golden ratio's fraction of a word, because keys are addresses of words: multiples of
  /// eight. With the whole of it, addresses that are 144 bytes apart, say, would have the same upper eight bits.
  @inlinable
  @inline(__always)
  static func hash(_ key: UInt) -> UInt {
    key &* UInt(truncatingIfNeeded: 0x13C6_EF37_2FE9_4F83 as UInt64)
  }

  @inlinable
  @inline(__always)
  static func slot(_ table: UInt, _ index: UInt) -> UnsafeMutablePointer<Slot> {
    unsafe UnsafeMutablePointer(bitPattern: table &+ index &* UInt(MemoryLayout<Slot>.stride)).unsafelyUnwrapped
  }

  /// The cell at the end of the path of `key`; it belongs to `key` only if its own key says so.
  @inlinable
  @inline(__always)
  func cell(at key: UInt) -> UnsafeMutablePointer<Cell> {
    var bits = Self.hash(key)
    // Acquire: what a slot points to was initialised before it was stored there. The root is stored once.
    var found = unsafe Self.slot(root.load(ordering: .acquiring), bits &>> (UInt(UInt.bitWidth) &- Self.rootBits))
      .pointee.load(ordering: .acquiring)
    bits &<<= Self.rootBits
    while found & 1 != 0 {
      found = unsafe Self.slot(found & ~1, bits &>> (UInt(UInt.bitWidth) &- Self.nodeBits))
        .pointee.load(ordering: .acquiring)
      bits &<<= Self.nodeBits
    }
    return unsafe UnsafeMutablePointer(bitPattern: found).unsafelyUnwrapped
  }
}

// MARK: - Writing, under the container's lock

extension ResolveTable {
  /// Makes what `layout` describes the answer for `key`, if there is no answer yet.
  ///
  /// If there is one, somebody else has put in the same, or readers have left its bank empty-handed: then it is filled.
  func put(_ layout: Cell.Layout, at key: UInt) {
    // Where the allocator tags its pointers there is no room for a count: then the registry goes on answering.
    if let object = layout.object, !ReferenceBank.canHold(object) { return }
    let slot = unsafe insertionSlot(for: key)
    let current = unsafe UnsafeMutablePointer<Cell>(bitPattern: slot.pointee.load(ordering: .relaxed))!
    unsafe assert(current.pointee.key == key || current == EmptyTable.cell)
    // A key has as many cells as kinds and classes have ever stood behind it, in a ring; reuse the one that fits.
    if unsafe current != EmptyTable.cell {
      if unsafe current.pointee.isFull { return unsafe current.pointee.restock() }
      var candidate = unsafe current
      repeat {
        if unsafe candidate.pointee.fits(layout) {
          unsafe candidate.pointee.fill(layout)
          unsafe slot.pointee.store(UInt(bitPattern: candidate), ordering: .releasing)
          return
        }
        unsafe candidate = candidate.pointee.next!
      } while unsafe candidate != current
    }
    let cell = unsafe Self.allocateCell(Cell(key: key, kind: layout.kind, words: layout.words))
    unsafe cell.pointee.fill(layout)
    if unsafe current == EmptyTable.cell {
      unsafe cell.pointee.next = cell
    } else {
      unsafe cell.pointee.next = current.pointee.next
      unsafe current.pointee.next = cell
    }
    unsafe slot.pointee.store(UInt(bitPattern: cell), ordering: .releasing)
  }

  /// Empties the cell of `key`, if it has one.
  func clear(_ key: UInt) -> Withdrawal {
    let cell = unsafe cell(at: key)
    guard unsafe cell.pointee.key == key else { return Withdrawal(pointer: 0, count: 0) }
    return unsafe cell.pointee.empty()
  }

  /// Empties every cell, or every one of a kind.
  func clearAll(_ kind: Cell.Kind? = nil) -> [Withdrawal] {
    var withdrawals: [Withdrawal] = []
    let own = root.load(ordering: .relaxed)
    if own != EmptyTable.address {
      unsafe Self.forEachRing(own, slots: 1 << Self.rootBits, thenFreeNodes: false) { cell in
        if let kind, unsafe cell.pointee.kind != kind { return }
        let withdrawal = unsafe cell.pointee.empty()
        if withdrawal.count > 0 { withdrawals.append(withdrawal) }
      }
    }
    return withdrawals
  }

  /// The slot that `key` has or gets; splits slots until it shares one with no other key.
  private func insertionSlot(for key: UInt) -> UnsafeMutablePointer<Slot> {
    var table = root.load(ordering: .relaxed)
    if table == EmptyTable.address {
      table = Self.allocateNode(slots: 1 << Self.rootBits)
      root.store(table, ordering: .releasing)
    }
    var bits = Self.hash(key)
    var slot = unsafe Self.slot(table, bits >> (UInt(UInt.bitWidth) - Self.rootBits))
    bits <<= Self.rootBits
    var used = Self.rootBits
    while true {
      let found = unsafe slot.pointee.load(ordering: .relaxed)
      if found & 1 == 0 {
        let cell = unsafe UnsafeMutablePointer<Cell>(bitPattern: found)!
        if unsafe cell == EmptyTable.cell || cell.pointee.key == key { return unsafe slot }
        // Another key ends here: push it one level down, then publish the node.
        let node = Self.allocateNode(slots: 1 << Self.nodeBits)
        let index = unsafe (Self.hash(cell.pointee.key) << used) >> (UInt(UInt.bitWidth) - Self.nodeBits)
        unsafe Self.slot(node, index).pointee.store(found, ordering: .relaxed)
        unsafe slot.pointee.store(node | 1, ordering: .releasing)
        continue
      }
      unsafe slot = Self.slot(found & ~1, bits >> (UInt(UInt.bitWidth) - Self.nodeBits))
      bits <<= Self.nodeBits
      used += Self.nodeBits
    }
  }

  // MARK: Memory

  private static func forEachRing(
    _ table: UInt, slots: Int, thenFreeNodes free: Bool, _ body: (UnsafeMutablePointer<Cell>) -> Void
  ) {
    for index in 0..<UInt(slots) {
      let found = unsafe slot(table, index).pointee.load(ordering: .relaxed)
      if found & 1 != 0 {
        unsafe forEachRing(found & ~1, slots: 1 << nodeBits, thenFreeNodes: free, body)
        continue
      }
      let first = unsafe UnsafeMutablePointer<Cell>(bitPattern: found)!
      guard unsafe first != EmptyTable.cell else { continue }
      var cell = unsafe first
      repeat {
        let next = unsafe cell.pointee.next!
        unsafe body(cell)
        unsafe cell = next
      } while unsafe cell != first
    }
    if free { unsafe UnsafeMutableRawPointer(bitPattern: table)!.deallocate() }
  }

  /// Frees everything; nobody reads any more.
  private static func free(_ root: UInt) {
    unsafe forEachRing(root, slots: 1 << rootBits, thenFreeNodes: true) { cell in
      unsafe cell.pointee.empty().release()
      unsafe cell.deinitialize(count: 1)
      unsafe UnsafeMutableRawPointer(cell).deallocate()
    }
  }

  fileprivate static func allocateNode(slots: Int) -> UInt {
    let node = UnsafeMutableRawPointer.allocate(byteCount: slots * MemoryLayout<Slot>.stride, alignment: 64)
    let first = unsafe node.bindMemory(to: Slot.self, capacity: slots)
    for index in 0..<slots {
      unsafe (first + index).initialize(to: Slot(UInt(bitPattern: EmptyTable.cell)))
    }
    return UInt(bitPattern: node)
  }

  fileprivate static func allocateCell(_ cell: consuming Cell) -> UnsafeMutablePointer<Cell> {
    // 128 bytes apart, two cache lines, because the hardware fetches lines in pairs: a busy cell never slows another.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 128, alignment: 128)
    assert(MemoryLayout<Cell>.size <= 128)
    let pointer = unsafe memory.bindMemory(to: Cell.self, capacity: 1)
    unsafe pointer.initialize(to: cell)
    return unsafe pointer
  }
}

/// What a table without any cell consists of; shared by all of them and never freed.
enum EmptyTable {
  /// A cell that belongs to no type.
  nonisolated(unsafe) static let cell = unsafe ResolveTable.allocateCell(Cell(key: 0, kind: .boxed))

  /// The address of a root in which nothing is found.
  static let address = ResolveTable.allocateNode(slots: 1 << ResolveTable.rootBits)
}
