import DITesting
import DependencyInjection
import Foundation
import Testing

/// Runs jobs on threads of their own, and counts them.
private final class JobCounter: TaskExecutor {
  private let jobs = Locked(0)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0 += 1 }
    // Sound: a job is handed to the executor to be run once, which happens here.
    Thread.detachNewThread { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Returns how many jobs run elsewhere than on the main actor while it asks for a call.
  @MainActor func jobs(during calls: Calls<Int>) async -> Int {
    let former = jobs.withLock { $0 }
    _ = await calls.next()
    return jobs.withLock { $0 } - former
  }
}

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
    let (first, second, third) = (await waiting(), await waiting(), await waiting())
    second.cancel()
    calls(1)
    calls(2)
    #expect((await first.value, await second.value, await third.value) == (1, nil, 2))
    calls(3)
    #expect(await calls.next() == 3)
  }

  @Test("are waited for on the actor that asks")
  func isolation() async {
    let (calls, counter) = (Calls<Int>(), JobCounter())
    calls(1)
    let jobs = await Task(executorPreference: counter) { await counter.jobs(during: calls) }.value
    #expect(jobs == 0)
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
