internal import DIBenchmarking
internal import DependencyInjection
internal import Dispatch

extension Benchmark {
  /// The cost of a resolution in tasks, as many as there are threads.
  ///
  /// They run in processes of their own: the threads of the tasks would still be around when others are measured.
  static let asynchronous: [Benchmark] = [
    Benchmark(
      "async/shared", "resolveAsync of a Shared that an asynchronous factory has created", inOwnProcess: .quick,
      .container(sameInTask(asynchronous(.shared))), .byHand("actor", sameInTask(byHand()))),
    Benchmark(
      "async/new", "resolveAsync of a New with an asynchronous factory", inOwnProcess: .quick,
      .container(
        { () -> Workload in
          _ = asynchronous(.shared)
          return newInTask { try await DIContainer.resolveAsync(Reply.self) }
        }()), .byHand("init", newInTask { await Reply.receive() })),
    Benchmark(
      "async/first-resolve", "two tasks per thread ask a new container for the same asynchronous Shared",
      threads: [1], inOwnProcess: .quick, gate: .none,
      .container(firstInTasks { asynchronous(DIContainer()) }), .byHand("actor", firstInTasks(byHand))),
  ]

  /// Returns the connection, which is opened once.
  typealias Connecting = @Sendable () async throws -> Connection

  static func asynchronous(_ container: DIContainer) -> Connecting {
    container.register {
      Shared { _ in await Connection.open() }
      New { _ in await Reply.receive() }
    }
    return { try await container.resolveAsync() }
  }

  /// Returns the equivalent written by hand: an actor that remembers the task that opens the connection.
  static func byHand() -> Connecting {
    let opener = Opener()
    return { await opener.value() }
  }

  private actor Opener {
    private var opening: Task<Connection, Never>?

    func value() async -> Connection {
      let opening = self.opening ?? Task { await Connection.open() }
      self.opening = opening
      return await opening.value
    }
  }

  // A thread starts a task and waits for it; the task does all operations, so that starting it does not count.

  /// Repeatedly resolves the one instance.
  static func sameInTask(_ connect: @escaping Connecting) -> Workload {
    inTask("returned another instance of a shared class") { operations in
      let expected = try await connect()
      var wrong = 0
      for _ in 0..<operations where try await connect() !== expected { wrong &+= 1 }
      return wrong
    }
  }

  static func newInTask(_ receive: @escaping @Sendable () async throws -> Reply) -> Workload {
    inTask("returned an old instance") { operations in
      // The previous one is kept, so that a new one has another address.
      var previous = try await receive()
      var wrong = 0
      for _ in 0..<operations {
        let reply = try await receive()
        if reply === previous { wrong &+= 1 }
        previous = reply
      }
      return wrong
    }
  }

  /// Makes two tasks ask new providers, one after another, for a connection that is created once.
  static func firstInTasks(providers count: Int = 2000, _ make: @escaping @Sendable () -> Connecting) -> Workload {
    let providers = (0..<count).map { _ in make() }
    let all = { @Sendable (operations: Int) async throws -> [Connection] in
      var connections: [Connection] = []
      connections.reserveCapacity(operations)
      for connect in providers.prefix(operations) { connections.append(try await connect()) }
      return connections
    }
    return inTask("returned different instances to two tasks", only: count) { operations in
      async let first = all(operations)
      async let second = all(operations)
      return try await zip(first, second).count { $0 !== $1 }
    }
  }

  private static func inTask(
    _ what: String, only: Int? = nil, _ body: @escaping @Sendable (_ operations: Int) async throws -> Int
  ) -> Workload {
    Workload(registrations: ContainerProvider.registrationCount, only: only) { operations, _ throws(Violation) in
      let result = Locked<Int?>(nil)
      let isDone = DispatchSemaphore(value: 0)
      Task.detached {
        let count = try? await body(operations)
        result.withLock { $0 = count }
        isDone.signal()
      }
      isDone.wait()
      guard let wrong = result.withLock({ $0 }) else { throw Violation(message: "a resolution failed") }
      if wrong > 0 { throw .wrong(wrong, of: operations, what) }
    }
  }

  static let all: [Benchmark] =
    resolving + forms + reentrancy + containers + contended + asynchronous + registering + lifecycle
}

/// A class with one instance, which is opened.
final class Connection: Sendable {
  @inline(never) static func open() async -> Connection { Connection() }
}

/// A type that is created anew each time.
final class Reply: Sendable {
  @inline(never) static func receive() async -> Reply { Reply() }
}
