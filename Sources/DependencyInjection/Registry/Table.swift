internal import Synchronization

/// A map from keys to cells that readers search without a lock while one writer inserts.
///
/// It is a hash table with open addressing. A slot holds the address of a cell, which never moves and is never removed.
/// When the slots are full, twice as many replace them: a small number of slots is full when half of them are used, a
/// large number when two thirds are. The former slots are kept as long as the registry, because their memory contains
/// cells, and threads may still search them. A search of former slots may miss a new cell: it then counts as earlier
/// than the registration that added the cell.
struct Table: ~Copyable {
  private let slots = Atomic<UInt>(Slots.empty.address)

  /// Returns the cell of a key, if there is one.
  @inline(__always)
  func find(_ key: UInt) -> CellPointer? {
    // Acquiring: the slots were initialized before their address was stored.
    let slots = Slots(address: slots.load(ordering: .acquiring)), shift = slots.head.shift
    var index = Key.hash(key) &>> shift
    // The first slot is outside of the loop, because most searches end there. Acquiring, here and below: the cell was
    // initialized before its address was stored.
    var address = slots[index].load(ordering: .acquiring)
    if address == 0 { return nil }
    if unsafe pointer(to: address, as: Cell.self).pointer.pointee.key == key { return pointer(to: address) }
    while true {
      index = (index &+ 1) & (UInt.max &>> shift)
      address = slots[index].load(ordering: .acquiring)
      if address == 0 { return nil }
      if unsafe pointer(to: address, as: Cell.self).pointer.pointee.key == key { return pointer(to: address) }
    }
  }

  /// Adds a cell for a key that has none, with the registration that the key already has, if any; under the container's
  /// lock.
  func add(_ key: UInt, _ definition: Definition?) -> CellPointer {
    var slots = Slots(address: slots.load(ordering: .relaxed))
    if slots.head.count == slots.head.cellCapacity { slots = Slots(replacing: slots) }
    let cell = slots.add(key, definition)
    self.slots.store(slots.address, ordering: .releasing)
    return cell
  }

  /// Calls a closure with each cell, in the order in which they were added; under the container's lock.
  func forEach(_ body: (CellPointer) -> Void) { Slots(address: slots.load(ordering: .relaxed)).forEach(body) }

  deinit {
    var slots = Slots(address: slots.load(ordering: .relaxed))
    if slots.address == Slots.empty.address { return }
    // All instances are released before the first registration.
    slots.forEach { $0.pointee.releaseInstance() }
    // Nothing else in a cell has to be destroyed.
    slots.forEach { $0.pointee.definition = nil }
    while slots.address != Slots.empty.address {
      let former = slots.head.former
      slots.deallocate()
      slots = Slots(address: former)
    }
  }
}

/// Creates a pointer to the memory at an address; in this file, because debug builds inline no functions from other
/// files.
@_transparent
private func pointer<Value: ~Copyable>(to address: UInt, as _: Value.Type = Value.self) -> StablePointer<Value> {
  unsafe unsafeBitCast(address, to: StablePointer<Value>.self)
}

/// The slots of a table, and room for the cells that are added while these are its slots.
///
/// The memory consists of a head of four words, the slots, and the cells.
@safe
struct Slots: Sendable {
  let address: UInt

  /// The slots that all empty tables share, and that stay empty.
  static let empty = Slots(bits: 1, former: 0, cellCapacity: 0)

  /// The head of the slots: the number of bits by which a hash is shifted to get an index, the address of the slots
  /// that these replaced, the number of cells that fit in here, and the number of cells that are in here.
  fileprivate typealias Head = (shift: UInt, former: UInt, cellCapacity: Int, count: Int)

  @_transparent
  private static var wordSize: UInt { UInt(MemoryLayout<UInt>.size) }

  @_transparent
  private static var cacheLine: UInt { 64 }

  @_transparent
  init(address: UInt) { self.address = address }

  // Sound: the memory is initialized, and it exists as long as any code has its address.
  fileprivate var head: Head {
    @_transparent unsafeAddress { unsafe UnsafePointer(pointer(to: address, as: Head.self).pointer) }
    @_transparent nonmutating unsafeMutableAddress { unsafe pointer(to: address, as: Head.self).pointer }
  }

  subscript(index: UInt) -> Atomic<UInt> {
    @_transparent unsafeAddress {
      unsafe UnsafePointer(pointer(to: address &+ (4 &+ index) &* Self.wordSize, as: Atomic<UInt>.self).pointer)
    }
  }

  // MARK: Under the container's lock

  /// Allocates empty slots.
  ///
  /// - Parameters:
  ///   - bits: The binary logarithm of the number of slots.
  ///   - former: The address of the slots that these replace.
  ///   - cellCapacity: The number of cells to make room for.
  private init(bits: UInt, former: UInt, cellCapacity: Int) {
    // The cells are aligned by rounding up, because aligned memory costs several times as much as other memory.
    let words = 4 + 1 << Int(bits)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: words * MemoryLayout<UInt>.size + Int(Self.cacheLine) + cellCapacity * MemoryLayout<Cell>.stride,
      alignment: 16)
    // Atomics of words are laid out as words, and 0 is the address of no cell.
    unsafe memory.initializeMemory(as: UInt.self, repeating: 0, count: words)
    address = UInt(bitPattern: memory)
    head = (UInt(UInt.bitWidth) - bits, former, cellCapacity, 0)
  }

  /// Allocates twice as many slots as the former ones, but at least 8, and adds the former cells.
  init(replacing former: Slots) {
    let isFirst = former.address == Self.empty.address
    let bits = isFirst ? 3 : UInt(UInt.bitWidth) + 1 - former.head.shift
    self.init(
      bits: bits, former: former.address,
      cellCapacity: Self.limit(bits: bits) - (isFirst ? 0 : Self.limit(bits: bits - 1)))
    // A loop in place, because a debug build pays for each call.
    var index: UInt = 0
    while index <= UInt.max &>> former.head.shift {
      let address = former[index].load(ordering: .relaxed)
      if address != 0 { put(address, unsafe pointer(to: address, as: Cell.self).pointer.pointee.key) }
      index &+= 1
    }
  }

  /// Returns the number of cells with which a number of slots is full.
  ///
  /// A small number of slots is full early, because a child has few registrations, and most searches in its table find
  /// nothing. Such a search takes longest if few slots are empty.
  private static func limit(bits: UInt) -> Int { bits < 6 ? 1 << (Int(bits) - 1) : (2 << Int(bits)) / 3 }

  @_transparent
  func add(_ key: UInt, _ definition: Definition?) -> CellPointer {
    let count = head.count, cell = firstCell &+ UInt(bitPattern: count) &* UInt(bitPattern: MemoryLayout<Cell>.stride)
    unsafe pointer(to: cell).pointer.initialize(to: Cell(key: key, definition))
    // Not in place: the thread sanitizer would take that for a change of the whole head, which readers load from.
    head.count = count &+ 1
    put(cell, key)
    return pointer(to: cell)
  }

  @_transparent
  private func put(_ cell: UInt, _ key: UInt) {
    let shift = head.shift
    var index = Key.hash(key) &>> shift
    while self[index].load(ordering: .relaxed) != 0 { index = (index &+ 1) & (UInt.max &>> shift) }
    self[index].store(cell, ordering: .releasing)
  }

  /// The address of the first cell, after the slots.
  @_transparent
  private var firstCell: UInt {
    (address &+ (5 &+ UInt.max &>> head.shift) &* Self.wordSize &+ Self.cacheLine &- 1) & ~(Self.cacheLine &- 1)
  }

  func forEach(_ body: (CellPointer) -> Void) {
    if address == Self.empty.address { return }
    // Each has twice the size of the former one, so the recursion is short.
    Slots(address: head.former).forEach(body)
    var next = firstCell, left = head.count
    while left > 0 {
      body(pointer(to: next))
      next &+= UInt(bitPattern: MemoryLayout<Cell>.stride)
      left &-= 1
    }
  }

  func deallocate() { unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate() }
}
