internal import DependencyInjection
internal import Dispatch

// A thread starts a task and waits for it; the task does all operations, so that starting it does not count.

/// Resolves the one instance again and again.
struct AwaitSameLoop<Source: AsyncProvider>: Loop {
  private let provider: Source

  init(_ provider: Source) {
    self.provider = provider
  }

  var registrations: Int? { provider.registrations }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    let provider = provider
    let wrong = awaitResult {
      let expected = try await provider.connection().identity
      var wrong = 0
      for _ in 0..<operations {
        if try await provider.connection().identity != expected { wrong &+= 1 }
      }
      return wrong
    }
    try check(wrong, of: operations, "returned another instance of a shared class")
  }
}

/// Resolves new instances.
struct AwaitNewLoop<Source: AsyncProvider>: Loop {
  private let provider: Source

  init(_ provider: Source) {
    self.provider = provider
  }

  var registrations: Int? { provider.registrations }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    let provider = provider
    let wrong = awaitResult {
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
    try check(wrong, of: operations, "returned an old instance")
  }
}

/// Two tasks ask new providers, one after the other, for what is created once.
struct AwaitFirstLoop<Source: AsyncProvider>: Loop {
  private let providers: [Source]

  init(_: Source.Type, providers count: Int = 2000) {
    providers = (0..<count).map { _ in Source() }
  }

  var registrations: Int? { providers.first?.registrations }
  var onlyOperations: Int? { providers.count }

  func run(_ operations: Int, thread _: Int) throws(Violation) {
    let providers = providers.prefix(operations)
    let wrong = awaitResult {
      async let first = Self.identities(providers)
      async let second = Self.identities(providers)
      return try await zip(first, second).count { $0 != $1 }
    }
    try check(wrong, of: operations, "returned another instance than to another task")
  }

  private static func identities(_ providers: ArraySlice<Source>) async throws -> [ObjectIdentifier] {
    var identities: [ObjectIdentifier] = []
    identities.reserveCapacity(providers.count)
    for provider in providers { identities.append(try await provider.connection().identity) }
    return identities
  }
}

extension Loop {
  /// What a task returns, for the thread that has started it; nil if it fails.
  fileprivate func awaitResult(_ body: @escaping @Sendable () async throws -> Int) -> Int? {
    let result = Locked<Int?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      let count = try? await body()
      result.withLock { $0 = count }
      isDone.signal()
    }
    isDone.wait()
    return result.withLock { $0 }
  }

  fileprivate func check(_ wrong: Int?, of operations: Int, _ what: String) throws(Violation) {
    guard let wrong else { throw Violation(message: "a resolve failed") }
    if wrong > 0 { throw .wrong(wrong, of: operations, what) }
  }
}
