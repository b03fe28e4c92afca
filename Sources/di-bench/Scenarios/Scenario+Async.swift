internal import DIBenchmarking
internal import DependencyInjection
internal import Dispatch

extension Scenario {
  /// What it costs to resolve in tasks, as many as there are threads.
  ///
  /// In processes of their own: the threads of the tasks would still be about when others are measured.
  static let asynchronous: [Scenario] = [
    Scenario(
      "async/shared", "resolveAsync of a Shared that an asynchronous factory has created", inOwnProcess: .quick,
      .container(sameInTask(AsyncContainer(.shared))), .byHand("actor", sameInTask(AsyncActor()))),
    Scenario(
      "async/new", "resolveAsync of a New with an asynchronous factory", inOwnProcess: .quick,
      .container(newInTask(AsyncContainer(.shared))), .byHand("init", newInTask(AsyncActor()))),
    Scenario(
      "async/first-resolve", "two tasks per thread ask a new container for the same asynchronous Shared",
      isConcurrent: false, inOwnProcess: .quick, gate: .none,
      .container(firstInTasks { AsyncContainer(DIContainer()) }), .byHand("actor", firstInTasks { AsyncActor() })),
  ]

  // A thread starts a task and waits for it; the task does all operations, so that starting it does not count.

  /// Resolves the one instance again and again.
  static func sameInTask(_ provider: some AsyncProvider) -> Workload {
    inTask("returned another instance of a shared class") { operations in
      let expected = try await provider.connection().identity
      var wrong = 0
      for _ in 0..<operations {
        if try await provider.connection().identity != expected { wrong &+= 1 }
      }
      return wrong
    }
  }

  /// Resolves new instances.
  static func newInTask(_ provider: some AsyncProvider) -> Workload {
    inTask("returned an old instance") { operations in
      // The one before is kept, so that a new one is somewhere else.
      var previous = try await provider.reply()
      var wrong = 0
      for _ in 0..<operations {
        let reply = try await provider.reply()
        if reply.identity == previous.identity { wrong &+= 1 }
        previous = reply
      }
      return wrong
    }
  }

  /// Two tasks ask new providers, one after the other, for what is created once.
  static func firstInTasks(
    providers count: Int = 2000, _ make: @escaping @Sendable () -> some AsyncProvider
  ) -> Workload {
    let providers = (0..<count).map { _ in make() }
    return inTask("returned another instance than to another task", only: count) { operations in
      async let first = identities(providers.prefix(operations))
      async let second = identities(providers.prefix(operations))
      return try await zip(first, second).count { $0 != $1 }
    }
  }

  private static func identities(_ providers: ArraySlice<some AsyncProvider>) async throws -> [ObjectIdentifier] {
    var identities: [ObjectIdentifier] = []
    identities.reserveCapacity(providers.count)
    for provider in providers { identities.append(try await provider.connection().identity) }
    return identities
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
      guard let wrong = result.withLock({ $0 }) else { throw Violation(message: "a resolve failed") }
      if wrong > 0 { throw .wrong(wrong, of: operations, what) }
    }
  }
}

/// Something that tasks resolve from.
protocol AsyncProvider: Sendable {
  /// The same instance every time.
  func connection() async throws -> any Connection

  /// A new instance.
  func reply() async throws -> any Reply
}

/// What is opened once.
protocol Connection: Sendable {
  /// Which instance this is.
  var identity: ObjectIdentifier { get }
}

/// The one implementation of `Connection`.
final class ConnectionImpl: Connection {
  @inline(never)
  static func open() async -> ConnectionImpl { ConnectionImpl() }

  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// What everybody gets a new instance of.
protocol Reply: Sendable {
  /// Which instance this is.
  var identity: ObjectIdentifier { get }
}

/// The one implementation of `Reply`.
final class ReplyImpl: Reply {
  @inline(never)
  static func receive() async -> ReplyImpl { ReplyImpl() }

  var identity: ObjectIdentifier { ObjectIdentifier(self) }
}

/// A container.
struct AsyncContainer: AsyncProvider {
  private let container: DIContainer

  init(_ container: DIContainer) {
    self.container = container
    container.register {
      Shared { _ in await ConnectionImpl.open() as any Connection }
      New { _ in await ReplyImpl.receive() as any Reply }
    }
  }

  func connection() async throws -> any Connection { try await container.resolveAsync() }
  func reply() async throws -> any Reply { try await container.resolveAsync() }
}

/// What one would write by hand: an actor that remembers who has begun to open.
struct AsyncActor: AsyncProvider {
  private actor Opener {
    private var connection: (any Connection)?
    private var opening: Task<any Connection, Never>?

    func value() async -> any Connection {
      if let connection { return connection }
      let opening = self.opening ?? Task { await ConnectionImpl.open() }
      self.opening = opening
      let connection = await opening.value
      self.connection = connection
      return connection
    }
  }

  private let opener = Opener()

  func connection() async -> any Connection { await opener.value() }

  @inline(never)
  func reply() async -> any Reply { await ReplyImpl.receive() }
}

extension Scenario {
  /// Every scenario, in the order of the table.
  static let all: [Scenario] =
    resolving + forms + reentrancy + containers + contended + asynchronous + registering + lifecycle
}
