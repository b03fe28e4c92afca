internal import DependencyInjection

/// Something that tasks resolve from.
protocol AsyncProvider: Sendable {
  /// One that has created nothing yet.
  init()

  /// How many registrations it has; nil if it does not register anything.
  var registrations: Int? { get }

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

/// The shared container through its static methods, as apps use it.
struct AsyncShared: AsyncProvider {
  fileprivate static let module = Module {
    Shared { _ in await ConnectionImpl.open() as any Connection }
    New { _ in await ReplyImpl.receive() as any Reply }
  }

  init() {
    _ = ContainerProvider.installed
    DIContainer.register(Self.module)
  }

  var registrations: Int? { ContainerProvider.registrationCount + 2 }

  func connection() async throws -> any Connection { try await DIContainer.resolveAsync() }
  func reply() async throws -> any Reply { try await DIContainer.resolveAsync() }
}

/// A container of its own.
struct AsyncContainer: AsyncProvider {
  private let container = DIContainer()

  init() { container.register(AsyncShared.module) }

  var registrations: Int? { 2 }

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

  var registrations: Int? { nil }

  func connection() async -> any Connection { await opener.value() }

  @inline(never)
  func reply() async -> any Reply { await ReplyImpl.receive() }
}
