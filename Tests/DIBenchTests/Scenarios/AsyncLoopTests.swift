internal import DependencyInjection
internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

@Suite("What the loops of tasks check")
struct AsyncLoopTests {
  /// Runs a loop on a thread of its own: blocked here would be one that its tasks need.
  private func run(_ workload: Workload) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try workload.run(20, 0) })
      }
    }
  }

  @Test("The container and the actor pass")
  func right() async throws {
    try await run(Scenario.sameInTask(AsyncContainer(DIContainer())))
    try await run(Scenario.sameInTask(AsyncActor()))
    try await run(Scenario.newInTask(AsyncContainer(DIContainer())))
    try await run(Scenario.newInTask(AsyncActor()))
    try await run(Scenario.firstInTasks(providers: 20) { AsyncContainer(DIContainer()) })
    try await run(Scenario.firstInTasks(providers: 20) { AsyncActor() })
  }

  @Test("An instance that is created again is found")
  func recreated() async {
    await #expect(throws: Violation(message: "20 of 20 operations returned another instance of a shared class")) {
      try await run(Scenario.sameInTask(Faulty()))
    }
  }

  @Test("An instance that is returned again is found")
  func reused() async {
    await #expect(throws: Violation(message: "20 of 20 operations returned an old instance")) {
      try await run(Scenario.newInTask(Faulty()))
    }
  }

  @Test("Two instances for two tasks are found")
  func twice() async {
    await #expect(throws: Violation(message: "20 of 20 operations returned another instance than to another task")) {
      try await run(Scenario.firstInTasks(providers: 20) { Faulty() })
    }
  }

  @Test("A resolve that fails is found")
  func failure() async {
    let violation = Violation(message: "a resolve failed")
    await #expect(throws: violation) { try await run(Scenario.sameInTask(Failing())) }
    await #expect(throws: violation) { try await run(Scenario.newInTask(Failing())) }
    await #expect(throws: violation) { try await run(Scenario.firstInTasks(providers: 20) { Failing() }) }
  }
}

/// Creates what it should keep, and keeps what it should create.
private final class Faulty: AsyncProvider {
  // Kept, so that the next one is somewhere else.
  private let connections = Locked<[ConnectionImpl]>([])
  private let theReply = ReplyImpl()

  func connection() async -> any Connection {
    let connection = ConnectionImpl()
    connections.withLock { $0.append(connection) }
    return connection
  }

  func reply() async -> any Reply { theReply }
}

/// Has nothing.
private struct Failing: AsyncProvider {
  private struct Nothing: Error {}

  func connection() async throws -> any Connection { throw Nothing() }
  func reply() async throws -> any Reply { throw Nothing() }
}
