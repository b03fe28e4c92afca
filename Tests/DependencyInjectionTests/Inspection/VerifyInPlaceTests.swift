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

@TestActor
private func wait() async { await Task.yield() }

/// Prints what ends the process.
private final class Witness: ResolutionObserver {
  func didResolve(_: ResolutionEvent, for _: Definition?, from _: Definition?) {}

  func willTrap(_ error: ResolutionError) {
    FileHandle.standardError.write(Data("before the end: \(error.path.joined(separator: " "))\n".utf8))
  }
}

/// Registrations of which one fails on a thread that others need.
private struct BrokenApp: Registration {
  enum Place: CaseIterable { case mainActor, actor, asynchronous, task, thread }
  let place: Place

  static let missing = #line + 6

  /// The line of the failure that ends the process.
  var line: Int { Self.missing + [.mainActor: 3, .actor: 5, .asynchronous: 10, .task: 13, .thread: 15][place]! }

  func add(to list: inout RegistrationList) {
    list.add(New { resolve in First(resolve((any Engine).self)) })
    switch place {
    case .mainActor:
      list.add(Shared { @MainActor resolve in Second(resolve((any Engine).self)) })
    case .actor:
      list.add(Shared { @TestActor resolve in Second(resolve((any Engine).self)) })
    case .asynchronous:
      list.add(
        Shared { resolve async in
          await wait()
          return Second(resolve((any Engine).self))
        })
    case .task:
      list.add(Shared { resolve async in Second(await Task { resolve((any Engine).self) }.value) })
    case .thread:
      list.add(Shared { resolve in Second(onAnotherThread { resolve((any Engine).self) }) })
    }
    list.add(New { resolve in Third(resolve(Int.self)) })
  }
}

struct VerifyInPlaceTests {
  /// What verifying a container finds.
  private func failures(_ container: DIContainer) async -> [String] {
    do {
      try await container.verify()
      return []
    } catch let error as VerificationError {
      return error.failures.map { $0.path.joined(separator: " ") + " " + $0.code.description }
    } catch {
      return ["\(error)"]
    }
  }

  @Test("A cycle that an alias leads into is the one that was found before")
  func cycleThroughAlias() async {
    let container = DIContainer()
    container.register {
      Shared { resolve in [try resolve.tryResolve(RouterImpl.self)] }
      Shared(
        { resolve in
          _ = try resolve.tryResolve([RouterImpl].self)
          return RouterImpl()
        }, as: (any Router).self)
    }
    #expect(await failures(container).map { $0.hasSuffix(" cycle") } == [true])
  }

  @Test("Cycles of two types of one name are two")
  func cyclesOfOneName() async {
    enum One { struct Part: Sendable {} }
    enum Other { struct Part: Sendable {} }
    let container = DIContainer()
    container.register {
      Shared { resolve in try resolve.tryResolve(One.Part.self) }
      Shared { resolve in try resolve.tryResolve(Other.Part.self) }
    }
    #expect(await failures(container).count == 2)
  }

  @Test("A cycle through an asynchronous factory and one with arguments is a cycle")
  func cycleThroughArguments() async {
    let container = DIContainer()
    container.register {
      Shared { resolve async throws in "\(try resolve.tryResolve(Int.self) { 1 as Int8 })" }
      New { (resolve: Resolver, _: Int8) in try resolve.tryResolve(String.self).count }
    }
    await #expect(throws: ResolutionError.self) { try await container.resolveAsync(String.self) }
    let error = await #expect(throws: VerificationError.self) {
      try await container.verify(arguments: { $0.arguments == Int8.self ? 1 as Int8 : nil })
    }
    #expect(error?.failures.map(\.code) == [.cycle])
  }

  @Test("What a factory with arguments asks of another container is another instance")
  func otherInstanceThroughArguments() async {
    let (container, other) = (DIContainer(), DIContainer())
    let module = Module(
      Shared { resolve async throws in "\(try resolve.tryResolve(Int.self) { 1 as Int8 })" })
    container.register(module)
    other.register(module)
    container.register(New { (_: Resolver, _: Int8) in try other.tryResolve(String.self).count })
    let error = await #expect(throws: ResolutionError.self) { try await container.resolveAsync(String.self) }
    #expect(error?.code == .asynchronous)
  }

  @Test("What is absent because what an asynchronous decorator wraps has failed is no mistake of its own")
  func absentDecorated() async {
    let container = DIContainer()
    container.register {
      Shared { resolve in "\(try resolve.tryResolve(Int.self))" }
      Decorated(String.self) { text, _ async in text }
      Shared { resolve in [try resolve.tryResolve(String.self)] }
    }
    #expect(await failures(container) == ["String Int missingRegistration"])
  }

  @Test("A check and a graph of a child know what it hides, as far as a registration of an ancestor needs it")
  func hidden() async {
    let app = DIContainer()
    app.register {
      New(1)
      Shared { resolve in "\(resolve(Int.self))" }
    }
    let child = DIContainer(parent: app)
    child.register(Shared(2))
    #expect("\(await child.graph())" == "New Int\nShared Int\nShared String\n  New Int")
    // With the aliases under which it is found there.
    do {
      let app = DIContainer()
      app.register {
        Shared(RouterImpl(), as: (any Router).self)
        Shared { resolve in [try resolve.tryResolve((any Router).self)] }
      }
      let child = DIContainer(parent: app)
      child.register(Shared(RouterImpl(), as: (any Router).self))
      let router = "Shared RouterImpl as Router"
      #expect("\(await child.graph())" == "Shared Array<Router>\n  \(router)\n\(router)\n\(router)")
    }
    for container in [app, child] {
      let error = await #expect(throws: VerificationError.self) { try await container.verify() }
      #expect(error?.failures.map(\.code) == [.captiveDependency])
    }
  }

  @Test("Every factory runs on the actor that it is isolated to, and what it throws is a line of the list")
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
      New { resolve async throws in
        async let isolated = resolve.resolveAsync(Isolated.self)
        return Third(try await isolated)
      }
      Shared(Isolated.make)
    }
    #expect(await failures(container) == [])
    // A failure that is thrown is a line of the list wherever the factory runs.
    do {
      let container = DIContainer()
      container.register {
        Shared { @MainActor resolve in First(try resolve.tryResolve((any Engine).self)) }
        Shared { @TestActor resolve async throws in Second(try resolve.tryResolve((any Engine).self)) }
        New { resolve in Third(resolve(Int.self)) }
      }
      #expect(
        await failures(container) == [
          "First Engine missingRegistration", "Second Engine missingRegistration", "Third Int missingRegistration",
        ])
      await MainActor.run {}
    }
  }

  @Test("A failure on a thread that others need ends the process with everything that was found until then", .exitTest)
  func endsProcess() async {
    let results = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await verify(.mainActor)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        // On the same actor.
        try await Task { @TestActor in try await verify(.actor) }.value
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await verify(.asynchronous)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await verify(.task)
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await verify(.thread)
      },
    ]
    for (app, result) in zip(BrokenApp.Place.allCases.map(BrokenApp.init), results) {
      let text = result?.message ?? ""
      // So that a test says that it was the one.
      #expect(text.contains("before the end: Second Engine\n"), "\(text)")
      #expect(!text.contains("before the end: First Engine\n"), "\(text)")
      #expect(
        text.contains(
          """
          \(place(app.line)): Fatal error: 2 problems in 3 registrations.
          1. No registration for 'Engine'.
               resolving  First → Engine
               asked at   \(place(BrokenApp.missing))
          2. No registration for 'Engine'.
               resolving  Second → Engine
               asked at   \(place(app.line))
          This ends the process, and the check with it: neither `resolve()` nor `@Inject` can throw.
          Use `try resolve.tryResolve()` in the factory, or let `autowire:` pass the dependency to an initializer that does not
          await, instead of the code at \(place(app.line)).

          """), "\(text)")
    }
  }

  @Test("What ends the process is listed, though it follows from a mistake that is listed", .exitTest)
  func endsProcessByConsequence() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let container = DIContainer()
      container.register {
        Shared { () async throws -> Int in throw CancellationError() }
        New { resolve async in [resolve(Int.self)] }
      }
      try await container.verify()
    }
    let text = result?.message ?? ""
    #expect(text.contains("1. The factory of 'Int' failed.") && text.contains("2. 'Int' has to be created"), "\(text)")
  }

  @Test("A failure in a task of a factory, or in another container, ends the process with what was found", .exitTest)
  func endsProcessElsewhere() async {
    let results = [
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await check(Shared { () async in First(DIContainer().resolve((any Engine).self)) })
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await check(Shared { resolve in First(inTask { resolve((any Engine).self) }) })
      },
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await check(Shared { _ in First(inTask { DIContainer().resolve((any Engine).self) }) })
      },
    ]
    for result in results {
      let text = result?.message ?? ""
      #expect(
        text.contains("Fatal error: 1 problem in 1 registration.\n1. No registration for 'Engine'.\n"), "\(text)")
    }
  }

  @Test("A check inside of a factory that is being checked does nothing")
  func nested() async throws {
    let (container, calls) = (DIContainer(), CallCounter())
    container.register {
      Shared { [weak container] resolve async throws in
        calls.call()
        try await container!.verify()
        #expect(await container!.graph().registrations.isEmpty)
        return First(1)
      }
      Shared { [weak container] in
        calls.call()
        let isDone = DispatchSemaphore(value: 0)
        let check = escapingTask { [container = container!] in
          try await container.verify()
          isDone.signal()
        }
        isDone.wait()
        return Second(check)
      }
    }
    try await container.verify()
    #expect(calls.count == 2)
  }

  @Test("A check that is canceled waits for no synchronous factory, and calls none")
  func cancelled() async throws {
    let (isRunning, canGoOn) = (Flag(), DispatchSemaphore(value: 0))
    let container = DIContainer()
    container.register {
      New { resolve in First(resolve((any Engine).self)) }
      New {
        isRunning.set()
        canGoOn.wait()
        return Second(1)
      }
      New("never reached")
    }
    let check = Task { await failures(container) }
    await until { isRunning.isSet }
    check.cancel()
    let found = try await watched { await check.value }
    #expect(found == ["First Engine missingRegistration"])
    canGoOn.signal()
    // It waits for the asynchronous one of a `New`, which could resolve in the next test otherwise.
    do {
      let (container, isRunning, hasEnded, gate) = (DIContainer(), Flag(), Flag(), AsyncGate())
      container.register(
        New { () async in
          isRunning.set()
          await gate.wait()
          for _ in 1...100 { await Task.yield() }
          hasEnded.set()
          return Second(1)
        })
      let check = Task { await failures(container) }
      await until { isRunning.isSet }
      check.cancel()
      gate.open()
      let found = try await watched { await check.value }
      #expect(hasEnded.isSet, "\(found)")
    }
    // A check that is canceled before a synchronous factory runs does not call it.
    do {
      let (container, calls) = (DIContainer(), CallCounter())
      container.register(
        New { (_: Resolver, argument: Int) in
          calls.call()
          return Second(argument)
        })
      for _ in 0..<20 {
        let check = Task {
          try await container.verify(arguments: { _ in
            cancelCurrentTask()
            return 1
          })
        }
        await #expect(throws: CancellationError.self) { try await check.value }
      }
      try await container.verify(arguments: { _ in 1 })
      #expect(calls.count == 1)
    }
  }

  @Test("A failure leaves nothing behind that others wait for, and keeps no container that was current")
  func leftBehind() async {
    let container = DIContainer()
    container.register {
      Shared { resolve in First(resolve((any Engine).self)) }
      Shared { resolve async throws in Second(try resolve.tryResolve(Third.self)) }
      Shared { resolve in Third(try resolve.tryResolve(First.self)) }
    }
    container.register(Shared { resolve in First(try resolve.tryResolve((any Engine).self)) })
    #expect(await failures(container) == ["First Engine missingRegistration"])
    // A failure in another container leaves nothing behind that others wait for.
    do {
      let (container, other) = (DIContainer(), DIContainer())
      container.register {
        Shared { First(other.resolve((any Engine).self)) }
        New { resolve in Second(resolve(First.self)) }
      }
      #expect(await failures(container) == ["First Engine missingRegistration"])
    }
    // A check that leaves a thread behind keeps no container that was current.
    do {
      let (checked, counter) = (DIContainer(), LifetimeCounter())
      checked.register(New { resolve in [resolve(Int.self)] })
      do {
        let current = DIContainer()
        current.register(Shared(Tracked(counter)))
        _ = current.resolve(Tracked.self)
        await DIContainer.withCurrent(current) {
          _ = await #expect(throws: VerificationError.self) { try await checked.verify() }
        }
      }
      await until { counter.alive == 0 }
    }
  }

  // In a process of its own, because it counts what is being created anywhere, and the tasks of other tests would be in the
  // way.
  @Test(
    "What a check left behind no longer counts as being created, and a factory that blocks its thread is checked",
    .exitTest)
  func leftBehindAndBlocking() async {
    await #expect(processExitsWith: .success) {
      let container = DIContainer()
      container.register {
        Shared { resolve in First(resolve(Second.self)) }
        Shared { resolve in Second(resolve((any Engine).self)) }
      }
      _ = try? await container.verify()
      // On each of the two threads that are left standing, the context of the check and that of the outermost factory remain.
      precondition(Circumstances.count.load(ordering: .relaxed) == 4 && !DIContainer.isCreating)
      // The thread of a factory is blocked until something asynchronous is created.
      do {
        let container = DIContainer()
        container.register {
          Shared { resolve in
            let isDone = DispatchSemaphore(value: 0)
            Task {
              _ = try await resolve.resolveAsync(Second.self)
              isDone.signal()
            }
            isDone.wait()
            return First(1)
          }
          Shared { resolve async throws in Second(try await resolve.resolveAsync(Third.self)) }
          Shared { () async in Third(1) }
        }
        try await container.verify()
      }
    }
  }
}

@Sendable private func verify(_ place: BrokenApp.Place) async throws {
  let container = DIContainer()
  container.register(BrokenApp(place: place))
  container.addObserver(Witness())
  try await container.verify()
}

/// Starts a task that inherits the task-local values of a thread without a task.
private func escapingTask(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
  Task { try await body() }
}

/// Runs a closure in a task, for which the thread waits.
private func inTask(_ body: @escaping @Sendable () -> any Engine) -> any Engine {
  let result = Monitor<(any Engine)?>(nil)
  Task {
    let engine = body()
    result.change { $0 = engine }
  }
  result.wait { $0 != nil }
  return result.change { $0! }
}

/// Checks a registration.
private func check(_ registration: some Registration) async throws {
  let container = DIContainer()
  container.register(registration)
  try await container.verify()
}
