import DITesting
import Testing

struct CallsTests {
  @Test("are kept in order with their arguments, and returned once each, including earlier ones")
  func all() async {
    let calls = Calls<String>()
    #expect(calls.all.isEmpty && calls.count == 0)
    calls("a")
    calls("b")
    #expect(calls.all == ["a", "b"] && calls.count == 2)
    let pairs = Calls<(String, Int)>()
    pairs(("a", 1))
    #expect(pairs.all.map(\.1) == [1])
    let plain = Calls<Void>()
    plain()
    #expect(plain.count == 1)
    do {
      let calls = Calls<Int>()
      calls(1)
      calls(2)
      #expect(await calls.next() == 1)
      #expect(await calls.next() == 2)
      let third = Task { await calls.next() }
      calls(3)
      #expect(await third.value == 3 && calls.all == [1, 2, 3])
    }
  }

  @Test("are returned once to a waiter, and the first remaining waiter gets the next")
  @MainActor
  func order() async {
    let calls = Calls<Int>()
    /// Returns a task that is already waiting: the main actor is free again once it is.
    func waiting() async -> Task<Int?, Never> {
      let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        beginning.finish()
        return await calls.next()
      }
      for await _ in begun {}
      return task
    }
    let (first, second) = (await waiting(), await waiting())
    second.cancel()
    calls(1)
    #expect((await first.value, await second.value) == (1, nil))
    calls(2)
    #expect(await calls.next() == 2)
  }

  @Test("go to the waiters, each to one of them, until the time runs out or the task is canceled")
  func waiting() async {
    do {
      let calls = Calls<Int>()
      await withTaskGroup(of: Int?.self) { group in
        for _ in 0..<100 { group.addTask { await calls.next() } }
        for number in 0..<100 {
          group.addTask { [number] in
            calls(number); return nil
          }
        }
        var returned: Set<Int> = []
        for await number in group { if let number { returned.insert(number) } }
        #expect(returned == Set(0..<100))
      }
    }
    do {
      let calls = Calls<Int>()
      #expect(await calls.next(within: .zero) == nil)
      calls(1)
      #expect(await calls.next(within: .seconds(600)) == 1)
      let second = Task { await calls.next(within: .seconds(600)) }
      calls(2)
      #expect(await second.value == 2)
      do {
        let calls = Calls<Int>()
        let before = Task {
          unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
          return await calls.next()
        }
        #expect(await before.value == nil)
        let (waits, waited) = AsyncStream.makeStream(of: Void.self)
        let during = Task {
          waited.yield()
          return await calls.next()
        }
        for await _ in waits { break }
        during.cancel()
        #expect(await during.value == nil)
        calls(1)
        #expect(await calls.next() == 1)
      }
    }
  }
}
