internal import Synchronization

/// The place where the fast path finds the answer to a key: a table has one cell for each key, which is read without a
/// lock.
///
/// Everything in a cell but its key may change while it is read. `reference` has a generation that changes with it. A
/// reader that claims a reference, or finds the generation unchanged, has loaded values that belong together. See
/// `AtomicReference`.
struct Cell: ~Copyable {
  /// The kind of a cell's content, which determines how it is read.
  enum Kind: UInt {
    /// A value that is one strong reference, followed by words that are the same for every instance of one class.
    ///
    /// Used for classes and existentials of classes. `reference` has the instance itself. `words` has what follows it
    /// in memory: witness tables, and for existentials that could also hold structs, the class's metadata.
    case reference

    /// A small value without references, in `words`.
    case trivial

    /// Any other value, in a `Box`.
    case boxed

    /// A factory that every resolution calls, in a `Definition`.
    case factory
  }

  /// The key of the cell, which determines the type of the value.
  let key: UInt

  /// The reference that readers use as long as there are no shards.
  let reference = AtomicReference()

  let kind = Atomic<UInt>(0)

  let words = Words()

  /// The key of the cell, and the keys on which the instance depends.
  let dependencies = AtomicKeyFilter()

  /// The address of the shards, or 0; see `Cell+Shards.swift`.
  let shards = Atomic<UInt>(0)

  deinit {
    // Atomics of numbers need no deinitialization.
    unsafe UnsafeMutableRawPointer(bitPattern: shards.load(ordering: .relaxed))?.deallocate()
  }

  /// The five words that follow the first in the largest value that a cell can hold.
  struct Words: ~Copyable {
    let first = Atomic<UInt>(0)
    let second = Atomic<UInt>(0)
    let third = Atomic<UInt>(0)
    let fourth = Atomic<UInt>(0)
    let fifth = Atomic<UInt>(0)

    /// Loads the words that follow the first word of a value, or all words of a trivial value.
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
  /// Loads the kind of the cell, and the words that follow the reference to an instance.
  ///
  /// - Parameter shadowed: The keys that the containers below shadow; nil if there are none below.
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
  ///   - shadowed: The keys that the containers below shadow; nil if there are none below.
  ///   - memory: The memory.
  /// - Returns: A Boolean value that indicates whether there was a value.
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
  /// In pairs, because a large value is copied in pairs. Reading two words that were written one by one a moment ago
  /// makes the processor wait until both have reached the cache.
  @inline(__always)
  func store(_ first: UInt, _ words: CellWords) {
    // Sound: a value that `CellLayout` keeps in words is neither larger nor more strictly aligned than six words.
    let size = MemoryLayout<SIMD2<UInt>>.size
    unsafe instance.pointer.storeBytes(of: SIMD2(first, words.0), as: SIMD2<UInt>.self)
    unsafe instance.pointer.storeBytes(of: SIMD2(words.1, words.2), toByteOffset: size, as: SIMD2<UInt>.self)
    unsafe instance.pointer.storeBytes(of: SIMD2(words.3, words.4), toByteOffset: 2 * size, as: SIMD2<UInt>.self)
  }
}

// MARK: - Writing, under the container's lock

extension Cell {
  /// A Boolean value that indicates whether the cell has a content.
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

  /// Removes the content of the cell, if there is any.
  ///
  /// - Returns: The references to release after the lock is released.
  func clear() -> UnclaimedReferences {
    var unclaimed = reference.clear()
    forEachShard { unclaimed.add($0.clear()) }
    return unclaimed
  }

  /// Refills the references after a reader has found none, and adds shards if there is too much contention.
  func replenish() {
    if reference.isContended { addShards() }
    reference.replenish()
    forEachShard { $0.replenish() }
  }
}
