@testable internal import DependencyInjection
internal import Dispatch
internal import Foundation
internal import Synchronization
internal import Testing

protocol Engine: Sendable {}

private final class First: Sendable {
  init(_: Any) {}
}

private final class Second: Sendable {
  init(_: Any) {}
}

private final class Third: Sendable {
  init(_: Any) {}
}

private final class Fourth: Sendable {
  init(_: Any) {}
}

private final class Fifth: Sendable {
  init(_: Any) {}
}

/// Executes what is isolated to an actor on a queue.
private final class QueueExecutor: SerialExecutor {
  let queue = DispatchQueue(label: "actor")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

/// Executes tasks on a queue.
private final class OwnExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tasks")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

@globalActor
private actor QueueActor {
  static let shared = QueueActor()
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

  /// A place that matters to who is isolated.
  static var queue: DispatchQueue { shared.executor.queue }
}

@QueueActor
private var answers = 0

@QueueActor
private func answerOnQueue() -> Int {
  answers += 1
  return answers
}

@TestActor
private func wait() async { try? await Task.sleep(for: .milliseconds(1)) }

/// Starts a task that resolves something, which goes on when the factory has returned.
private final class Starter: Sendable {
  let task: Task<Third, any Error>

  init(_ resolve: Resolver) { task = Task { try await resolve.resolveAsync(Third.self) } }
}

private actor Other {
  func answer() -> Int { 1 }
}

/// Resolves on no actor what has to be created on one.
@concurrent
private func makeSecond(_ resolve: Resolver) async -> Second { Second(resolve(Isolated.self)) }

@concurrent
private func fail(_ resolve: Resolver) async -> Int { resolve(Int.self) }

/// Blocks its thread until the actor has done something.
@concurrent
private func blockUntilActorRuns() async -> Bool {
  let hasRun = DispatchSemaphore(value: 0)
  Task { @TestActor in hasRun.signal() }
  return hasRun.waitForSignal()
}

extension DispatchSemaphore {
  fileprivate func waitForSignal() -> Bool { wait(timeout: .now() + 60) == .success }
}

@TestActor
private func spin() {
  let end = ContinuousClock.now + .milliseconds(5)
  while .now < end {}
}

/// How often something isolated could be created where it must not be.
private func countIsolated(_ resolve: Resolver) async -> Int {
  var found = 0
  for _ in 0..<100 {
    await Task.yield()
    if (try? resolve.tryResolve(Isolated.self)) != nil { found += 1 }
  }
  return found
}

@TestActor
private func resolveOnActor(_ resolve: Resolver) async throws {
  _ = try await resolve.resolveAsync(Fifth.self)
  TestActor.preconditionIsolated()
}

private func yield() async {
  for _ in 0..<500 { await Task.yield() }
}

@TestActor
private func spin(_ resolve: Resolver) async throws {
  for _ in 0..<3 {
    _ = try await resolve.resolveAsync(Fifth.self)
    TestActor.preconditionIsolated()
    spin()
  }
}

/// What nobody but the actor may see.
@TestActor
private var isBusy = false

@TestActor
private var hasRun = false

/// Sees what ends the process.
private final class Witness: ResolutionObserver {
  func didResolve(_: ResolutionEvent) {}

  func willTrap(_ error: ResolutionError) {
    FileHandle.standardError.write(Data("before the end: \(error.path.joined(separator: " "))\n".utf8))
  }
}

/// Registrations that fail where they cannot be left, for tests that end a process.
private struct BrokenApp: Registration {
  enum Place { case queue, afterWaiting, task }
  let place: Place

  static let missing = #line + 4, queue = missing + 3, afterWaiting = missing + 8, task = missing + 13
  static let last = missing + 24

  func add(to list: inout RegistrationList) {
    list.add(New { resolve in First(resolve((any Engine).self)) })
    switch place {
    case .queue:
      list.add(Shared { @QueueActor resolve in Second(resolve((any Engine).self)) })
    case .afterWaiting:
      list.add(
        Shared { @TestActor resolve in
          await wait()
          return Second(resolve((any Engine).self))
        })
    case .task:
      list.add(
        Shared { resolve async in
          let (one, other) = (Task { resolve((any Engine).self) }, Task { resolve((any Engine).self) })
          return Second((await one.value, await other.value))
        })
    }
    list.add(
      Shared { @QueueActor resolve in
        dispatchPrecondition(condition: .onQueue(QueueActor.queue))
        return Third(resolve((any MediaPlayer).self))
      })
    list.add(New { @TestActor resolve in Fourth(resolve((any MediaPlayer).self)) })
    list.add(Shared(Isolated.make))
    list.add(New { resolve in String(resolve(Int.self)) })
  }
}

@Suite("Verify on actors", .timeLimit(.minutes(20)))
struct VerifyOnActorsTests {
  /// What verifying a container finds.
  private func failures(_ container: DIContainer) async -> [String] {
    do {
      // Other tests may keep all threads of the tasks busy for minutes; less than the time limit, to see what it is.
      try await Verification.$patience.withValue(900) { try await container.verify() }
      return []
    } catch let error as VerificationError {
      return error.failures.map { $0.path.joined(separator: " ") + " " + $0.code.description }
    } catch {
      return ["\(error)"]
    }
  }

  // Only on Apple platforms the main actor is not leavable.
  #if !canImport(Darwin)
    @Test("What is missing on the main actor is in the list, with everything after it")
    func mainActor() async {
      let container = DIContainer()
      container.register {
        Shared { @MainActor resolve in First(resolve((any Engine).self)) }
        Shared { @MainActor resolve async in Second(resolve(Third.self)) }
        New { resolve in Third(resolve((any MediaPlayer).self)) }
      }
      let found = await failures(container)
      #expect(
        found == [
          "First Engine missingRegistration", "Second Third MediaPlayer missingRegistration",
        ])
      // The actor is not left behind.
      await MainActor.run {}
    }
  #endif

  @Test("What is missing on an actor is in the list, and the actor goes on")
  func otherActors() async {
    let container = DIContainer()
    container.register {
      Shared { @TestActor resolve in First(resolve((any Engine).self)) }
      Shared { @TestActor resolve async in Second(resolve((any MediaPlayer).self)) }
      Shared { @TestActor () async in Fourth(DIContainer.resolve((any MediaPlayer).self)) }
      New { resolve in
        async let isolated = DIContainer.resolveAsync(Isolated.self)
        return Third(try await isolated)
      }
      Shared(Isolated.make)
    }
    for _ in 0..<20 {
      let found = await failures(container)
      #expect(
        found == [
          "First Engine missingRegistration", "Second MediaPlayer missingRegistration",
          "Fourth MediaPlayer missingRegistration",
        ])
      await wait()
    }
  }

  @Test("What is missing on an actor after something else was resolved is in the list, too")
  func later() async {
    let container = DIContainer()
    container.register {
      New { () async in Fifth(1) }
      New { @MainActor resolve in
        _ = try await resolve.resolveAsync(Fifth.self)
        return First(resolve((any Engine).self))
      }
      New { @TestActor resolve async in
        await wait()
        _ = try? await DIContainer.resolveAsync(Int.self)
        TestActor.preconditionIsolated()
        return Second(resolve((any MediaPlayer).self))
      }
      New { @TestActor resolve in
        // Among the jobs of other tasks.
        async let others: Void = yield()
        for _ in 0..<20 {
          _ = try await resolve.resolveAsync(Fifth.self)
          TestActor.preconditionIsolated()
          _ = try await resolve.resolveAsync(Isolated.self)
        }
        return Third((resolve((any MediaPlayer).self), await others))
      }
      New(Isolated.make)
      New { @TestActor resolve in
        async let first = spin(resolve)
        async let second = spin(resolve)
        return Fourth(try await (first, second))
      }
    }
    var expected = ["Second MediaPlayer missingRegistration", "Third MediaPlayer missingRegistration"]
    #if !canImport(Darwin)
      expected.insert("First Engine missingRegistration", at: 0)
    #else
      container.unregister(First.self)
    #endif
    for _ in 0..<10 {
      let found = await failures(container)
      #expect(found == expected)
      await wait()
    }
  }

  @Test("Tasks that a factory starts on its actor borrow nothing")
  func tasks() async {
    let container = DIContainer()
    container.register {
      Shared { () async in Fifth(1) }
      New { @MainActor resolve in
        Task { _ = try await resolve.resolveAsync(Fifth.self) }
        return First(1)
      }
      New { @TestActor resolve async throws in
        let task = Task { _ = try await resolve.resolveAsync(Fifth.self) }
        try await task.value
        return Second(1)
      }
      New { @TestActor resolve async throws in
        try await withTaskExecutorPreference(OwnExecutor()) { _ = try await resolve.resolveAsync(Fifth.self) }
        return Third(1)
      }
    }
    for _ in 0..<10 {
      #expect(await failures(container) == [])
      await MainActor.run {}
      await wait()
    }
  }

  // In a process of its own, because the tasks of other tests would be in the way.
  @Test("What a factory does beside is not isolated to its actor, and may wait for it")
  func beside() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      container.register {
        New { () async in Fifth(1) }
        New(Isolated.make)
        New { @TestActor resolve in
          async let hasRun = blockUntilActorRuns()
          for _ in 0..<20 { _ = try await resolve.resolveAsync(Fifth.self) }
          return First(await hasRun ? 1 : try resolve.tryResolve((any Engine).self))
        }
        New { @TestActor resolve in
          async let found = countIsolated(resolve)
          for _ in 0..<100 { _ = try await resolve.resolveAsync(Fifth.self) }
          return Second(await found == 0 ? 1 : try resolve.tryResolve((any Engine).self))
        }
      }
      for _ in 0..<10 { try await container.verify() }
    }
  }

  @Test("What is created on an actor is isolated to it, also where that can be asked")
  func isolation() async {
    let container = DIContainer()
    container.register {
      Shared { @MainActor in
        MainActor.preconditionIsolated()
        return First(MainActor.assumeIsolated { 1 })
      }
      Shared { @TestActor resolve in
        TestActor.preconditionIsolated()
        _ = try await resolve.resolveAsync(First.self)
        TestActor.preconditionIsolated()
        await wait()
        TestActor.preconditionIsolated()
        return Second(1)
      }
      Shared { @TestActor in
        Task { @TestActor in hasRun = true }
        while !hasRun { await Task.yield() }
        TestActor.preconditionIsolated()
        return Fourth(1)
      }
      New { @QueueActor in
        QueueActor.preconditionIsolated()
        return Third(1)
      }
    }
    #expect(await failures(container) == [])
  }

  @Test("Nothing else runs on the actor meanwhile")
  func exclusion() async {
    let container = DIContainer()
    container.register(
      New { @TestActor in
        isBusy = true
        spin()
        isBusy = false
        return First(1)
      })
    await withTaskGroup { group in
      for number in 0..<100 {
        group.addTask {
          try? await Task.sleep(for: .milliseconds(number % 50))
          #expect(await !isBusy)
        }
        if number % 10 == 0 { group.addTask { #expect(await failures(container) == []) } }
      }
    }
  }

  @Test("What a factory has started goes on when it has returned")
  func started() async {
    for _ in 0..<20 {
      let container = DIContainer()
      container.register {
        New { @TestActor resolve in Starter(resolve) }
        Shared { () async in Third(1) }
        New { resolve in
          let starter = try await resolve.resolveAsync(Starter.self)
          return Second(try await starter.task.value)
        }
      }
      #expect(await failures(container) == [])
    }
  }

  @Test("An actor that is busy on the very thread that wants to borrow it is waited for", .timeLimit(.minutes(20)))
  func busy() async {
    for _ in 0..<20 {
      let container = DIContainer()
      container.register {
        New { resolve in
          async let isolated = resolve.resolveAsync(Isolated.self)
          await spin()
          return First(try await isolated)
        }
        New(Isolated.make)
        Shared { @TestActor resolve in Second(try await resolve.resolveAsync(Fourth.self)) }
        Shared { @TestActor () async in Fourth(1) }
      }
      #expect(await failures(container) == [])
    }
  }

  @Test("What a factory has started may fail while others are checked, who then fail, too", .timeLimit(.minutes(20)))
  func leftovers() async {
    for _ in 0..<20 {
      let container = DIContainer()
      container.register {
        New { resolve in Starter(resolve) }
        Shared { resolve async in Third(resolve((any Engine).self)) }
        New { resolve in First(try await resolve.resolveAsync(Third.self)) }
      }
      #expect(await failures(container) == ["Third Engine missingRegistration"])
    }
  }

  // In a process of its own, because it counts what is being created anywhere.
  @Test("What a check has left counts as created no more")
  func counts() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      container.register {
        Shared { resolve in First(resolve(Second.self)) }
        Shared { resolve in Second(resolve((any Engine).self)) }
        Shared { resolve async throws in
          async let third = resolve.resolveAsync(Third.self)
          return Fourth((resolve((any Engine).self), try await third))
        }
        Shared { () async throws in
          try await Task.sleep(for: .milliseconds(20))
          return Third(1)
        }
      }
      _ = try? await container.verify()
      let end = ContinuousClock.now + .seconds(60)
      while unsafe Gate.creations.pointee.load(ordering: .relaxed) != 0, .now < end {
        try? await Task.sleep(for: .milliseconds(5))
      }
      try? await Task.sleep(for: .milliseconds(100))
      let (all, tasks) = unsafe (Gate.creations.pointee.load(ordering: .relaxed), TaskCreation.areRunning)
      precondition(all == 0 && !tasks, "\(all)")
    }
  }

  // In a process of its own, because the tasks of other tests would be in the way.
  @Test("What a factory does elsewhere is not isolated to its actor, which is free meanwhile")
  func elsewhere() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      container.register {
        New(Isolated.make)
        Shared { @TestActor resolve async in await makeSecond(resolve) }
        Shared { @TestActor resolve async throws in
          First(await blockUntilActorRuns() ? 1 : try resolve.tryResolve((any Engine).self))
        }
      }
      let found = await VerifyOnActorsTests().failures(container)
      precondition(found == ["Second Isolated wrongActor"], "\(found)")
      container.unregister(Second.self)
      try await container.verify()
    }
  }

  @Test("Another actor goes on, too, if a factory fails whose tasks are waiting for it")
  func another() async {
    for _ in 0..<20 {
      let (container, other) = (DIContainer(), Other())
      container.register(
        Shared { @TestActor resolve async in
          async let answer = other.answer()
          async let failure = fail(resolve)
          return First(await answer + failure)
        })
      #expect(await failures(container) == ["First Int missingRegistration"])
      #expect(await other.answer() == 1)
    }
  }

  @Test("What would wait for an actor is an error where nobody can wait", .timeLimit(.minutes(20)))
  @MainActor
  func synchronously() {
    let container = DIContainer()
    container.register {
      Shared { @MainActor () async in First(1) }
      New { resolve in try await Second(resolve.resolveAsync(First.self)) }
      Shared(Third(1))
      Shared { @TestActor () async in Fourth(1) }
      Shared(Isolated.make)
    }
    let error = #expect(throws: VerificationError.self) { try container.verify() }
    #expect(error?.failures.map(\.code) == [.wrongActor, .wrongActor])
    #expect(error?.failures.map(\.path) == [["First"], ["Second", "First"]])
    #expect(
      error?.description.contains(
        "check it with `await verify()`, in an asynchronous function, or leave it out with `except:`") == true)
  }

  @Test("What fails where it cannot be left ends the process, when everything has been checked")
  func lastWords() async {
    let queue = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = DIContainer()
      container.register(BrokenApp(place: .queue))
      container.addObserver(Witness())
      try await container.verify()
    }
    let afterWaiting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = DIContainer()
      container.register(BrokenApp(place: .afterWaiting))
      // On the very actor that cannot go on.
      try await Task { @TestActor in try await container.verify() }.value
    }
    let task = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = DIContainer()
      container.register(BrokenApp(place: .task))
      try await container.verify()
    }
    // So that a test says that it was the one.
    let witnessed = String(decoding: queue?.standardErrorContent ?? [], as: UTF8.self)
    #expect(witnessed.contains("before the end: Second Engine\n"), "\(witnessed)")
    #expect(witnessed.contains("before the end: Third MediaPlayer\n"), "\(witnessed)")
    #expect(!witnessed.contains("before the end: Fourth MediaPlayer\n"), "\(witnessed)")
    let (third, fourth) = (BrokenApp.last - 4, BrokenApp.last - 2)
    let cases = [
      (queue, BrokenApp.queue, [third]), (afterWaiting, BrokenApp.afterWaiting, [third, fourth]),
      (task, BrokenApp.task, [third]),
    ]
    for (result, second, others) in cases {
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(
        text.contains(
          """
          \(place(second)): Fatal error: 5 problems in 6 registrations.
          1. No registration for 'Engine'.
               resolving  First → Engine
               asked at   \(place(BrokenApp.missing))
          2. No registration for 'Engine'.
               resolving  Second → Engine
               asked at   \(place(second))
          3. No registration for 'MediaPlayer'.
               resolving  Third → MediaPlayer
               asked at   \(place(third))
          4. No registration for 'MediaPlayer'.
               resolving  Fourth → MediaPlayer
               asked at   \(place(fourth))
          5. No registration for 'Int'.
               resolving  String → Int
               asked at   \(place(BrokenApp.last))
          This ends the process, because `resolve()` does not throw, and fails on a thread that cannot be left at \
          \(([second] + others).map { place($0) }.joined(separator: ", ")).
          Use `try resolve.tryResolve()` there, which throws.

          """), "\(text)")
      #expect(!text.contains("Not checked") && !text.contains("ThreadSanitizer"))
    }
  }

  @Test("What waits for a thread that cannot be left is named when the process ends", .timeLimit(.minutes(20)))
  func unchecked() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = DIContainer()
      container.register {
        Shared { @QueueActor resolve in First(resolve((any Engine).self)) }
        Shared { () async in Second(await answerOnQueue()) }
        Shared { resolve in Third(resolve(Int.self)) }
      }
      try await container.verify()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("2. No registration for 'Int'") && text.contains(notChecked("Second")), "\(text)")
    #expect(!text.contains(notChecked("Third")) && !text.contains("ThreadSanitizer"), "\(text)")
  }

  @Test("What waits for a lock that a failure has left behind is named", .timeLimit(.minutes(20)))
  func leftLock() async throws {
    let (container, lock) = (DIContainer(), NSLock())
    container.register {
      Shared { resolve in lock.withLock { First(resolve((any Engine).self)) } }
      Shared { lock.withLock { Second(1) } }
      Shared { lock.withLock { Fourth(1) } }
      Shared { resolve in Third(resolve(Int.self)) }
    }
    let error = try #require(
      await #expect(throws: VerificationError.self) {
        try await Verification.$patience.withValue(10) { try await container.verify() }
      })
    #expect(error.failures.map(\.path) == [["First", "Engine"], ["Third", "Int"]])
    #expect(error.description.contains(notChecked("Second")) && error.description.contains(notChecked("Fourth")))
    #expect(!error.description.contains(notChecked("Third")), "\(error)")
  }

  private func notChecked(_ type: String) -> String {
    "Not checked, because it does not end, maybe for want of something that a failure has left behind: Shared \(type)"
  }

  // In a process of its own, because the tasks of other tests would be in the way.
  @Test("What blocks its thread until something asynchronous is created is checked")
  func bridge() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      container.register {
        Shared { resolve in
          let isDone = DispatchSemaphore(value: 0)
          Task {
            _ = try await resolve.resolveAsync(Second.self)
            isDone.signal()
          }
          return First(isDone.waitForSignal() ? 1 : try resolve.tryResolve((any Engine).self))
        }
        Shared { resolve async throws in Second(try await resolve.resolveAsync(Third.self)) }
        Shared { () async in Third(1) }
      }
      try await container.verify()
    }
  }

  // In a process of its own, because the tasks of other tests would be in the way.
  @Test("Many tasks of a factory can go on on its actor, or borrow it", .timeLimit(.minutes(20)))
  func manyTasks() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      container.register {
        New { () async in Fifth(1) }
        New(Isolated.make)
        New { @TestActor resolve in
          try await withThrowingTaskGroup { group in
            for _ in 0..<200 { group.addTask { try await resolveOnActor(resolve) } }
            try await group.waitForAll()
          }
          return First(1)
        }
        New { resolve in
          try await withThrowingTaskGroup { group in
            for _ in 0..<200 { group.addTask { _ = try await resolve.resolveAsync(Isolated.self) } }
            try await group.waitForAll()
          }
          return Second(1)
        }
      }
      let start = ContinuousClock.now
      try await container.verify()
      precondition(.now - start < .seconds(40))
    }
  }
}
