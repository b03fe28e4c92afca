#if DI_PREPAID && (arch(x86_64) || arch(arm64))
  public import Synchronization
#else
  internal import Synchronization
#endif

// How a reader gets a strong reference to an object that a writer may replace at the same moment.
//
// Loading a pointer and then retaining what it points to is two steps, and between them the object may be freed. There
// are two implementations of the one interface below; both are sound, and the same stress and model tests run on both.
//
// - The prepaid bank, where a heap pointer leaves 16 bits of a word free (64-bit Linux). It is at the hardware's floor:
//   one atomic subtraction both announces the reader and hands it a reference.
// - A mutex per object, everywhere else: pointer authentication, memory tagging and tagged pointers use the upper bits.
//   Build with `DI_PORTABLE=1` in the environment to use (and test) it on Linux too.
//
// ## Why the prepaid bank is sound
//
// `word` packs the pointer, 16 bits to the left, with a field for `count`, which is signed: the field holds the count plus
// `zero`. The invariants:
//
// 1. *Paid*: whenever `pointer != 0`, the object's retain count includes `max(count, 0)` references that nobody has
//    taken yet, and one more, the *base*, that is never handed out and that only `exchange` by a writer gives up.
//    Writers (`deposit`, `restock`, `withdraw`) hold the container's lock; there is one of them at a time.
// 2. *Taking*: a reader subtracts one from `count`. If the old count was positive, then by (1) the reference behind it
//    was paid before the word was published, and this subtraction is the only one that saw this old value: the modifi-
//    cation order of one atomic is total. The reader owns it. Whatever a writer does afterwards cannot take it away,
//    because `withdraw` releases exactly the references that its exchange found still untaken.
// 3. *Empty-handed*: if the old count was zero or negative, or the pointer zero, the reader owns nothing and touches
//    nothing. It goes to the container's lock, where it restocks the bank before it does anything else. The drift it
//    caused is at most one per thread between its subtraction and that, so the field does not borrow from the pointer as
//    long as fewer than 16,000 threads are inside `take` at once. An empty word is set back at once.
// 4. *Refilling*: a reader that sees the count run low owns a reference, so the object is alive; it pays for more and
//    adds them only while the word still names this object. Otherwise it gives back what it paid. If the object was
//    replaced and deposited again in between, (1) still holds: paid references were added to that object's count.
//    When readers do that, and whether, does not matter: what they leave to be done, the holder of the lock does.
// 5. *Ordering*: `deposit` is a release and `take` an acquire, so the reader sees the object initialised. `giveBack` and
//    `withdraw` are release/acquire, so a reader's last use happens before the object's destruction by the writer.
//    A subtraction by another reader in between continues the release sequence: it is a read-modify-write.
//
// Readers also note whether they have met: that another one used the bank while they refilled it or had a loan. What they
// note decides only whether the cell gets more banks, see `Cell+Shards.swift`, and is relaxed.
//
// Retains that pay for references stand in functions that are never inlined: the optimiser may sink a plain retain
// below the store that publishes it, a call it may not.

#if DI_PREPAID && (arch(x86_64) || arch(arm64))
  /// A slot for one object from which any number of readers take strong references while a writer may replace it.
  @usableFromInline
  struct ReferenceBank: ~Copyable {
    @usableFromInline
    let word = Atomic<UInt>(0x3F00)

    /// How often readers have met here.
    let meetings: Meetings

    init(isShard: Bool = false) { meetings = Meetings(counting: !isShard) }

    /// How far left the pointer stands of the count.
    @usableFromInline
    static var shift: UInt { 16 }

    /// The bit of the count's field that says that there are enough references for a while.
    ///
    /// It is set from a count of `low` on, and the count never gets so high that it is carried out of.
    @usableFromInline
    static var enough: UInt { 0x4000 }

    /// What the count's field holds for a count of zero: so much that it never borrows from the pointer.
    static var zero: UInt { enough - low }

    /// Whether a pointer leaves the bits free that the count needs.
    static func canHold(_ pointer: UInt) -> Bool { (pointer << shift) >> shift == pointer }

    /// A count below this is refilled by the reader that sees it.
    static var low: UInt { 256 }

    /// From this count on nothing more is given back, so that references which readers keep across refills cannot
    /// overflow it.
    static var high: UInt { enough - low }

    /// How many references are paid at once.
    private static var portion: Int { 1024 }

    /// Takes a reference, or returns nil when the bank is empty or has none to give; then ask under the lock.
    @inlinable
    @inline(__always)
    func take() -> UInt? {
      let old = word.wrappingSubtract(1, ordering: .acquiring).oldValue
      // This one comparison also catches the empty and the overdrawn bank.
      if _fastPath(old & Self.enough != 0) { return old >> Self.shift }
      return takeLast(old)
    }

    /// Ends a `take` that found the bank low, overdrawn or empty.
    @usableFromInline
    @inline(never)
    func takeLast(_ old: UInt) -> UInt? {
      let pointer = old >> Self.shift
      if pointer == 0 {
        // Empty: undo the drift, unless an object has been deposited meanwhile.
        var current = word.load(ordering: .relaxed)
        while current >> Self.shift == 0 {
          let (exchanged, seen) = word.compareExchange(expected: current, desired: Self.zero, ordering: .relaxed)
          if exchanged { break }
          current = seen
        }
        return nil
      }
      guard Self.count(old) > 0 else { return nil }
      // If there is a crowd, the one that finds nothing left makes a cell of several banks.
      if !isCrowded { refill(pointer, after: old &- 1) }
      return pointer
    }

    /// Gives back a reference that `take` returned, cheaper than a release when the bank still holds the same object.
    @usableFromInline
    func giveBack(_ pointer: UInt) {
      let current = word.load(ordering: .relaxed)
      if current >> Self.shift == pointer, (Int(Self.low)..<Int(Self.high)).contains(Self.count(current)), !isCrowded,
        word.compareExchange(expected: current, desired: current &+ 1, ordering: .releasing).exchanged
      {
        return
      }
      releaseReferences(to: pointer, count: 1)
    }

    /// A reference that is going to be given back.
    @usableFromInline
    struct Loan {
      /// The word from which the reference was taken.
      @usableFromInline
      let word: UInt

      @usableFromInline
      init(word: UInt) { self.word = word }

      /// The object.
      @usableFromInline
      var pointer: UInt { word >> ReferenceBank.shift }
    }

    /// Takes a reference in order to give it back, or returns nil as `take` does.
    @inlinable
    @inline(__always)
    func borrow() -> Loan? {
      let old = word.wrappingSubtract(1, ordering: .acquiring).oldValue
      if _fastPath(old & Self.enough != 0) { return Loan(word: old) }
      return takeLast(old) == nil ? nil : Loan(word: old)
    }

    /// Gives back what `borrow` returned.
    ///
    /// If nobody has touched the word meanwhile, which one exchange finds out, it becomes what it was.
    @inlinable
    @inline(__always)
    func giveBack(_ loan: Loan) {
      if word.compareExchange(expected: loan.word &- 1, desired: loan.word, ordering: .releasing).exchanged {
        return
      }
      giveBackLate(loan.pointer)
    }

    /// Gives back what was borrowed from a bank that somebody has used since.
    @usableFromInline
    @inline(never)
    func giveBackLate(_ pointer: UInt) {
      meetings.note()
      giveBack(pointer)
    }

    /// Puts an object into the empty bank.
    ///
    /// The caller holds the container's lock.
    func deposit(_ pointer: UInt) {
      assert(!isFull)
      retainReferences(to: pointer, count: Self.portion + 1)
      word.store(pointer << Self.shift | Self.zero + UInt(Self.portion), ordering: .releasing)
    }

    /// The object in the bank, or 0.
    var object: UInt { word.load(ordering: .relaxed) >> Self.shift }

    /// Pays for new references after readers have left empty-handed.
    ///
    /// The caller holds the container's lock.
    func restock() {
      let current = word.load(ordering: .relaxed)
      // The base reference keeps the object alive: only the holder of the lock withdraws it.
      if current & Self.enough == 0, current >> Self.shift != 0 { refill(current >> Self.shift) }
    }

    /// Empties the bank; what the result stands for must be released once the container's lock is free.
    func withdraw() -> Withdrawal {
      let old = word.exchange(Self.zero, ordering: .acquiringAndReleasing)
      let pointer = old >> Self.shift
      return Withdrawal(pointer: pointer, count: pointer == 0 ? 0 : max(Self.count(old), 0) + 1)
    }

    /// Pays for more references; `last` is what the word was before that, if there is reason to look who has come since.
    private func refill(_ pointer: UInt, after last: UInt? = nil) {
      retainReferences(to: pointer, count: Self.portion)
      var current = word.load(ordering: .relaxed)
      if let last, current != last { meetings.note() }
      while current >> Self.shift == pointer, Self.count(current) <= Int(Self.low) {
        // Below zero stand readers that left empty-handed; they are owed nothing.
        let paid = UInt(max(Self.count(current), 0) + Self.portion)
        let (exchanged, seen) = word.compareExchange(
          expected: current, desired: pointer << Self.shift | Self.zero + paid, ordering: .releasing)
        if exchanged { return }
        current = seen
      }
      releaseReferences(to: pointer, count: Self.portion)
    }

    /// The signed number of references in a word.
    private static func count(_ word: UInt) -> Int { Int(word & 0xFFFF) - Int(zero) }
  }
#else
  /// A slot for one object from which any number of readers take strong references while a writer may replace it.
  ///
  /// The pointer behind the platform's mutex, which is a word and knows about priorities. It is held for one load and one
  /// retain, never while calling out, and no other type needs it.
  @safe
  @usableFromInline
  struct ReferenceBank: ~Copyable {
    private let pointer = Mutex<UInt>(0)

    /// How often readers have met here.
    let meetings: Meetings

    init(isShard: Bool = false) { meetings = Meetings(counting: !isShard) }

    /// Whether a pointer is one to an object, which a tagged pointer may not be.
    static func canHold(_ pointer: UInt) -> Bool { pointer & 7 == 0 }

    /// Takes a reference, or returns nil when the bank is empty or crowded; then ask under the container's lock.
    @usableFromInline
    @inline(never)
    func take() -> UInt? {
      if let taken = pointer.withLockIfAvailable({ Self.retain($0) }) { return taken }
      meetings.note()
      return isCrowded ? nil : pointer.withLock { Self.retain($0) }
    }

    private static func retain(_ pointer: UInt) -> UInt? {
      if pointer == 0 { return nil }
      // Opaque to the optimiser, so that the retain cannot sink below the unlocking.
      retainReferences(to: pointer, count: 1)
      return pointer
    }

    /// Gives back a reference that `take` returned.
    @inlinable
    func giveBack(_ pointer: UInt) {
      releaseReferences(to: pointer, count: 1)
    }

    /// A reference that is going to be given back.
    @usableFromInline
    struct Loan {
      /// The object.
      @usableFromInline
      let pointer: UInt
    }

    /// Takes a reference in order to give it back, or returns nil as `take` does.
    @usableFromInline
    func borrow() -> Loan? {
      take().map { Loan(pointer: $0) }
    }

    /// Gives back what `borrow` returned.
    @usableFromInline
    func giveBack(_ loan: Loan) {
      giveBack(loan.pointer)
    }

    /// Puts an object into the empty bank.
    func deposit(_ object: UInt) {
      retainReferences(to: object, count: 1)
      pointer.withLock { $0 = object }
    }

    /// The object in the bank, or 0.
    var object: UInt { pointer.withLock { $0 } }

    /// Does nothing: this form never runs out.
    func restock() {}

    /// Empties the bank; what the result stands for must be released once the container's lock is free.
    func withdraw() -> Withdrawal {
      let old = pointer.withLock { pointer in
        defer { pointer = 0 }
        return pointer
      }
      return Withdrawal(pointer: old, count: old == 0 ? 0 : 1)
    }
  }
#endif

extension ReferenceBank {
  /// Whether there is an object in the bank.
  var isFull: Bool { object != 0 }

  /// Whether so many threads come here that they need more banks.
  var isCrowded: Bool { meetings.areMany }

  /// Whether an object can be deposited.
  static func canHold(_ object: AnyObject) -> Bool { canHold(pointer(to: object)) }

  /// An object as banks hold it.
  static func pointer(to object: AnyObject) -> UInt {
    unsafe UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }
}

/// Counts how often readers have met at a bank, until they have done so often enough.
struct Meetings: ~Copyable {
  private let count: Atomic<Int32>

  /// - Parameter counting: Whether anything follows from it.
  init(counting: Bool) { count = Atomic(counting ? 0 : -1) }

  /// One may be chance.
  var areMany: Bool { count.load(ordering: .relaxed) >= 16 }

  /// Counts one more.
  func note() {
    if count.load(ordering: .relaxed) >= 0 && !areMany { count.wrappingAdd(1, ordering: .relaxed) }
  }
}

/// References that a writer took out of a bank and that have to be released outside every lock.
struct Withdrawal {
  private(set) var pointer: UInt
  private(set) var count: Int

  /// Takes over the references of another withdrawal of the same object.
  mutating func add(_ other: Withdrawal) {
    assert(pointer == 0 || other.pointer == 0 || pointer == other.pointer)
    if pointer == 0 { pointer = other.pointer }
    count += other.count
  }

  /// Releases the references; this may run the object's `deinit`.
  consuming func release() {
    if count > 0 { releaseReferences(to: pointer, count: count) }
  }
}

/// Retains the object at `pointer` `count` times.
@usableFromInline
@inline(never)
func retainReferences(to pointer: UInt, count: Int) {
  // Sound: every caller owns or locks in a reference to the object, so it is alive.
  let object = unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
  for _ in 0..<count / 16 {
    // In a row they become one addition to the reference count.
    _ = unsafe object.retain().retain().retain().retain().retain().retain().retain().retain()
      .retain().retain().retain().retain().retain().retain().retain().retain()
  }
  for _ in 0..<count % 16 { _ = unsafe object.retain() }
}

/// Releases the object at `pointer` `count` times, of which the caller owns all.
@usableFromInline
@inline(never)
func releaseReferences(to pointer: UInt, count: Int) {
  // Sound: the caller owns `count` references and gives all of them up.
  let object = unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
  for _ in 0..<count / 16 {
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
    unsafe object.release()
  }
  for _ in 0..<count % 16 { unsafe object.release() }
}
