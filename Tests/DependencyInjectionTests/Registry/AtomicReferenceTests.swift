internal import Synchronization
internal import Testing

@testable internal import DependencyInjection

struct AtomicReferenceTests {
  /// A reference in memory of its own, as in a cell.
  final class Holder: @unchecked Sendable {
    // Unchecked: the reference is made for concurrent use; tests lock where a container would.
    let reference = AtomicReference(tag: 0)
    let lock = Locked(())

    var isFull: Bool { reference.isFull }
    var count: Int { Int(reference.word.load(ordering: .relaxed) & 0xFFFF) }
    func claim() -> AtomicReference.Claim? {
      while let claim = reference.prepare() {
        if !reference.commit(claim) { continue }
        reference.refillIfLow(after: claim)
        return claim
      }
      return nil
    }
    func prepare() -> AtomicReference.Claim? { reference.prepare() }
    func commit(_ claim: AtomicReference.Claim) -> Bool { reference.commit(claim) }
    func store(_ object: AnyObject) { reference.store(Unowned(object), tag: 1) }
    func clear() { reference.clear(tag: 2) }
  }

  private func release(_ claim: AtomicReference.Claim, _ count: Int = 1) {
    for _ in 0..<count {
      unsafe Unmanaged<AnyObject>.fromOpaque(UnsafeRawPointer(bitPattern: claim.address)!).release()
    }
  }

  @Test("An empty reference gives nothing, and a claim that was prepared before a change fails")
  func empty() throws {
    let holder = Holder()
    #expect((0..<10_000).allSatisfy { _ in holder.claim() == nil && holder.prepare() == nil })
    holder.reference.replenish()
    #expect(!holder.isFull)
    holder.clear()
    #expect(!holder.isFull)
    // A claim that was prepared before a change fails, also if the same object is stored again.
    do {
      let counter = LifetimeCounter()
      let holder = Holder()
      let tracked = Tracked(counter)
      holder.store(tracked)
      let claim = try #require(holder.prepare())
      holder.clear()
      #expect(!holder.commit(claim))
      holder.store(tracked)
      #expect(!holder.commit(claim))
      let next = try #require(holder.claim())
      #expect(next.address == claim.address)
      release(next)
      holder.clear()
    }
    // So do values without an object that change while they are read.
    holder.reference.store(nil, tag: 3)
    #expect(holder.reference.load(3) { 1 } == 1)
    let torn: Int? = holder.reference.load(3) {
      holder.clear()
      holder.reference.store(nil, tag: 3)
      return 1
    }
    #expect(torn == nil)
  }

  @Test("The tag is that of the last store or removal, whatever readers claim and give back in between")
  func tag() throws {
    let holder = Holder()
    func tag() -> UInt8 { AtomicReference.tag(of: holder.reference.word.load(ordering: .relaxed)) }
    #expect(tag() == 0)
    holder.reference.clear(tag: 7)
    #expect(tag() == 7 && !holder.isFull && holder.prepare() == nil)
    for _ in 0..<100 {
      holder.store(Tracked(LifetimeCounter()))
      let claim = try #require(holder.claim())
      #expect(AtomicReference.tag(of: claim.word) == 1 && tag() == 1)
      holder.reference.giveBack(claim)
      #expect(tag() == 1)
      holder.clear()
      #expect(tag() == 2)
    }
    holder.reference.store(nil, tag: 3)
    #expect(holder.reference.load(4) { 1 } == nil && holder.reference.load(3) { 1 } == 1)
  }

  @Test(
    "References to what is stored are claimed, and released by whoever has claimed them",
    arguments: [0, 1, 8, 9, 10, 137, 138, 139, 1_024, 5_000])
  func claim(count: Int) {
    let counter = LifetimeCounter()
    let holder = Holder()
    do { holder.store(Tracked(counter)) }
    #expect(holder.isFull)
    let claims = (0..<count).compactMap { _ in holder.claim() }
    #expect(claims.count == count, "one thread alone is never refused")
    #expect(Set(claims.map(\.address)).count == min(count, 1))
    holder.clear()
    #expect(!holder.isFull && counter.alive == (count > 0 ? 1 : 0))
    for claim in claims { release(claim) }
    #expect(counter.alive == 0)
  }

  @Test("References given back are not lost, whatever has been stored or removed meanwhile")
  func giveBack() throws {
    // Before and after the object has been removed.
    for afterwards in [false, true] {
      let counter = LifetimeCounter()
      let holder = Holder()
      do { holder.store(Tracked(counter)) }
      let claims = (0..<500).compactMap { _ in holder.claim() }
      if afterwards { holder.clear() }
      #expect(counter.alive == 1)
      for claim in claims { holder.reference.giveBack(claim) }
      #expect(counter.alive == (afterwards ? 0 : 1))
      if !afterwards { holder.clear() }
      #expect(counter.alive == 0)
    }
    // After another object has been stored, they are not counted to that.
    do {
      let counter = LifetimeCounter()
      let holder = Holder()
      do { holder.store(Tracked(counter)) }
      let claim = try #require(holder.claim())
      holder.clear()
      do { holder.store(Tracked(counter)) }
      let count = holder.count
      #expect(counter.alive == 2)
      holder.reference.giveBack(claim)
      #expect(counter.alive == 1 && holder.count == count)
      holder.clear()
      #expect(counter.alive == 0)
    }
    // Nor those that are kept while more are retained many times.
    do {
      let counter = LifetimeCounter()
      let holder = Holder()
      do { holder.store(Tracked(counter)) }
      let claims = (0..<40_000).compactMap { _ in holder.claim() }
      for claim in claims { holder.reference.giveBack(claim) }
      #expect(holder.count <= 256)
      holder.clear()
      #expect(counter.alive == 0)
    }
  }

  @Test("A reader that finds no reference left is refused until they are replenished, and each claim is counted once")
  func replenish() {
    let counter = LifetimeCounter()
    let holder = Holder()
    do { holder.store(Tracked(counter)) }
    var claims: [AtomicReference.Claim] = []
    // The same number of readers at once, none of which has refilled them yet.
    while holder.count > 0 {
      let word = holder.reference.word.load(ordering: .relaxed)
      let claim = AtomicReference.Claim(word: word, address: holder.reference.address.load(ordering: .relaxed))
      // A weak exchange may fail for no reason.
      if holder.commit(claim) { claims.append(claim) }
    }
    #expect(holder.claim() == nil && holder.isFull)
    holder.reference.replenish()
    let refilled = holder.count
    #expect(refilled > claims.count)
    holder.reference.replenish()
    #expect(holder.count == refilled, "there were enough")
    for claim in claims { release(claim) }
    #expect(counter.alive == 1)
    holder.clear()
    #expect(counter.alive == 0)
    // Many threads claim references to one object: each is counted once, and the last one releases it.
    do {
      let counter = LifetimeCounter()
      let holder = Holder()
      do { holder.store(Tracked(counter)) }
      let taken = onThreads(16) { index -> [AtomicReference.Claim] in
        (0..<index * 20).map { _ in
          while true {
            if let claim = holder.claim() { return claim }
            holder.lock.withLock { _ in holder.reference.replenish() }
          }
        }
      }
      let all = Array(taken.joined())
      let addresses = Set(all.map(\.address))
      #expect(all.count == 2_400 && addresses.count == 1)
      holder.clear()
      #expect(!holder.isFull)
      for claim in all.dropLast() { release(claim) }
      #expect(counter.alive == 1, "the reference that is still out keeps it")
      release(all[all.count - 1])
      #expect(counter.alive == 0)
    }
  }

  @Test("What is beside an object is read with it, or not at all", .timeLimit(.minutes(20)))
  func beside() {
    final class Pair: @unchecked Sendable {
      let reference = AtomicReference(tag: 0)
      let beside = Atomic<UInt>(0)
    }
    let pair = Pair()
    let isDone = Flag()
    let counter = LifetimeCounter()
    let wrong = onThreads(4) { index -> Int in
      var wrong = 0
      if index == 0 {
        for _ in 0..<ModelSeeds.rounds(2_000) {
          let tracked = Tracked(counter)
          let address = unsafe UInt(bitPattern: Unmanaged.passUnretained(tracked).toOpaque())
          pair.beside.store(address, ordering: .releasing)
          withExtendedLifetime(tracked) { pair.reference.store(Unowned(tracked), tag: 1) }
          pair.reference.clear(tag: 2)
        }
        isDone.set()
      }
      while !isDone.isSet {
        guard let claim = pair.reference.prepare() else { continue }
        let beside = pair.beside.load(ordering: .acquiring)
        guard pair.reference.commit(claim) else { continue }
        if beside != claim.address { wrong += 1 }
        release(claim)
      }
      return wrong
    }
    #expect(wrong == [0, 0, 0, 0] && counter.alive == 0)
  }

  @Test(
    "Threads claim while one stores and clears: nobody gets a dead object and none is left",
    .timeLimit(.minutes(20)))
  func race() {
    let counter = LifetimeCounter()
    let holder = Holder()
    let isDone = Flag()
    let broken = onThreads(4) { index -> Int in
      if index == 0 {
        for _ in 0..<ModelSeeds.rounds(600) {
          do {
            let tracked = Tracked(counter)
            holder.lock.withLock { _ in holder.store(tracked) }
          }
          holder.lock.withLock { _ in holder.reference.replenish() }
          holder.lock.withLock { _ in holder.clear() }
        }
        isDone.set()
        return 0
      }
      var (claimed, broken) = (0, 0)
      while !isDone.isSet {
        guard let claim = holder.claim() else {
          holder.lock.withLock { _ in holder.reference.replenish() }
          continue
        }
        claimed += 1
        if !Unowned<Tracked>(address: claim.address).borrow({ $0.token.isIntact }) { broken += 1 }
        if claimed % 2 == 0 { holder.reference.giveBack(claim) } else { release(claim) }
      }
      return broken
    }
    #expect(broken == [0, 0, 0, 0] && counter.created == ModelSeeds.rounds(600) && counter.alive == 0)
  }

  @Test(
    "Threads claim, keep and return while one replaces: all is accounted for", .serialized, .timeLimit(.minutes(20)),
    arguments: ModelSeeds.seeds(3))
  func keeping(seed: UInt64) {
    let counter = LifetimeCounter()
    let holder = Holder()
    do { holder.store(Tracked(counter)) }
    let isDone = Flag()
    let broken = onThreads(5) { index -> Int in
      var generator = RepeatableGenerator(seed: seed << 8 | UInt64(index))
      if index == 0 {
        var alive = 0
        for _ in 0..<ModelSeeds.rounds(120) {
          holder.lock.withLock { _ in holder.clear() }
          do {
            let tracked = Tracked(counter)
            holder.lock.withLock { _ in holder.store(tracked) }
          }
          alive = max(alive, counter.alive)
          if Int.random(in: 0..<4, using: &generator) == 0 { letOthersRun() }
        }
        isDone.set()
        // Not more than the readers can have kept, or have in hand at this moment.
        return alive > 1 + 4 * 18 ? alive : 0
      }
      var broken = 0
      var kept: [AtomicReference.Claim] = []
      func isIntact(_ claim: AtomicReference.Claim) -> Bool {
        Unowned<Tracked>(address: claim.address).borrow { $0.token.isIntact }
      }
      while !isDone.isSet {
        switch Int.random(in: 0..<4, using: &generator) {
        case 0:
          guard let claim = holder.claim() else { continue }
          if !isIntact(claim) { broken += 1 }
          holder.reference.giveBack(claim)
        case 1:
          // Of an object that may have been replaced long ago.
          if let claim = kept.popLast() { holder.reference.giveBack(claim) }
        case 2 where kept.count >= 16:
          release(kept.removeFirst())
        default:
          guard let claim = holder.claim() else {
            holder.lock.withLock { _ in holder.reference.replenish() }
            continue
          }
          kept.append(claim)
        }
        if let claim = kept.last, !isIntact(claim) { broken += 1 }
        if kept.count > 16 { release(kept.removeFirst()) }
      }
      for claim in kept { release(claim) }
      return broken
    }
    #expect(broken == [0, 0, 0, 0, 0], "seed \(seed)")
    #expect(counter.created == ModelSeeds.rounds(120) + 1, "seed \(seed)")
    #expect(counter.alive == 1, "seed \(seed)")
    holder.clear()
    #expect(counter.alive == 0, "seed \(seed): DI_MODEL_SEED=\(seed) swift test --filter AtomicReferenceTests")
  }
}
