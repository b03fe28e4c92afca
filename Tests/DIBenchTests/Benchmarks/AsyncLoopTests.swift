internal import DependencyInjection
internal import Foundation
internal import Testing

@testable import DIBenchmarking
@testable import di_bench

struct AsyncLoopTests {
  /// Runs a loop on a thread of its own: blocked here would be one that its tasks need.
  private func run(_ workload: Workload) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try workload.run(20, 0) }) }
    }
  }

  @Test("The container and the actor pass, and each fault in an instance is found")
  func checks() async throws {
    // The container and the actor pass.
    do {
      let container = DIContainer()
      try await run(Benchmark.sameInTask(Benchmark.asynchronous(container)))
      try await run(Benchmark.sameInTask(Benchmark.byHand()))
      try await run(Benchmark.newInTask { try await container.resolveAsync() })
      try await run(Benchmark.newInTask { await Reply.receive() })
      try await run(Benchmark.firstInTasks(providers: 20) { Benchmark.asynchronous(DIContainer()) })
      try await run(Benchmark.firstInTasks(providers: 20, Benchmark.byHand))
    }
    // An instance that is created or returned again, two instances for two tasks, and a failed resolution are found.
    do {
      await #expect(throws: Violation(message: "20 of 20 operations returned another instance of a shared class")) {
        try await run(Benchmark.sameInTask(faulty))
      }
      let reply = Reply()
      await #expect(throws: Violation(message: "20 of 20 operations returned an old instance")) {
        try await run(Benchmark.newInTask { reply })
      }
      do {
        let faulty = faulty
        await #expect(throws: Violation(message: "20 of 20 operations returned different instances to two tasks")) {
          try await run(Benchmark.firstInTasks(providers: 20) { faulty })
        }
      }
      do {
        struct Nothing: Error {}
        let failing: Benchmark.Connecting = { throw Nothing() }
        let violation = Violation(message: "a resolution failed")
        await #expect(throws: violation) { try await run(Benchmark.sameInTask(failing)) }
        await #expect(throws: violation) { try await run(Benchmark.newInTask { throw Nothing() }) }
        await #expect(throws: violation) { try await run(Benchmark.firstInTasks(providers: 20) { failing }) }
      }
    }
  }

  /// Creates another one every time.
  private var faulty: Benchmark.Connecting {
    // Kept, so that the next one has another address.
    let connections = Locked<[Connection]>([])
    return {
      let connection = Connection()
      connections.withLock { $0.append(connection) }
      return connection
    }
  }
}
