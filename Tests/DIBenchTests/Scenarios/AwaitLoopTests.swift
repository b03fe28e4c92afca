internal import DependencyInjection
internal import Foundation
internal import Testing

@testable import di_bench

@Suite("What the loops of tasks check")
struct AwaitLoopTests {
  /// Runs a loop on a thread of its own: blocked here would be one that its tasks need.
  private func run<Body: Loop>(_ loop: Body) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(with: Result { try loop.run(20, thread: 0) })
      }
    }
  }

  @Test("The container and the actor pass")
  func right() async throws {
    try await run(AwaitSameLoop(AsyncContainer()))
    try await run(AwaitSameLoop(AsyncActor()))
    try await run(AwaitNewLoop(AsyncContainer()))
    try await run(AwaitNewLoop(AsyncActor()))
    try await run(AwaitFirstLoop(AsyncContainer.self, providers: 20))
    try await run(AwaitFirstLoop(AsyncActor.self, providers: 20))
  }

  @Test("An instance that is created again is found")
  func recreated() async {
    await #expect(throws: Violation(message: "20 of 20 operations returned another instance of a shared class")) {
      try await run(AwaitSameLoop(Faulty()))
    }
  }

  @Test("An instance that is returned again is found")
  func reused() async {
    await #expect(throws: Violation(message: "20 of 20 operations returned an old instance")) {
      try await run(AwaitNewLoop(Faulty()))
    }
  }

  @Test("Two instances for two tasks are found")
  func twice() async {
    await #expect(throws: Violation(message: "20 of 20 operations returned another instance than to another task")) {
      try await run(AwaitFirstLoop(Faulty.self, providers: 20))
    }
  }

  @Test("A resolve that fails is found")
  func failure() async {
    let violation = Violation(message: "a resolve failed")
    await #expect(throws: violation) { try await run(AwaitSameLoop(Failing())) }
    await #expect(throws: violation) { try await run(AwaitNewLoop(Failing())) }
    await #expect(throws: violation) { try await run(AwaitFirstLoop(Failing.self, providers: 20)) }
  }
}

/// Creates what it should keep, and keeps what it should create.
private final class Faulty: AsyncProvider {
  // Kept, so that the next one is somewhere else.
  private let connections = Locked<[ConnectionImpl]>([])
  private let theReply = ReplyImpl()

  var registrations: Int? { nil }

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

  var registrations: Int? { nil }
  func connection() async throws -> any Connection { throw Nothing() }
  func reply() async throws -> any Reply { throw Nothing() }
}
