internal import Synchronization

// A reader gets a strong reference to an object that a writer may replace at the same moment.
//
// Loading an address and retaining the object there are two steps, and between them the object may be freed. So the
// writer retains the object in advance, many times, and counts the references that nobody has claimed. A reader that
// decrements the count owns one of them. This is a *split reference count* with references that are retained in
// advance.
//
// `word` has a tag for the readers in its upper three bits, the generation in the next 45, and the number of unclaimed
// references in the lower 16. The generation is even while something is stored, and odd while nothing is stored, or
// while a writer is storing something. Writers hold a lock, so there is one at a time. In an odd generation, only the
// writer changes the word, even without an exchange: there is no reference to claim, and what readers give back belongs
// to an earlier generation.
//
// ## Why it is sound
//
// 1. *Paid*: while the generation is even and there is an object, its retain count includes the unclaimed references and
//    one more, which only `clear` gives up. So the object is alive in every even generation.
// 2. *Claiming*: a reader loads the word, loads the address, and exchanges the word for one whose count is one less.
//    The exchange succeeds only if the word is still the same, so the generation is. In one generation there is one
//    address. The reader has loaded that one: it loads the address with acquire ordering, so if it had seen the address
//    of a later generation, it would also see the later generation, and the exchange would fail. Each unclaimed
//    reference is handed out once, because the modifications of one atomic have a total order.
// 3. *Everything that goes with it*: the tag is in the word. What holds for the address also holds for other atomics
//    that writers change only while the generation is odd, and that readers load, with acquire ordering, between the
//    load of the word and the exchange. So a reader gets an object together with what describes it.
// 4. *Clearing*: the writer exchanges the word for the next, odd generation without references. The count at that
//    moment is the number of references that nobody has claimed, and that nobody can claim anymore. The writer releases
//    these, and the one of (1).
// 5. *Refilling*: a reader that sees the count run low owns a reference, so the object is alive. It retains more, and adds
//    them if the generation is still the same; otherwise it releases them.
// 6. *Ordering*: `store` publishes with release and readers acquire, so they see the object initialized. `giveBack` and
//    `clear` are release and acquire, so the last use by a reader happens before the object is destroyed by a writer.
//    Exchanges by other readers in between continue the release sequence.
//
// No bits of an address need to be known or free. A generation of 45 bits does not wrap around in the life of a
// process.

/// A strong reference to an object that any number of threads load while one thread at a time replaces it.
struct AtomicReference: ~Copyable {
  let word: Atomic<UInt64>

  let address = Atomic<UInt>(0)

  /// The count below which more references are retained.
  @_transparent
  private static var low: UInt64 { 8 }

  @_transparent
  private static var countMask: UInt64 { 0xFFFF }

  @_transparent
  private static var generationStep: UInt64 { 1 << 16 }

  @_transparent
  private static var tagShift: UInt64 { 61 }

  @_transparent
  private static var generationMask: UInt64 { (1 << tagShift) - generationStep }

  /// The number of references that are retained at first.
  ///
  /// It is small, because many instances are resolved only a few times. With the one that is never handed out, there
  /// are sixteen, which are retained at once.
  @_transparent
  private static var firstPortion: Int { 15 }

  /// The number of references that are retained when few are left: few enough for the count to fit into 16 bits.
  @_transparent
  private static var portion: Int { 128 }

  /// A reference that a reader has claimed or tries to claim: the word before the claim, and the address of the object, which
  /// the reference keeps alive.
  typealias Claim = (word: UInt64, address: UInt)

  /// Creates an empty reference.
  @_transparent
  init(tag: UInt8) { word = Atomic(Self.generationStep | UInt64(tag) << Self.tagShift) }

  // MARK: Reading

  /// Returns the tag in a word, below 8.
  @_transparent
  static func tag(of word: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: word &>> tagShift) }

  /// Returns what a reader tries to claim, or nil if there is no object or no reference left.
  @_transparent
  func prepare() -> Claim? {
    let seen = word.load(ordering: .acquiring)
    guard seen & Self.countMask != 0 else { return nil }
    return (seen, address.load(ordering: .acquiring))
  }

  /// Claims a reference, unless anything has changed since `prepare`.
  ///
  /// - Returns: true if the caller owns a reference now. The values that it loaded in between then belong to the
  ///   object, and it calls `refillIfLow` next.
  @_transparent
  func commit(_ claim: Claim) -> Bool {
    word.weakCompareExchange(
      expected: claim.word, desired: claim.word &- 1, successOrdering: .acquiring, failureOrdering: .relaxed
    ).exchanged
  }

  /// Gives back a reference that was claimed for a moment.
  ///
  /// If no other thread has changed the word meanwhile, the word gets its former value.
  @inline(__always)
  func giveBack(_ claim: Claim) {
    if word.compareExchange(expected: claim.word &- 1, desired: claim.word, ordering: .releasing).exchanged { return }
    // Not above the portion, so that references that were claimed long ago do not add up to more than the count can
    // hold.
    add(1, after: claim, whileBelow: UInt64(Self.portion))
  }

  /// Hands references that the caller owns to other readers, or releases them if the generation has changed or the
  /// count is not below a limit.
  @inline(never)
  func add(_ count: Int, after claim: Claim, whileBelow limit: UInt64) {
    var current = word.load(ordering: .relaxed)
    while claim.word >> 16 == current >> 16, current & Self.countMask < limit {
      let (exchanged, seen) = word.compareExchange(
        expected: current, desired: current + UInt64(count), ordering: .releasing)
      if exchanged { return }
      current = seen
    }
    releaseReferences(to: claim.address, count: count)
  }

  /// Retains more references for other readers if few are left after a claim, while the caller owns one.
  @inline(__always)
  func refillIfLow(after claim: Claim) {
    if _slowPath(claim.word & Self.countMask < Self.low) { refill(after: claim) }
  }

  @inline(never)
  private func refill(after claim: Claim) {
    retainReferences(to: claim.address, count: Self.portion)
    add(Self.portion, after: claim, whileBelow: Self.low)
  }

  /// Loads the values that were stored without an object.
  ///
  /// - Parameters:
  ///   - tag: The tag with which they were stored.
  ///   - read: A closure that loads the values, with acquire ordering.
  /// - Returns: The loaded values; nil if nothing is stored with the tag, or if a writer has changed it meanwhile.
  @inline(__always)
  func load<Content>(_ tag: UInt8, _ read: () -> Content) -> Content? {
    let seen = word.load(ordering: .acquiring)
    if seen & Self.generationStep != 0 || Self.tag(of: seen) != tag { return nil }
    let content = read()
    return word.load(ordering: .relaxed) == seen ? content : nil
  }

  // MARK: Writing, under a lock

  /// A Boolean value that indicates whether something is stored.
  @_transparent
  var isFull: Bool { word.load(ordering: .relaxed) & Self.generationStep == 0 }

  /// The generation in its place in the word.
  @_transparent
  private var generation: UInt64 { word.load(ordering: .relaxed) & Self.generationMask }

  /// Publishes an object and the values that go with it, or only these values, which are stored already.
  ///
  /// The reference must be empty, and the caller keeps the object alive meanwhile.
  func store(_ object: Unowned<AnyObject>?, tag: UInt8) {
    assert(!isFull)
    var next = (generation + Self.generationStep) & Self.generationMask | UInt64(tag) << Self.tagShift
    var address: UInt = 0
    if let object {
      address = object.address
      retainReferences(to: address, count: Self.firstPortion + 1)
      next += UInt64(Self.firstPortion)
    }
    self.address.store(address, ordering: .releasing)
    word.store(next, ordering: .releasing)
  }

  /// Refills the references after a reader found none.
  func replenish() {
    let claim: Claim = (word.load(ordering: .relaxed), address.load(ordering: .relaxed))
    // The reference that is never handed out keeps the object alive, and only the holder of the lock gives it up.
    if isFull, claim.address != 0, claim.word & Self.countMask < Self.low { refill(after: claim) }
  }

  /// Removes what is stored, if anything is.
  ///
  /// The caller must have a reference to the object, so that no `deinit` runs under the lock.
  ///
  /// - Parameter tag: What readers find from now on.
  func clear(tag: UInt8) {
    let (generation, tag) = (generation, UInt64(tag) << Self.tagShift)
    if !isFull { return word.store(generation | tag, ordering: .releasing) }
    // Only a writer changes the generation, so it is the same at the exchange.
    let next = (generation + Self.generationStep) & Self.generationMask | tag
    let former = word.exchange(next, ordering: .acquiringAndReleasing)
    let address = address.load(ordering: .relaxed)
    if address != 0 { releaseReferences(to: address, count: Int(former & Self.countMask) + 1) }
  }
}

/// Retains a live object a number of times.
///
/// Never inlined: the optimizer may move a retain below the store that publishes it, but not a call.
@inline(never)
private func retainReferences(to address: UInt, count: Int) {
  // Sound: every caller owns a reference to the object, or holds the lock that keeps it stored. One by one, so that a
  // debug build makes no other changes to the count.
  Unowned<AnyObject>(address: address).borrow { object in
    repeatedly(count) { _ = unsafe Unmanaged.passRetained(object) }
  }
}

/// Releases references, all of which the caller owns.
@inline(never)
private func releaseReferences(to address: UInt, count: Int) {
  var object = address
  repeatedly(count) { unsafe release(&object) }
}

// Sound: the caller gives up the reference. The memory is a variable that holds the address, and a move leaves its bits
// as they are.
@_transparent
private func release(_ address: UnsafeMutableRawPointer) {
  _ = unsafe address.bindMemory(to: AnyObject.self, capacity: 1).move()
}

// Sixteen in a row, because the optimizer combines these into one change.
@_transparent
private func repeatedly(_ count: Int, _ change: () -> Void) {
  var left = count
  while left >= 16 {
    left -= 16
    _ = (change(), change(), change(), change(), change(), change(), change(), change())
    _ = (change(), change(), change(), change(), change(), change(), change(), change())
  }
  while left > 0 {
    left -= 1
    change()
  }
}
