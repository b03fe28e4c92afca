internal import Synchronization
internal import Testing

@testable internal import DependencyInjection

@Suite("ReferenceBank")
struct ReferenceBankTests {
  /// A bank in memory of its own, as in a cell.
  final class Holder: @unchecked Sendable {
    // Unchecked: the bank is made for concurrent use; tests lock where a container would.
    let bank = ReferenceBank()
    let lock = Locked(())

    var isFull: Bool { bank.isFull }
    func take() -> UInt? { bank.take() }
    func giveBack(_ pointer: UInt) { bank.giveBack(pointer) }
    func deposit(_ object: AnyObject) { bank.deposit(ReferenceBank.pointer(to: object)) }
    func restock() { bank.restock() }
    func withdraw() -> Withdrawal { bank.withdraw() }

    #if DI_PREPAID && (arch(x86_64) || arch(arm64))
      var word: UInt { bank.word.load(ordering: .relaxed) }
      var pointer: UInt { word >> ReferenceBank.shift }

      /// Subtracts as readers do that have not come to the end of `take`.
      func overdraw(_ count: Int) {
        for _ in 0..<count { bank.word.wrappingSubtract(1, ordering: .relaxed) }
      }
    #endif
  }

  private func release(_ pointer: UInt, _ count: Int = 1) {
    releaseReferences(to: pointer, count: count)
  }

  @Test("An empty bank gives nothing, however often it is asked")
  func empty() {
    let bank = Holder()
    for _ in 0..<100_000 { #expect(bank.take() == nil) }
    #expect(!bank.isFull)
    let withdrawal = bank.withdraw()
    #expect(withdrawal.count == 0)
    withdrawal.release()
  }

  @Test(
    "What was deposited is taken, and released by whoever took it",
    arguments: [0, 1, 10, 700, 767, 768, 769, 1_023, 1_024])
  func take(count: Int) {
    let counter = LifetimeCounter()
    let bank = Holder()
    do { bank.deposit(Tracked(counter)) }
    #expect(bank.isFull)
    let taken = (0..<count).compactMap { _ in bank.take() }
    #expect(taken.count == count)
    #expect(Set(taken).count == min(count, 1))
    bank.withdraw().release()
    #expect(!bank.isFull)
    #expect(counter.alive == (count > 0 ? 1 : 0))
    for pointer in taken { release(pointer) }
    #expect(counter.alive == 0)
  }

  @Test("References given back are not lost, before and after the bank has been emptied", arguments: [false, true])
  func giveBack(afterwards: Bool) {
    let counter = LifetimeCounter()
    let bank = Holder()
    do { bank.deposit(Tracked(counter)) }
    let taken = (0..<500).compactMap { _ in bank.take() }
    if afterwards { bank.withdraw().release() }
    #expect(counter.alive == 1)
    for pointer in taken { bank.giveBack(pointer) }
    #expect(counter.alive == (afterwards ? 0 : 1))
    if !afterwards { bank.withdraw().release() }
    #expect(counter.alive == 0)
  }

  @Test("Far more can be taken than was paid for at first: readers refill it")
  func refill() {
    let counter = LifetimeCounter()
    let bank = Holder()
    do { bank.deposit(Tracked(counter)) }
    var taken = 0
    var pointer: UInt = 0
    for _ in 0..<100_000 {
      guard let next = bank.take() else { continue }
      pointer = next
      taken += 1
    }
    #expect(taken == 100_000, "one thread alone is never refused")
    bank.withdraw().release()
    #expect(counter.alive == 1)
    release(pointer, taken)
    #expect(counter.alive == 0)
  }

  #if DI_PREPAID && (arch(x86_64) || arch(arm64))
    @Test("A bank that was overdrawn refuses, is restocked, and owes nobody anything", arguments: [0, 1, 5, 1_000])
    func overdrawn(excess: Int) {
      let counter = LifetimeCounter()
      let bank = Holder()
      do { bank.deposit(Tracked(counter)) }
      // As if so many readers had subtracted before any of them could refill.
      bank.overdraw(1_024 + excess)
      let pointer = bank.pointer
      #expect(bank.take() == nil)
      #expect(bank.isFull)
      bank.restock()
      #expect(bank.take() == pointer)
      bank.withdraw().release()
      release(pointer, 1_024)
      #expect(counter.alive == 1)
      release(pointer)
      #expect(counter.alive == 0)
    }

    @Test("An overdrawn bank can be emptied without being restocked")
    func overdrawnAndWithdrawn() {
      let counter = LifetimeCounter()
      let bank = Holder()
      do { bank.deposit(Tracked(counter)) }
      bank.overdraw(1_100)
      let pointer = bank.pointer
      let withdrawal = bank.withdraw()
      #expect(withdrawal.count == 1)
      withdrawal.release()
      #expect(counter.alive == 1)
      release(pointer, 1_024)
      #expect(counter.alive == 0)
    }

    @Test("Restocking a bank that is not low changes nothing")
    func restockFull() {
      let counter = LifetimeCounter()
      let bank = Holder()
      do { bank.deposit(Tracked(counter)) }
      let word = bank.word
      bank.restock()
      #expect(bank.word == word)
      bank.withdraw().release()
      #expect(counter.alive == 0)
    }

    @Test("A bank in which nothing is restocks to nothing, and drift does not survive a deposit")
    func driftOfEmpty() {
      let counter = LifetimeCounter()
      let bank = Holder()
      bank.overdraw(10)
      bank.restock()
      #expect(!bank.isFull)
      do { bank.deposit(Tracked(counter)) }
      let withdrawal = bank.withdraw()
      #expect(withdrawal.count == 1_025)
      withdrawal.release()
      #expect(counter.alive == 0)
    }

    @Test("References that are kept while the bank is refilled many times can all be given back")
    func overflow() {
      let counter = LifetimeCounter()
      let bank = Holder()
      do { bank.deposit(Tracked(counter)) }
      let taken = (0..<40_000).compactMap { _ in bank.take() }
      for pointer in taken { bank.giveBack(pointer) }
      bank.withdraw().release()
      #expect(counter.alive == 0)
    }
  #endif

  @Test(
    "Threads take while one deposits and withdraws: nobody gets a dead object and none is left",
    .timeLimit(.minutes(20)))
  func race() {
    let counter = LifetimeCounter()
    let holder = Holder()
    let isDone = Flag()
    let results = onThreads(4) { index -> (taken: Int, broken: Int) in
      var result = (taken: 0, broken: 0)
      if index == 0 {
        for _ in 0..<5_000 {
          do {
            let tracked = Tracked(counter)
            holder.lock.withLock { _ in holder.deposit(tracked) }
          }
          holder.lock.withLock { _ in holder.bank.restock() }
          holder.lock.withLock { _ in holder.bank.withdraw() }.release()
        }
        isDone.set()
        return result
      }
      while !isDone.isSet {
        guard let pointer = holder.take() else {
          holder.lock.withLock { _ in holder.restock() }
          continue
        }
        result.taken += 1
        let isIntact = unsafe Unmanaged<Tracked>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
          ._withUnsafeGuaranteedRef { $0.token.isIntact }
        if !isIntact { result.broken += 1 }
        if result.taken % 2 == 0 { holder.bank.giveBack(pointer) } else { releaseReferences(to: pointer, count: 1) }
      }
      return result
    }
    #expect(results.allSatisfy { $0.broken == 0 })
    #expect(counter.created == 5_000)
    #expect(counter.alive == 0)
  }
}
