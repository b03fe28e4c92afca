internal import Synchronization
internal import Testing

@testable internal import DependencyInjection

/// What threads resolve at the same moment: each is kept in another kind of cell.
private struct Contended: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let register: @Sendable (DIContainer) -> Void
  let resolve: @Sendable (DIContainer) -> Void
  let cell: @Sendable (DIContainer) -> StablePointer<Cell>

  init<Value>(
    _ description: String, _ type: Value.Type, _ register: @escaping @Sendable (DIContainer) -> Void
  ) {
    testDescription = description
    self.register = register
    resolve = { _ = $0.resolve(Value.self) }
    cell = { $0.table.pointee.cell(for: Key(Value.self).word) }
  }

  func hasShards(_ container: DIContainer) -> Bool { cell(container).pointee.shards.load(ordering: .relaxed) != 0 }

  static let all: [Contended] = [
    Contended("Shared class", (any Router).self) { $0.register(Shared(RouterImpl() as any Router)) },
    Contended("Shared struct in a box", [String].self) { $0.register(Shared(["one", "two"])) },
    Contended("New", RouterImpl.self) { $0.register(New(RouterImpl())) },
  ]
}

@Suite("Shards", .timeLimit(.minutes(20)))
struct ShardTests {
  /// A container with one cell in its table that has shards; the test changes the table by itself.
  final class Holder: Sendable {
    let container = DIContainer()
    let lock = Locked(())
    let key: UInt = 16

    var table: StablePointer<ResolveTable> { container.table }

    /// The cell, once something has been put in.
    var cell: StablePointer<Cell> { table.pointee.cell(for: key) }

    func put(_ tracked: Tracked) { lock.withLock { _ in table.pointee.put(CellLayout(tracked), for: key) } }
    func addShards() { lock.withLock { _ in cell.pointee.addShards() } }
    func clear() -> UnclaimedReferences { lock.withLock { _ in table.pointee.clear(key) } }
    func replenish() { lock.withLock { _ in cell.pointee.replenish() } }
    func claim() -> Loan? {
      let reference = cell.pointee.currentReference
      return reference.pointee.claim(with: { () }).map { Loan(claim: $0.claim, reference: reference) }
    }

    var isFull: Bool { lock.withLock { _ in cell.pointee.isFull } }
    var number: Int? { container.value(in: cell) }

    /// Whether there are shards.
    var isSplit: Bool { cell.pointee.shards.load(ordering: .relaxed) != 0 }

    /// How many shards there are with something in them.
    var fullShards: Int {
      lock.withLock { _ in
        var count = 0
        cell.pointee.forEachShard { if $0.isFull { count += 1 } }
        return count
      }
    }
  }

  /// A claimed reference, and where it was claimed: the generations of another shard are others.
  struct Loan {
    let claim: AtomicReference.Claim
    let reference: StablePointer<AtomicReference>

    var isIntact: Bool { unsafe claim.object(as: Tracked.self)._withUnsafeGuaranteedRef { $0.token.isIntact } }

    func giveBack() { reference.pointee.giveBack(claim) }

    func release() { UnclaimedReferences(address: claim.address, count: 1).release() }
  }

  @Test("Readers that get into each other's way often enough get shards")
  func counted() throws {
    let counter = LifetimeCounter()
    let holder = Holder()
    do { holder.put(Tracked(counter)) }
    for meeting in 1...16 {
      #expect(!holder.isSplit, "meeting \(meeting)")
      let first = try #require(holder.claim())
      let second = try #require(holder.claim())
      // The word is not what it was after the first claim.
      first.giveBack()
      second.release()
      holder.replenish()
    }
    #expect(holder.isSplit)
    #expect(counter.alive == 1)
    holder.clear().release()
    #expect(counter.alive == 0)
  }

  @Test("A cell in which threads have met often gets shards when no reference is left", arguments: Contended.all)
  fileprivate func contended(subject: Contended) {
    let container = DIContainer()
    subject.register(container)
    subject.resolve(container)
    subject.resolve(container)
    let cell = subject.cell(container)
    var claims: [Loan] = []
    func drain() {
      let reference = cell.pointee.currentReference
      while let claim = reference.pointee.claim(with: { () })?.claim {
        claims.append(Loan(claim: claim, reference: reference))
      }
    }
    for _ in 1..<16 { cell.pointee.reference.noteContention() }
    for _ in 0..<2_000 { subject.resolve(container) }
    #expect(!subject.hasShards(container))
    cell.pointee.reference.noteContention()
    drain()
    #expect(!subject.hasShards(container), "only under the lock")
    subject.resolve(container)
    #expect(subject.hasShards(container))
    subject.resolve(container)
    for claim in claims { claim.release() }
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
    holder.addShards()
    let taken = onThreads(16) { index -> [Loan] in
      (0..<index * 20).map { _ in
        while true {
          if let pointer = holder.claim() { return pointer }
          holder.replenish()
        }
      }
    }
    let all = Array(taken.joined())
    #expect(all.count == 2_400)
    #expect(Set(all.map(\.claim.address)).count == 1)
    #expect(holder.fullShards > 1, "threads differ in where their stacks are")
    let withdrawal = holder.clear()
    #expect(holder.fullShards == 0)
    #expect(!holder.isFull)
    #expect(counter.alive == 1)
    withdrawal.release()
    for pointer in all.dropLast() { pointer.release() }
    #expect(counter.alive == 1, "the reference that is still out keeps it")
    all[all.count - 1].release()
    #expect(counter.alive == 0)
  }

  @Test("What is given back after its cell has got shards is counted once, and released with the rest")
  func giveBackLater() {
    let counter = LifetimeCounter()
    let holder = Holder()
    do { holder.put(Tracked(counter)) }
    // Before there are shards; afterwards nothing is where they are from.
    let pointers = (0..<10).map { _ in holder.claim()! }
    let loans = (0..<10).map { _ in holder.claim()! }
    holder.addShards()
    for pointer in pointers.prefix(5) { pointer.giveBack() }
    for loan in loans.prefix(5) { loan.giveBack() }
    holder.replenish()
    for pointer in pointers.suffix(5) { pointer.giveBack() }
    for loan in loans.suffix(5) { loan.giveBack() }
    #expect(counter.alive == 1)
    holder.clear().release()
    #expect(counter.alive == 0)
  }

  @Test("A trivial value in a cell that has got shards from a factory is found")
  func trivial() {
    let holder = Holder()
    holder.lock.withLock { _ in holder.table.pointee.put(CellLayout(Box(7)), for: holder.key) }
    holder.addShards()
    holder.clear().release()
    holder.lock.withLock { _ in holder.table.pointee.put(CellLayout(42), for: holder.key) }
    #expect(holder.number == 42)
    #expect(holder.isFull)
    holder.clear().release()
    #expect(holder.number == nil)
  }

  @Test("A cell with shards can be emptied and filled again, and its table frees it", arguments: [false, true])
  func again(isFullAtTheEnd: Bool) {
    let counter = LifetimeCounter()
    do {
      let holder = Holder()
      for _ in 0..<20 {
        do { holder.put(Tracked(counter)) }
        holder.addShards()
        onThreads(4) { _ in holder.replenish() }
        #expect(counter.alive == 1)
        holder.clear().release()
        #expect(counter.alive == 0)
        #expect(holder.claim() == nil)
        holder.replenish()
        #expect(holder.claim() == nil, "there is nothing to restock it with")
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
      var kept: [Loan] = []
      var alive = 0
      for round in 0..<800 where index == 0 {
        // Some rounds in, so that readers meet the split as well.
        if round == 100 { holder.addShards() }
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
          guard let loan = holder.claim() else { continue }
          if !loan.isIntact { broken += 1 }
          loan.giveBack()
        case 1:
          if let pointer = kept.popLast() { pointer.giveBack() }
        case 2 where kept.count >= 16:
          kept.removeFirst().release()
        default:
          guard let pointer = holder.claim() else {
            holder.replenish()
            continue
          }
          kept.append(pointer)
        }
        if let pointer = kept.last, !pointer.isIntact { broken += 1 }
        if kept.count > 16 { kept.removeFirst().release() }
      }
      for pointer in kept { pointer.release() }
      return broken
    }
    #expect(broken == [0, 0, 0, 0, 0], "seed \(seed)")
    #expect(counter.created == 801, "seed \(seed)")
    #expect(counter.alive == 1, "seed \(seed)")
    holder.clear().release()
    #expect(counter.alive == 0, "seed \(seed): DI_MODEL_SEED=\(seed) swift test --filter ShardTests")
  }
}
