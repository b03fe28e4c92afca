public import Synchronization

/// Where the hot path finds what a type resolves to: one cell for each key of a table, read without a lock.
///
/// Everything in a cell but its key may change while it is read. `reference` has a generation that changes with it: a
/// reader that claims a reference, or finds the generation unchanged, has loaded what belongs together. See
/// `AtomicReference`.
@usableFromInline
struct Cell: ~Copyable {
  /// What a cell holds, and so how it is read.
  @usableFromInline
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
  @usableFromInline
  let key: UInt

  /// Where readers get their reference as long as there are no shards.
  @usableFromInline
  let reference = AtomicReference()

  @usableFromInline
  let kind = Atomic<UInt>(0)

  @usableFromInline
  let words = Words()

  /// The address of the shards, or 0; see `Cell+Shards.swift`.
  @usableFromInline
  let shards = Atomic<UInt>(0)

  init(key: UInt) { self.key = key }

  deinit { freeShards() }

  /// The five words that follow the first in the largest value that a cell can hold.
  @usableFromInline
  struct Words: ~Copyable {
    @usableFromInline let first = Atomic<UInt>(0)
    @usableFromInline let second = Atomic<UInt>(0)
    @usableFromInline let third = Atomic<UInt>(0)
    @usableFromInline let fourth = Atomic<UInt>(0)
    @usableFromInline let fifth = Atomic<UInt>(0)

    /// Loads what follows the first word of a value, or of a trivial value everything.
    @inlinable
    @inline(__always)
    func load(onlyFirst: Bool = false) -> CellWords {
      let first = first.load(ordering: .acquiring)
      if onlyFirst { return (first, 0, 0, 0, 0) }
      return (
        first, second.load(ordering: .acquiring), third.load(ordering: .acquiring), fourth.load(ordering: .acquiring),
        fifth.load(ordering: .acquiring)
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

@usableFromInline
typealias CellWords = (UInt, UInt, UInt, UInt, UInt)

// MARK: - Reading

extension Cell {
  @inlinable
  @inline(__always)
  func isOf(_ kind: Kind) -> Bool { self.kind.load(ordering: .acquiring) == kind.rawValue }

  /// The reference to an instance, which the reader owns, and what follows it in memory.
  @usableFromInline
  typealias ClaimedInstance = (claim: AtomicReference.Claim, words: CellWords)

  /// Claims the instance in a cell of kind `reference`, unless another thread comes first.
  ///
  /// Not the value itself, because an optional of a large one is copied on the way.
  @inlinable
  @inline(__always)
  func claimInstance<Value>(as type: Value.Type) -> ClaimedInstance? {
    let reference = currentReference
    guard let claim = reference.pointee.prepare(), isOf(.reference) else { return nil }
    // The size is a constant where this is inlined.
    let words = words.load(onlyFirst: MemoryLayout<Value>.size <= 2 * MemoryLayout<UInt>.size)
    if reference.pointee.commit(claim) { return (claim, words) }
    reference.pointee.noteContention()
    return nil
  }

  /// Returns the value in a cell of kind `trivial`, or nil if it has just been removed.
  @inlinable
  @inline(__always)
  func trivial<Value>(as type: Value.Type) -> Value? {
    guard var image = reference.load({ isOf(.trivial) ? words.load() : nil }) else { return nil }
    // Sound: `Layout` has checked that the value is trivial and fits, and these are its bytes.
    return unsafe withUnsafePointer(to: &image) {
      unsafe UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee
    }
  }

  /// Returns the value in the cell, of whatever kind, if there is one.
  @inlinable
  @inline(__always)
  func value<Value>(as type: Value.Type) -> Value? {
    if _isPOD(Value.self), let value = trivial(as: type) { return value }
    let reference = currentReference
    let found = reference.pointee.claim { () -> (isInstance: Bool, words: CellWords)? in
      isOf(.reference) ? (true, words.load()) : isOf(.boxed) ? (false, (0, 0, 0, 0, 0)) : nil
    }
    guard let (claim, content) = found else { return nil }
    if content.isInstance { return Self.instance((claim, content.words)) }
    let value: Value = unsafe claim.object(as: Box.self)._withUnsafeGuaranteedRef { $0.value() }
    reference.pointee.giveBack(claim)
    return value
  }

  /// Claims the factory in a cell of kind `factory`, to be given back to the reference that it is from.
  @inline(__always)
  func borrowFactory() -> (from: StablePointer<AtomicReference>, claim: AtomicReference.Claim)? {
    let reference = currentReference
    if let claim = reference.pointee.prepare(), isOf(.factory), reference.pointee.commit(claim) {
      return (reference, claim)
    }
    return borrowFactorySlowly(from: reference)
  }

  @inline(never)
  private func borrowFactorySlowly(
    from reference: StablePointer<AtomicReference>
  ) -> (from: StablePointer<AtomicReference>, claim: AtomicReference.Claim)? {
    reference.pointee.claim(with: { isOf(.factory) ? () : nil }).map { (reference, $0.claim) }
  }

  /// Returns the instance whose reference was claimed.
  @inlinable
  @inline(__always)
  static func instance<Value>(_ claimed: ClaimedInstance) -> Value {
    let words = claimed.words
    // In pairs, because that is how a large value is copied: reading two words that were written one by one, a moment
    // ago, makes the processor wait until both have reached the cache.
    var image = (
      SIMD2(claimed.claim.address, words.0), SIMD2(words.1, words.2), SIMD2(words.3, words.4)
    )
    // Sound: `CellLayout` has checked that the value is these words, and the reference in the first is the claimed one;
    // moving it out makes the result its owner.
    return unsafe _withUnprotectedUnsafeMutablePointer(to: &image) {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: Value.self).move()
    }
  }
}

// MARK: - Writing, under the container's lock

extension Cell {
  /// A Boolean value that indicates whether there is something in the cell.
  var isFull: Bool { reference.isFull || currentReference.pointee.isFull }

  /// Puts a value or a factory into the empty cell.
  func fill(_ layout: CellLayout) {
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
