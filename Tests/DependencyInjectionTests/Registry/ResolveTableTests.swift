internal import Testing

@testable internal import DependencyInjection

@Suite("ResolveTable")
struct ResolveTableTests {
  /// A table in memory of its own.
  final class Holder { let table = ResolveTable() }

  private func number(in table: borrowing ResolveTable, at key: UInt) -> Int? {
    let cell = unsafe table.cell(at: key)
    guard unsafe cell.pointee.key == key else { return nil }
    return unsafe cell.pointee.trivial(as: Int.self)
  }

  private func reference<Value>(in cell: UnsafeMutablePointer<Cell>, as type: Value.Type) -> Value? {
    unsafe Cell.bank(of: cell).pointee.take().map { unsafe Cell.reference($0, in: cell, as: type) }
  }

  /// Keys as they come, keys that differ in a few bits only, and keys whose hashes have the same first bits.
  static let keySets: [(name: String, keys: [UInt])] = {
    var generator = RepeatableGenerator(seed: 1)
    // The multiplicative inverse of the hash makes keys whose hashes are what a test wants.
    var inverse: UInt = 0x9E37_79B9_7F4A_7C15
    for _ in 0..<6 { inverse = inverse &* (2 &- 0x9E37_79B9_7F4A_7C15 &* inverse) }
    return [
      ("addresses", (1...10_000).map { UInt(0x7F00_0000_0000) + $0 * 16 }),
      ("random", (0..<10_000).map { _ in UInt.random(in: 1 ... .max, using: &generator) }),
      ("one path", (1...1_000).map { inverse &* ($0 &+ 0xAB00_0000_0000_0000) }),
      ("last bits", (0..<16).map { inverse &* (0xFFFF_FFFF_FFFF_FFF0 | $0) }),
    ]
  }()

  @Test("An empty table has no answer")
  func empty() {
    let holder = Holder()
    for key in UInt(1)...1_000 { #expect(number(in: holder.table, at: key) == nil) }
    #expect(holder.table.clear(1).count == 0)
    #expect(holder.table.clearAll().isEmpty)
  }

  @Test("Every key that was put in is found, and no other", arguments: 0..<4)
  func manyKeys(set: Int) {
    let keys = Self.keySets[set].keys
    let holder = Holder()
    for (number, key) in keys.enumerated() { holder.table.put(Cell.layOut(number), at: key) }
    var wrong = 0
    for (expected, key) in keys.enumerated() {
      if number(in: holder.table, at: key) != expected { wrong += 1 }
      if !keys.contains(key ^ 1), set < 2, expected < 500, number(in: holder.table, at: key ^ 1) != nil { wrong += 1 }
    }
    #expect(wrong == 0)
    for key in keys.prefix(100) { _ = holder.table.clear(key) }
    #expect(keys.prefix(100).allSatisfy { number(in: holder.table, at: $0) == nil })
    #expect(keys.dropFirst(100).allSatisfy { number(in: holder.table, at: $0) != nil })
    _ = holder.table.clearAll()
    #expect(keys.allSatisfy { number(in: holder.table, at: $0) == nil })
    for (number, key) in keys.enumerated() { holder.table.put(Cell.layOut(-number), at: key) }
    #expect(keys.indices.allSatisfy { number(in: holder.table, at: keys[$0]) == -$0 })
  }

  @Test("A key that is answered keeps its answer until it is cleared")
  func full() {
    let holder = Holder()
    holder.table.put(Cell.layOut(1), at: 8)
    holder.table.put(Cell.layOut(2), at: 8)
    #expect(number(in: holder.table, at: 8) == 1)
    _ = holder.table.clear(8)
    holder.table.put(Cell.layOut(2), at: 8)
    #expect(number(in: holder.table, at: 8) == 2)
  }

  @Test("A key may come to hold any kind of value, again and again, and releases each")
  func kinds() {
    let counter = LifetimeCounter()
    do {
      let holder = Holder()
      let cell = { unsafe holder.table.cell(at: 8) }
      for round in 0..<50 {
        do { holder.table.put(Cell.layOut(Tracked(counter)), at: 8) }
        #expect(unsafe cell().pointee.kind == .reference)
        #expect(unsafe reference(in: cell(), as: Tracked.self)?.token.isIntact == true)
        holder.table.clear(8).release()
        #expect(counter.alive == 0)
        holder.table.put(Cell.layOut(round), at: 8)
        #expect(unsafe cell().pointee.trivial(as: Int.self) == round)
        holder.table.clear(8).release()
        do { holder.table.put(Cell.layOut([Tracked(counter)]), at: 8) }
        #expect(unsafe cell().pointee.kind == .boxed)
        #expect(unsafe Cell.boxed(in: cell(), as: [Tracked].self)?.count == 1)
        holder.table.clear(8).release()
        #expect(counter.alive == 0)
        do { holder.table.put(Cell.layOut(Tracked(counter) as Any), at: 8) }
        #expect(unsafe reference(in: cell(), as: Any.self) is Tracked)
        holder.table.clear(8).release()
        #expect(counter.alive == 0)
      }
      do { holder.table.put(Cell.layOut(Tracked(counter)), at: 8) }
      do { holder.table.put(Cell.layOut(Tracked(counter)), at: 16) }
      #expect(counter.alive == 2)
    }
    #expect(counter.alive == 0, "a table that goes releases what is in it")
  }

  @Test("Values are laid out by what they are")
  func layouts() {
    let object = RouterImpl()
    #expect(Cell.layOut(object).kind == .reference)
    #expect(Cell.layOut(object as any Router).kind == .reference)
    #expect(Cell.layOut(object as any Router & DeeplinkHandler).kind == .reference)
    #expect(Cell.layOut(object as AnyObject).kind == .reference)
    #expect(Cell.layOut(object as Any).kind == .reference)
    #expect(Cell.layOut(PlayerObject() as any MediaPlayer).kind == .reference)
    #expect(Cell.layOut(SimplePlayer() as any MediaPlayer).kind == .boxed)
    #expect(Cell.layOut(1).kind == .trivial)
    #expect(Cell.layOut((1, 2, 3, 4, 5)).kind == .trivial)
    #expect(Cell.layOut((1, 2, 3, 4, 5, 6)).kind == .boxed)
    #expect(Cell.layOut("text").kind == .boxed)
    #expect(Cell.layOut([object]).kind == .boxed)
    #expect(Cell.layOut(object as RouterImpl?).kind == .boxed)
  }

  @Test("A trivial value that a writer replaces all the time is never read in parts")
  func tornReads() {
    typealias Five = (UInt, UInt, UInt, UInt, UInt)
    final class Shared: @unchecked Sendable { let table = ResolveTable() }
    let shared = Shared()
    shared.table.put(Cell.layOut((1, 1, 1, 1, 1) as Five), at: 8)
    let isDone = Flag()
    let results = onThreads(3) { index -> (whole: Int, torn: Int) in
      var result = (whole: 0, torn: 0)
      if index == 0 {
        let layouts = (1...UInt(64)).map { Cell.layOut(($0, $0, $0, $0, $0) as Five) }
        let cell = unsafe shared.table.cell(at: 8)
        for round in 0..<5_000_000 {
          // Straight at the cell, so that next to no time passes between the two.
          _ = unsafe cell.pointee.empty()
          unsafe cell.pointee.fill(layouts[round % 64])
        }
        isDone.set()
        return result
      }
      let cell = unsafe shared.table.cell(at: 8)
      while !isDone.isSet {
        for _ in 0..<100 {
          guard let value = unsafe cell.pointee.trivial(as: Five.self) else { continue }
          if value == (value.0, value.0, value.0, value.0, value.0) { result.whole += 1 } else { result.torn += 1 }
        }
      }
      return result
    }
    #expect(results.map(\.torn) == [0, 0, 0])
    #expect(results.contains { $0.whole > 0 })
  }

  @Test("Readers search while a writer inserts, and find whatever was there before")
  func concurrentInsertion() {
    final class Shared: @unchecked Sendable { let table = ResolveTable() }
    let shared = Shared()
    let keys = Self.keySets[1].keys
    let inserted = Monitor(0)
    let isDone = Flag()
    let wrong = onThreads(3) { index -> Int in
      if index == 0 {
        for (number, key) in keys.enumerated() {
          shared.table.put(Cell.layOut(number), at: key)
          if number % 50 == 0 { inserted.change { $0 = number } }
        }
        isDone.set()
        return 0
      }
      var wrong = 0
      while !isDone.isSet {
        let count = inserted.change { $0 }
        for number in stride(from: 0, to: count, by: 97) where self.number(in: shared.table, at: keys[number]) != number
        {
          wrong += 1
        }
      }
      return wrong
    }
    #expect(wrong == [0, 0, 0])
  }

  @Test("10,000 generic types are registered, resolved, overridden and removed")
  func manyTypes() {
    struct Register: ManyTypesVisitor {
      let container: DIContainer
      let offset: Int
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
    ManyTypes.forEach(10_000, Register(container: container, offset: 0))
    for _ in 0..<2 {
      let check = Check(container)
      ManyTypes.forEach(10_000, check)
      #expect(check.found == 10_000)
    }
    ManyTypes.forEach(5_000, Remove(container: container))
    let check = Check(container)
    ManyTypes.forEach(10_000, check)
    #expect(check.found == 5_000)
  }
}
