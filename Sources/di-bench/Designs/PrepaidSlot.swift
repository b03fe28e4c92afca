internal import DependencyInjection
internal import Synchronization

/// Prepaid references: the writer retains the instance many times in advance, and one subtraction hands out a reference.
///
/// A small version of the library's `AtomicReference` in one word, which has the whole argument and is not visible here. The word
/// packs `count << 48 | pointer`, the count signed. Sound: the instance's reference count always includes the
/// references that the word counts and one more. The subtraction that finds a positive count is the only one that
/// finds that value, so the reference behind it is the reader's, whatever the writer does afterwards: its exchange says
/// exactly which references are left, and only those are released. A reader that finds none owns nothing, touches
/// nothing, and has the count restored under the lock that `replace` holds too.
struct PrepaidSlot: Slot, ~Copyable {
  static let name = "prepaid-bank"

  private static var one: UInt { 1 << 48 }
  private static var low: Int { 256 }
  private static var high: UInt { 16_384 }
  private static var portion: Int { 1024 }

  private let word: Atomic<UInt>
  private let writers = Locked(())

  init(_ instance: Specimen) {
    word = Atomic(Self.pay(instance))
  }

  deinit { Self.withdraw(word.load(ordering: .acquiring)) }

  func take() -> Specimen { Reference.owned(takeAddress()) }

  /// Takes a reference; the caller owns it.
  @inline(__always)
  func takeAddress() -> UInt {
    // Acquiring: the instance was initialized before `pay` published it.
    let old = word.wrappingSubtract(Self.one, ordering: .acquiring).oldValue
    if _fastPath(Int(bitPattern: old) >= Self.low << 48) { return old & (Self.one - 1) }
    return takeLast(old)
  }

  /// Gives back a reference that was taken.
  @inline(__always)
  func giveBack(_ address: UInt) {
    let current = word.load(ordering: .relaxed)
    if current & (Self.one - 1) == address, Int(bitPattern: current) >= Self.low << 48, current < Self.high << 48,
      word.compareExchange(expected: current, desired: current &+ Self.one, ordering: .releasing).exchanged
    {
      return
    }
    Reference.release(address)
  }

  func replace(with instance: Specimen) {
    let new = Self.pay(instance)
    // Acquiring and releasing: what readers did before they gave back comes before what `deinit` does.
    let old = writers.withLock { _ in word.exchange(new, ordering: .acquiringAndReleasing) }
    Self.withdraw(old)
  }

  @inline(never)
  private func takeLast(_ old: UInt) -> UInt {
    let address = old & (Self.one - 1)
    if Self.count(old) > 0 {
      refill(address)
      return address
    }
    // Under the lock nobody withdraws the one reference that is never handed out.
    writers.withLock { _ in refill(word.load(ordering: .relaxed) & (Self.one - 1)) }
    return takeAddress()
  }

  /// Pays for more references; the caller knows the instance to be alive.
  private func refill(_ address: UInt) {
    Reference.retain(address, count: Self.portion)
    var current = word.load(ordering: .relaxed)
    while current & (Self.one - 1) == address, Self.count(current) <= Self.low {
      let paid = UInt(max(Self.count(current), 0) + Self.portion)
      let (isPaid, seen) = word.compareExchange(
        expected: current, desired: paid << 48 | address, ordering: .releasing)
      if isPaid { return }
      current = seen
    }
    Reference.release(address, count: Self.portion)
  }

  private static func pay(_ instance: Specimen) -> UInt {
    let address = Reference.address(of: instance)
    precondition(address < one, "A pointer leaves no room for a count.")
    Reference.retain(address, count: portion)
    Reference.retain(address)
    return UInt(portion) << 48 | address
  }

  private static func withdraw(_ old: UInt) {
    Reference.release(old & (one - 1), count: max(count(old), 0) + 1)
  }

  private static func count(_ word: UInt) -> Int { Int(bitPattern: word) >> 48 }
}
