internal import Synchronization

/// Where the hot path finds what a type resolves to: one cell for each key of a table, read without a lock.
///
/// Everything in a cell but its key may change while it is read. `reference` has a generation that changes with it: a
/// reader that claims a reference, or finds the generation unchanged, has loaded what belongs together. See
/// `AtomicReference`.
struct Cell: ~Copyable {
  /// What a cell holds, and so how it is read.
  enum Kind: UInt {
    /// A value that is one strong reference, followed by words that are the same for every instance of one class.
    ///
    /// Classes and existentials of classes. `reference` has the instance itself; `words` have what follows it in
    /// memory: witness tables, and for existentials that could also hold structs, the class's metadata.
    case reference

    /// A small value without references, in `words`.
    case trivial

    /// Any other value, in a `Box`.
    case boxed

    /// A factory that is called on every resolve, in a `Definition`.
    case factory
  }

  /// The key that the cell belongs to; it fixes the type of the value.
  let key: UInt

  /// Where readers get their reference as long as there are no shards.
  let reference = AtomicReference()

  let kind = Atomic<UInt>(0)

  let words = Words()

  /// The key of the cell, and those that the instance depends on.
  let dependencies = AtomicKeyFilter()

  /// The address of the shards, or 0; see `Cell+Shards.swift`.
  let shards = Atomic<UInt>(0)

  init(key: UInt) { self.key = key }

  deinit { freeShards() }

  /// The five words that follow the first in the largest value that a cell can hold.
  struct Words: ~Copyable {
    let first = Atomic<UInt>(0)
    let second = Atomic<UInt>(0)
    let third = Atomic<UInt>(0)
    let fourth = Atomic<UInt>(0)
    let fifth = Atomic<UInt>(0)

    /// Loads what follows the first word of a value, or of a trivial value everything.
    @inline(__always)
    func load() -> CellWords {
      (
        first.load(ordering: .acquiring), second.load(ordering: .acquiring), third.load(ordering: .acquiring),
        fourth.load(ordering: .acquiring), fifth.load(ordering: .acquiring)
      )
    }

    func store(_ words: CellWords) {
      first.store(words.0, ordering: .releasing)
      second.store(words.1, ordering: .releasing)
      third.store(words.2, ordering: .releasing)
      fourth.store(words.3, ordering: .releasing)
      fifth.store(words.4, ordering: .releasing)
    }
  }
}

typealias CellWords = (UInt, UInt, UInt, UInt, UInt)

// MARK: - Reading

extension Cell {
  /// Loads the kind of the cell, and what follows the reference to an instance in memory.
  ///
  /// - Parameter shadowed: The keys that the containers below shadow; nil if none is below.
  /// - Returns: The content; nil if it depends on one of those keys.
  @inline(__always)
  func content(unless shadowed: ShadowedKeys? = nil) -> (Kind, CellWords)? {
    guard let kind = Kind(rawValue: kind.load(ordering: .acquiring)), isAnswer(below: shadowed) else { return nil }
    return (kind, kind == .reference ? words.load() : (0, 0, 0, 0, 0))
  }

  @inline(__always)
  private func isAnswer(below shadowed: ShadowedKeys?) -> Bool {
    guard let shadowed else { return true }
    return !dependencies.load().mayIntersect(shadowed.load())
  }

  /// Stores the value in a cell of kind `trivial` into memory.
  ///
  /// - Parameters:
  ///   - shadowed: The keys that the containers below shadow; nil if none is below.
  ///   - memory: The memory.
  /// - Returns: Whether there was a value.
  @inline(__always)
  func loadTrivial(unless shadowed: ShadowedKeys? = nil, into memory: ResultMemory) -> Bool {
    let loaded = reference.load { () -> CellWords? in
      guard kind.load(ordering: .acquiring) == Kind.trivial.rawValue, isAnswer(below: shadowed) else { return nil }
      return words.load()
    }
    guard let image = loaded else { return false }
    memory.store(image.0, (image.1, image.2, image.3, image.4, 0))
    return true
  }
}

extension ResultMemory {
  /// Stores six words.
  ///
  /// In pairs, because that is how a large value is copied: reading two words that were written one by one, a moment ago,
  /// makes the processor wait until both have reached the cache.
  @inline(__always)
  func store(_ first: UInt, _ words: CellWords) {
    // Sound: what `CellLayout` keeps in words is neither larger nor more aligned than six words are.
    let size = MemoryLayout<SIMD2<UInt>>.size
    unsafe instance.pointer.storeBytes(of: SIMD2(first, words.0), as: SIMD2<UInt>.self)
    unsafe instance.pointer.storeBytes(of: SIMD2(words.1, words.2), toByteOffset: size, as: SIMD2<UInt>.self)
    unsafe instance.pointer.storeBytes(of: SIMD2(words.3, words.4), toByteOffset: 2 * size, as: SIMD2<UInt>.self)
  }
}

// MARK: - Writing, under the container's lock

extension Cell {
  /// A Boolean value that indicates whether there is something in the cell.
  var isFull: Bool { reference.isFull || currentReference.pointee.isFull }

  /// Puts a value or a factory into the empty cell.
  func fill(_ layout: CellLayout) {
    dependencies.store(layout.dependencies)
    kind.store(layout.kind.rawValue, ordering: .releasing)
    words.store(layout.words)
    if let object = layout.object, shards.load(ordering: .relaxed) != 0 {
      forEachShard { $0.store(object) }
    } else {
      reference.store(layout.object)
    }
  }

  /// Removes what is in the cell, if anything is.
  ///
  /// - Returns: What has to be released when the lock is free.
  func clear() -> UnclaimedReferences {
    var unclaimed = reference.clear()
    forEachShard { unclaimed.add($0.clear()) }
    return unclaimed
  }

  /// Refills the references after a reader has found none, and adds shards if too many readers meet here.
  func replenish() {
    if reference.isContended { addShards() }
    reference.replenish()
    forEachShard { $0.replenish() }
  }
}
