internal import Testing

@testable internal import DependencyInjection

@Suite("ResolveTable")
struct ResolveTableTests {
  /// A container whose table a test changes by itself.
  final class Holder: Sendable {
    let container = DIContainer()
    var table: StablePointer<ResolveTable> { container.table }

    /// Returns the number that a key stands for, if the table has the key.
    func number(at key: UInt) -> Int? {
      let cell = table.pointee.cell(for: key)
      return cell.pointee.key == key ? container.value(in: cell) : nil
    }
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
    for key in UInt(1)...1_000 { #expect(holder.number(at: key) == nil) }
    #expect(holder.table.pointee.clear(1).count == 0)
    #expect(holder.table.pointee.clearAll().isEmpty)
  }

  @Test("Every key that was put in is found, and no other", arguments: 0..<4)
  func manyKeys(set: Int) {
    let keys = Self.keySets[set].keys
    let holder = Holder()
    for (number, key) in keys.enumerated() { holder.table.pointee.put(CellLayout(number), for: key) }
    var wrong = 0
    for (expected, key) in keys.enumerated() {
      if holder.number(at: key) != expected { wrong += 1 }
      if set < 2, expected < 500, !keys.contains(key ^ 1), holder.number(at: key ^ 1) != nil { wrong += 1 }
    }
    #expect(wrong == 0)
    for key in keys.prefix(100) { _ = holder.table.pointee.clear(key) }
    #expect(keys.prefix(100).allSatisfy { holder.number(at: $0) == nil })
    #expect(keys.dropFirst(100).allSatisfy { holder.number(at: $0) != nil })
    _ = holder.table.pointee.clearAll()
    #expect(keys.allSatisfy { holder.number(at: $0) == nil })
    for (number, key) in keys.enumerated() { holder.table.pointee.put(CellLayout(-number), for: key) }
    #expect(keys.indices.allSatisfy { holder.number(at: keys[$0]) == -$0 })
  }

  @Test("A key that is answered keeps its answer until it is cleared")
  func full() {
    let holder = Holder()
    holder.table.pointee.put(CellLayout(1), for: 8)
    holder.table.pointee.put(CellLayout(2), for: 8)
    #expect(holder.number(at: 8) == 1)
    _ = holder.table.pointee.clear(8)
    holder.table.pointee.put(CellLayout(2), for: 8)
    #expect(holder.number(at: 8) == 2)
  }

  @Test("A key may come to hold any kind of value, again and again, and releases each")
  func kinds() {
    let counter = LifetimeCounter()
    do {
      let holder = Holder()
      func value<Value>(as type: Value.Type) -> Value? { holder.container.value(in: holder.table.pointee.cell(for: 8)) }
      func isOf(_ kind: Cell.Kind) -> Bool { holder.table.pointee.cell(for: 8).pointee.content()?.0 == kind }
      for round in 0..<50 {
        do { holder.table.pointee.put(CellLayout(Tracked(counter)), for: 8) }
        #expect(isOf(.reference))
        #expect(value(as: Tracked.self)?.token.isIntact == true)
        holder.table.pointee.clear(8).release()
        #expect(counter.alive == 0)
        holder.table.pointee.put(CellLayout(round), for: 8)
        #expect(value(as: Int.self) == round)
        holder.table.pointee.clear(8).release()
        do { holder.table.pointee.put(CellLayout([Tracked(counter)]), for: 8) }
        #expect(isOf(.boxed))
        #expect(value(as: [Tracked].self)?.count == 1)
        holder.table.pointee.clear(8).release()
        #expect(counter.alive == 0)
        do { holder.table.pointee.put(CellLayout(Tracked(counter) as Any), for: 8) }
        #expect(value(as: Any.self) is Tracked)
        holder.table.pointee.clear(8).release()
        #expect(counter.alive == 0)
      }
      do { holder.table.pointee.put(CellLayout(Tracked(counter)), for: 8) }
      do { holder.table.pointee.put(CellLayout(Tracked(counter)), for: 16) }
      #expect(counter.alive == 2)
    }
    #expect(counter.alive == 0, "a table that goes releases what is in it")
  }

  @Test("Values are laid out by what they are")
  func layouts() {
    let object = RouterImpl()
    #expect(CellLayout(object).kind == .reference)
    #expect(CellLayout(object as any Router).kind == .reference)
    #expect(CellLayout(object as any Router & DeeplinkHandler).kind == .reference)
    #expect(CellLayout(object as AnyObject).kind == .reference)
    #expect(CellLayout(object as Any).kind == .reference)
    #expect(CellLayout(PlayerObject() as any MediaPlayer).kind == .reference)
    #expect(CellLayout(SimplePlayer() as any MediaPlayer).kind == .boxed)
    #expect(CellLayout(1).kind == .trivial)
    #expect(CellLayout((1, 2, 3, 4, 5)).kind == .trivial)
    #expect(CellLayout((1, 2, 3, 4, 5, 6)).kind == .boxed)
    #expect(CellLayout("text").kind == .boxed)
    #expect(CellLayout([object]).kind == .boxed)
    #expect(CellLayout(object as RouterImpl?).kind == .boxed)
  }

  @Test("A trivial value that a writer replaces all the time is never read in parts")
  func tornReads() {
    typealias Five = (UInt, UInt, UInt, UInt, UInt)
    let shared = Holder()
    shared.table.pointee.put(CellLayout((1, 1, 1, 1, 1) as Five), for: 8)
    let isDone = Flag()
    let results = onThreads(3) { index -> (whole: Int, torn: Int) in
      var result = (whole: 0, torn: 0)
      if index == 0 {
        let layouts = (1...UInt(64)).map { CellLayout(($0, $0, $0, $0, $0) as Five) }
        let cell = shared.table.pointee.cell(for: 8)
        for round in 0..<2_000_000 {
          // Straight at the cell, so that next to no time passes between the two.
          _ = cell.pointee.clear()
          cell.pointee.fill(layouts[round % 64])
        }
        isDone.set()
        return result
      }
      let cell = shared.table.pointee.cell(for: 8)
      while !isDone.isSet {
        for _ in 0..<100 {
          guard let value = shared.container.value(in: cell, as: Five.self) else { continue }
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
    let shared = Holder()
    let keys = Self.keySets[1].keys
    let inserted = Monitor(0)
    let isDone = Flag()
    let wrong = onThreads(3) { index -> Int in
      if index == 0 {
        for (number, key) in keys.enumerated() {
          shared.table.pointee.put(CellLayout(number), for: key)
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
