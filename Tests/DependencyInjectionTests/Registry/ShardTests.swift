internal import Synchronization
internal import Testing

@testable internal import DependencyInjection

/// What threads resolve at the same moment: each is kept in another kind of cell.
private struct Contended: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let register: @Sendable (DIContainer) -> Void
  let resolve: @Sendable (DIContainer) -> Void
  let hasShards: @Sendable (DIContainer) -> Bool

  init<Value>(
    _ description: String, _ type: Value.Type, _ register: @escaping @Sendable (DIContainer) -> Void
  ) {
    testDescription = description
    self.register = register
    resolve = { _ = $0.resolve(Value.self) }
    hasShards = { container in
      let key = Key(Value.self).word
      let cell = unsafe container.table.cell(at: key)
      return unsafe cell.pointee.key == key && cell.pointee.shards.load(ordering: .relaxed) != 0
    }
  }

  static let all: [Contended] = [
    Contended("Shared class", (any Router).self) { $0.register(Shared(RouterImpl() as any Router)) },
    Contended("Shared struct in a box", [String].self) { $0.register(Shared(["one", "two"])) },
    Contended("New", RouterImpl.self) { $0.register(New(RouterImpl())) },
  ]
}

@Suite("Shards", .timeLimit(.minutes(20)))
struct ShardTests {
  /// A table with a lock as a container has it, and one cell in it that has shards.
  final class Holder: @unchecked Sendable {
    // Unchecked: the table is made for many readers, and changed under the lock.
    let table = ResolveTable()
    let lock = Locked(())
    let key: UInt = 16

    /// The cell, once something has been put in.
    var cell: UnsafeMutablePointer<Cell> { unsafe table.cell(at: key) }

    func put(_ tracked: Tracked) { lock.withLock { _ in table.put(Cell.layOut(tracked), at: key) } }
    func split() { lock.withLock { _ in unsafe cell.pointee.split() } }
    func clear() -> Withdrawal { lock.withLock { _ in table.clear(key) } }
    func restock() { lock.withLock { _ in unsafe cell.pointee.restock() } }
    func take() -> UInt? { unsafe Cell.bank(of: cell).pointee.take() }
    func giveBack(_ pointer: UInt) { unsafe Cell.bank(of: cell).pointee.giveBack(pointer) }
    func borrow() -> ReferenceBank.Loan? { unsafe Cell.bank(of: cell).pointee.borrow() }
    func giveBack(_ loan: ReferenceBank.Loan) { unsafe Cell.bank(of: cell).pointee.giveBack(loan) }

    /// Whether there are shards.
    var isSplit: Bool { unsafe cell.pointee.shards.load(ordering: .relaxed) != 0 }

    #if DI_PREPAID
      /// Two readers take, and each of them finds that the bank has to be refilled.
      func meetTaking() {
        var pointers: [UInt] = []
        while unsafe cell.pointee.bank.word.load(ordering: .relaxed) & ReferenceBank.enough != 0 {
          pointers.append(take()!)
        }
        let old = unsafe cell.pointee.bank.word.wrappingSubtract(1, ordering: .acquiring).oldValue
        pointers.append(take()!)
        unsafe pointers.append(cell.pointee.bank.takeLast(old)!)
        for pointer in pointers { releaseReferences(to: pointer, count: 1) }
      }

      /// A reader that gives back finds that another one has been there since it borrowed.
      func meetGivingBack() {
        let loan = borrow()!
        let pointer = take()!
        giveBack(loan)
        releaseReferences(to: pointer, count: 1)
      }
    #endif

    /// How many shards there are with something in them.
    var fullShards: Int {
      lock.withLock { _ in
        var count = 0
        unsafe cell.pointee.forEachShard { if $0.isFull { count += 1 } }
        return count
      }
    }
  }

  private static func isIntact(_ pointer: UInt) -> Bool {
    unsafe Unmanaged<Tracked>.fromOpaque(UnsafeRawPointer(bitPattern: pointer)!)
      ._withUnsafeGuaranteedRef { $0.token.isIntact }
  }

  #if DI_PREPAID
    @Test("Readers that meet often enough when they take or give back get shards")
    func counted() {
      for takes in [true, false] {
        let counter = LifetimeCounter()
        let holder = Holder()
        do { holder.put(Tracked(counter)) }
        for meeting in 1...16 {
          #expect(!holder.isSplit, "meeting \(meeting)")
          if takes { holder.meetTaking() } else { holder.meetGivingBack() }
          holder.restock()
        }
        #expect(holder.isSplit)
        #expect(counter.alive == 1)
        holder.clear().release()
        #expect(counter.alive == 0)
      }
    }
  #endif

  // Not under the thread sanitizer, where on two busy cores they seldom run at the same moment.
  @Test(
    "Threads that go on meeting at a type get shards for it",
    .enabled(if: coreCount > 1 && !isSanitized, "threads of one core meet by chance only"), arguments: Contended.all)
  fileprivate func meeting(subject: Contended) {
    let container = DIContainer()
    subject.register(container)
    // By the clock, because on a busy machine that takes its time.
    let end = ContinuousClock.now + .seconds(180)
    let isSplit = onThreads(4) { _ in
      while !subject.hasShards(container) {
        if ContinuousClock.now > end { return false }
        for _ in 0..<1_000 { subject.resolve(container) }
      }
      return true
    }
    #expect(isSplit == [true, true, true, true])
  }

  @Test("A thread that is alone, and threads that come one after the other, need no shards", arguments: Contended.all)
  fileprivate func alone(subject: Contended) {
    let container = DIContainer()
    subject.register(container)
    for _ in 0..<100_000 { subject.resolve(container) }
    for _ in 0..<50 { onAnotherThread { for _ in 0..<2_000 { subject.resolve(container) } } }
    #expect(!subject.hasShards(container))
  }

  @Test("Each thread fills its own shard with the one instance, and emptying the cell counts what is left in all")
  func sum() {
    let counter = LifetimeCounter()
    let holder = Holder()
    do { holder.put(Tracked(counter)) }
    holder.split()
    let taken = onThreads(16) { index -> [UInt] in
      (0..<index * 20).map { _ in
        while true {
          if let pointer = holder.take() { return pointer }
          holder.restock()
        }
      }
    }
    let all = taken.joined()
    #expect(all.count == 2_400)
    #expect(Set(all).count == 1)
    #expect(holder.fullShards > 1, "threads differ in where their stacks are")
    let withdrawal = holder.clear()
    #expect(holder.fullShards == 0)
    #expect(unsafe !holder.cell.pointee.isFull)
    #expect(counter.alive == 1)
    withdrawal.release()
    for pointer in all.dropLast() { releaseReferences(to: pointer, count: 1) }
    #expect(counter.alive == 1, "the reference that is still out keeps it")
    releaseReferences(to: all.last!, count: 1)
    #expect(counter.alive == 0)
  }

  @Test("What is given back to another bank than it is from is counted once, and released with the rest")
  func giveBackElsewhere() {
    let counter = LifetimeCounter()
    let holder = Holder()
    do { holder.put(Tracked(counter)) }
    // Before there are shards, from the first bank; afterwards to a shard that is empty, and to one that is full.
    let pointers = (0..<10).map { _ in holder.take()! }
    let loans = (0..<10).map { _ in holder.borrow()! }
    holder.split()
    for pointer in pointers.prefix(5) { holder.giveBack(pointer) }
    for loan in loans.prefix(5) { holder.giveBack(loan) }
    holder.restock()
    for pointer in pointers.suffix(5) { holder.giveBack(pointer) }
    for loan in loans.suffix(5) { holder.giveBack(loan) }
    #expect(counter.alive == 1)
    holder.clear().release()
    #expect(counter.alive == 0)
  }

  @Test(
    "Where the border between two shards' parts of the stack is in the way, both are filled, and each once",
    .disabled(if: hasAddressSanitizer, "Its frames are larger than the distance that is searched."))
  func border() {
    let counter = LifetimeCounter()
    let slow = onThreads(8) { _ in
      var containers: [DIContainer] = []
      return Self.descend(to: nil, counter, &containers)
    }
    #expect(slow == Array(repeating: 0, count: 8), "resolves that had to ask the registry again")
    #expect(counter.created == 8 * 400)
    #expect(eventually { counter.alive == 0 }, "a thread may still be about to let go of containers")
  }

  /// Goes down the stack beyond the next border, and resolves there, and then on the way back from all around it.
  ///
  /// - Returns: How often a shard was empty although it had been asked before.
  @inline(never)
  private static func descend(to end: UInt?, _ counter: LifetimeCounter, _ containers: inout [DIContainer]) -> Int {
    // Of a size that the compiler does not know, because a variable is not on the stack with the address sanitizer.
    let address = unsafe withUnsafeTemporaryAllocation(byteCount: containers.count % 2 + 1, alignment: 1) { memory in
      UInt(bitPattern: memory.baseAddress!)
    }
    let border = end ?? address & ~0x3_FFFF
    var slow = 0
    if address + 8192 < border {
      containers = (0..<400).map { _ in
        let container = DIContainer()
        container.register(Shared(Tracked(counter)))
        _ = container.resolve(Tracked.self)
        container.state.withLock { _ in unsafe container.table.cell(at: Key(Tracked.self).word).pointee.split() }
        _ = container.resolve(Tracked.self)
        return container
      }
    } else {
      slow = descend(to: border, counter, &containers)
    }
    if address < border + 16384, let container = containers.popLast() {
      _ = container.resolve(Tracked.self)
      if !isAnsweredByShard(container) { slow += 1 }
      container.unregister(Tracked.self)
    }
    return slow
  }

  /// Whether a resolve takes a reference from a shard, which only one of the two forms of a bank tells.
  private static func isAnsweredByShard(_ container: DIContainer) -> Bool {
    let cell = unsafe container.table.cell(at: Key(Tracked.self).word)
    func references() -> UInt {
      var count: UInt = 0
      #if DI_PREPAID
        unsafe cell.pointee.forEachShard { count += $0.word.load(ordering: .relaxed) & 0xFFFF }
      #else
        unsafe cell.pointee.forEachShard { count += $0.isFull ? 1 : 0 }
      #endif
      return count
    }
    let before = references()
    _ = container.resolve(Tracked.self)
    #if DI_PREPAID
      return references() == before - 1
    #else
      return references() == before
    #endif
  }

  @Test("A cell with shards can be emptied and filled again, and its table frees it", arguments: [false, true])
  func again(isFullAtTheEnd: Bool) {
    let counter = LifetimeCounter()
    do {
      let holder = Holder()
      for _ in 0..<20 {
        do { holder.put(Tracked(counter)) }
        holder.split()
        onThreads(4) { _ in holder.restock() }
        #expect(counter.alive == 1)
        holder.clear().release()
        #expect(counter.alive == 0)
        #expect(holder.take() == nil)
        holder.restock()
        #expect(holder.take() == nil, "there is nothing to restock it with")
      }
      if isFullAtTheEnd { holder.put(Tracked(counter)) }
    }
    #expect(eventually { counter.alive == 0 }, "the last thread may still be about to let go of the table")
  }

  @Test("Threads take, lend and give back while one replaces: all is accounted for", arguments: ModelSeeds.seeds(4))
  func race(seed: UInt64) {
    let counter = LifetimeCounter()
    let holder = Holder()
    do { holder.put(Tracked(counter)) }
    let isDone = Flag()
    let broken = onThreads(5) { index -> Int in
      var generator = RepeatableGenerator(seed: seed << 8 | UInt64(index))
      var broken = 0
      var kept: [UInt] = []
      var alive = 0
      for round in 0..<800 where index == 0 {
        // Some rounds in, so that readers meet the split as well.
        if round == 100 { holder.split() }
        holder.clear().release()
        do { holder.put(Tracked(counter)) }
        // Not more than the readers can have kept, or have in hand at this moment.
        alive = max(alive, counter.alive)
        if Int.random(in: 0..<4, using: &generator) == 0 { letOthersRun() }
      }
      if index == 0 {
        isDone.set()
        return alive > 1 + 4 * 18 ? alive : 0
      }
      while !isDone.isSet {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          guard let loan = holder.borrow() else { continue }
          if !Self.isIntact(loan.pointer) { broken += 1 }
          holder.giveBack(loan)
        case 1:
          if let pointer = kept.popLast() { holder.giveBack(pointer) }
        case 2 where kept.count >= 16:
          releaseReferences(to: kept.removeFirst(), count: 1)
        default:
          guard let pointer = holder.take() else {
            holder.restock()
            continue
          }
          kept.append(pointer)
        }
        if let pointer = kept.last, !Self.isIntact(pointer) { broken += 1 }
        if kept.count > 16 { releaseReferences(to: kept.removeFirst(), count: 1) }
      }
      for pointer in kept { releaseReferences(to: pointer, count: 1) }
      return broken
    }
    #expect(broken == [0, 0, 0, 0, 0], "seed \(seed)")
    #expect(counter.created == 801, "seed \(seed)")
    #expect(counter.alive == 1, "seed \(seed)")
    holder.clear().release()
    #expect(counter.alive == 0, "seed \(seed): DI_MODEL_SEED=\(seed) swift test --filter ShardTests")
  }
}
