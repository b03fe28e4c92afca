internal import Testing

@testable internal import DependencyInjection

struct TableTests {
  /// A registry whose table a test changes by itself.
  final class Holder: Sendable {
    let registry = Registry(parent: nil)

    /// Makes a number the answer to a key, in place of any other.
    func put(_ number: Int, at key: UInt) {
      let box = Box(number)
      registry.withLock { state in
        let cell = state.materializedCell(of: Key(word: key), in: registry.table)
        cell.pointee.clear(.registry)
        cell.pointee.publish(box)
      }
    }

    /// Returns the number that a key stands for, without a lock.
    func number(at key: UInt) -> Int? {
      guard let cell = registry.table.find(key) else { return nil }
      return InstanceMemory.optionalValue { memory in cell.pointee.loadTrivial(into: memory) }
    }
  }

  /// Keys as they come, keys that differ in a few bits only, and keys whose hashes have the same first bits.
  static let keySets: [(name: String, keys: [UInt])] = {
    var generator = RepeatableGenerator(seed: 1)
    // The multiplicative inverse of the hash's factor makes keys whose hashes are what a test wants.
    let factor = Key.hash(1)
    var inverse = factor
    for _ in 0..<6 { inverse = inverse &* (2 &- factor &* inverse) }
    return [
      ("addresses", (1...10_000).map { UInt(0x7F00_0000_0000) + $0 * 16 }),
      ("random", (0..<10_000).map { _ in UInt.random(in: 1 ... .max, using: &generator) }),
      ("one path", (1...1_000).map { inverse &* ($0 &+ 0xAB00_0000_0000_0000) }),
      ("last bits", (0..<16).map { inverse &* (0xFFFF_FFFF_FFFF_FFF0 | $0) }),
    ]
  }()

  @Test("Every key that was put in is found, and no other", arguments: 0..<4)
  func manyKeys(set: Int) {
    let keys = Self.keySets[set].keys
    // All of these are searched on one path.
    let starts = Set(keys.map { key -> UInt in Key.hash(key) >> (UInt.bitWidth - 8) })
    if set > 1 { #expect(starts.count == 1) }
    let holder = Holder()
    for (number, key) in keys.enumerated() { holder.put(number, at: key) }
    var wrong = 0
    for (expected, key) in keys.enumerated() {
      if holder.number(at: key) != expected { wrong += 1 }
      if set < 2, expected < 500, !keys.contains(key ^ 1), holder.number(at: key ^ 1) != nil { wrong += 1 }
    }
    #expect(wrong == 0)
    for (number, key) in keys.enumerated() { holder.put(-number, at: key) }
    #expect(keys.indices.allSatisfy { holder.number(at: keys[$0]) == -$0 })
    holder.registry.removeAll()
    #expect(keys.allSatisfy { holder.number(at: $0) == nil })
  }

  @Test("The cells are listed in the order in which they were added, however many there are")
  func order() {
    let (holder, keys) = (Holder(), Self.keySets[1].keys)
    for (number, key) in keys.enumerated() { holder.put(number, at: key) }
    var listed: [UInt] = []
    holder.registry.table.forEach { listed.append($0.pointee.key) }
    #expect(listed == keys)
  }

  @Test("A cell may come to hold any kind of value, again and again, and it and its table release each")
  func kinds() {
    // One line of the cache, so that two cells do not share one.
    #expect(MemoryLayout<Cell>.stride == (UInt.bitWidth == 64 ? 64 : MemoryLayout<Cell>.size))
    let counter = LifetimeCounter()
    let cell = Cell(key: 8, nil)
    func publish<Value>(_ value: Value) -> Cell.Kind {
      cell.publish(Box(value))
      return cell.loadKind()
    }
    func taken<Value>(as _: Value.Type) -> Value? {
      InstanceMemory.optionalValue { memory in
        while let claim = cell.reference.prepare() {
          let (kind, words) = (cell.loadKind(), cell.loadWords())
          if !cell.reference.commit(claim) { continue }
          cell.reference.refillIfLow(after: claim)
          if kind == .boxed {
            Unowned<Box>(address: claim.address).object.copy(into: memory)
            cell.reference.giveBack(claim)
          } else {
            memory.store(kind, claim.address, words)
          }
          return true
        }
        return cell.loadTrivial(into: memory)
      }
    }
    for round in 0..<50 {
      #expect(publish(Tracked(counter)) == .reference && taken(as: Tracked.self)?.token.isIntact == true)
      cell.clear(.registry)
      #expect(counter.alive == 0 && publish(round) == .trivial && taken(as: Int.self) == round)
      cell.clear(.registry)
      #expect(publish([Tracked(counter)]) == .boxed && taken(as: [Tracked].self)?.count == 1)
      cell.clear(.registry)
      #expect(
        counter.alive == 0 && publish(Tracked(counter) as Any) == .referenceInBuffer && taken(as: Any.self) is Tracked)
      cell.clear(.registry)
      #expect(counter.alive == 0 && taken(as: Int.self) == nil)
    }
    // A table that goes releases what is in it.
    do {
      let counter = LifetimeCounter()
      do {
        let registry = Registry(parent: nil)
        for key in UInt(1)...100 {
          registry.withLock { state in
            let cell = state.materializedCell(of: Key(word: key * 8), in: registry.table)
            cell.pointee.publish(Box(Tracked(counter)))
          }
        }
        #expect(counter.alive == 100)
      }
      #expect(counter.alive == 0)
    }
  }

  @Test("Values are laid out by what they are, and moved out of their memory as their own type")
  func layouts() {
    let object = RouterImpl()
    #expect(answerKind(of: object) == .reference && answerKind(of: object as any Router & DeeplinkHandler) != .trivial)
    #expect(
      answerKind(of: object as AnyObject) == .reference && answerKind(of: object as Any) == .referenceInBuffer
        && answerKind(of: PlayerObject() as any MediaPlayer) == .referenceInBuffer)
    #expect(answerKind(of: SimplePlayer() as any MediaPlayer) == .boxed && answerKind(of: 1) == .trivial)
    #expect(answerKind(of: (1, 2, 3)) == .trivial && answerKind(of: (1, 2, 3, 4)) == .boxed)
    #expect(
      answerKind(of: "text") == .boxed && answerKind(of: [object]) == .boxed
        && answerKind(of: object as RouterImpl?) == .boxed)
    // A value is moved out of its memory as its own type, and nothing is if there is none.
    do {
      struct Five: Equatable { var (a, b, c) = (1, 2, 3), (d, e) = (4, 5) }
      let found: Five? = InstanceMemory.optionalValue { memory in
        // What follows the value may be anything: here, as the tag of an optional, it says that there is none.
        let ones = UInt.max / 255
        memory.store(ones, ones, ones, ones, ones, ones)
        memory.initialize { Five() }
        return true
      }
      #expect(found == Five())
      let none: Five? = InstanceMemory.optionalValue { _ in false }
      #expect(none == nil)
    }
  }

  @Test("A trivial value that a writer replaces all the time is never read in parts")
  func tornReads() {
    typealias Three = (UInt, UInt, UInt)
    let shared = Holder()
    let key = Key(word: 8)
    let cell = shared.registry.withLock { state in
      let cell = state.materializedCell(of: key, in: shared.registry.table)
      cell.pointee.publish(Box((1, 1, 1) as Three))
      return cell
    }
    let (hasRead, isDone) = (Event(), Flag())
    let results = onThreads(3) { index -> (whole: Int, torn: Int) in
      var result = (whole: 0, torn: 0)
      if index == 0 {
        let boxes = (1...UInt(64)).map { Box(($0, $0, $0) as Three) }
        for round in 0..<ModelSeeds.rounds(40_000) {
          // Straight at the cell, so that next to no time passes between the two.
          cell.pointee.clear(.registry)
          cell.pointee.publish(boxes[round % 64])
        }
        // Otherwise the readers may have had no time.
        hasRead.wait()
        isDone.set()
        return result
      }
      while !isDone.isSet {
        for _ in 0..<100 {
          let loaded: Three? = InstanceMemory.optionalValue { cell.pointee.loadTrivial(into: $0) }
          guard let value = loaded else { continue }
          if value == (value.0, value.0, value.0) { result.whole += 1 } else { result.torn += 1 }
        }
        if result.whole > 0 { hasRead.signal() }
      }
      return result
    }
    #expect(results.map(\.torn) == [0, 0, 0] && results.contains { $0.whole > 0 })
  }

  @Test("Readers search while a writer inserts, and find whatever was there before")
  func concurrentInsertion() {
    let shared = Holder()
    let keys = Self.keySets[1].keys
    let inserted = Monitor(0)
    let isDone = Flag()
    let wrong = onThreads(3) { index -> Int in
      if index == 0 {
        for (number, key) in keys.enumerated() {
          shared.put(number, at: key)
          if number % 50 == 0 { inserted.change { $0 = number } }
        }
        isDone.set()
        return 0
      }
      var wrong = 0
      while !isDone.isSet {
        let count = inserted.change { $0 }
        for number in stride(from: 0, to: count, by: 97) where shared.number(at: keys[number]) != number {
          wrong += 1
        }
      }
      return wrong
    }
    #expect(wrong == [0, 0, 0])
  }

  @Test("4,000 generic types are registered, resolved, overridden and removed")
  func manyTypes() {
    struct Register: ManyTypesVisitor {
      let container: DIContainer
      func visit<T>(_ type: T.Type, _ value: T, _ number: Int) {
        let value = Transfer(value)
        if number % 2 == 0 { container.register(DependencyInjection.Shared { value.value }) }
        if number % 2 == 1 { container.register(New { value.value }) }
      }
    }
    final class Check: ManyTypesVisitor {
      let container: DIContainer
      var found = 0
      init(_ container: DIContainer) { self.container = container }
      func visit<T>(_ type: T.Type, _ value: T, _ number: Int) {
        guard let resolved = container.resolve(T?.self), "\(resolved)" == "\(value)" else { return }
        found += 1
      }
    }
    struct Remove: ManyTypesVisitor {
      let container: DIContainer
      func visit<T>(_ type: T.Type, _ value: T, _ number: Int) { container.unregister(type) }
    }
    let container = DIContainer()
    ManyTypes.forEach(4_000, Register(container: container))
    for _ in 0..<2 {
      let check = Check(container)
      ManyTypes.forEach(4_000, check)
      #expect(check.found == 4_000)
    }
    ManyTypes.forEach(2_000, Remove(container: container))
    let check = Check(container)
    ManyTypes.forEach(4_000, check)
    #expect(check.found == 2_000)
  }
}
