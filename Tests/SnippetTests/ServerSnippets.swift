import DITesting
import DependencyInjection
import Dispatch
import Foundation
import Synchronization
import Testing

// What stands between the markers stands in the article on servers, word for word.

struct Request: Sendable {
  let id: Int
  let path: String
}

struct Response: Sendable {
  let text: String
}

protocol Handler {
  func respond() async throws -> Response
}

actor ConnectionPool {
  private(set) var isOpen = true

  static func open(_ address: String) async throws -> ConnectionPool {
    await Task.yield()
    return ConnectionPool()
  }

  func close() { isOpen = false }

  func name(_ id: String) -> String { "user \(id)" }
}

struct Users: Sendable {
  let pool: ConnectionPool
}

struct UserHandler: Handler {
  let request: Request
  let users: Users

  func respond() async throws -> Response { await Response(text: users.pool.name(request.path)) }
}

struct RequestContext: Sendable {
  let id: Int
}

final class ServerConfiguration: Sendable {
  static func load() async throws -> ServerConfiguration {
    await Task.yield()
    return ServerConfiguration()
  }
}

struct AuditTrail: Sendable {
  let context: RequestContext
}

typealias Next = @Sendable (Request) async throws -> Response

/// A server that begins each request as an event loop does: on a thread that belongs to no task.
struct TestServer: Sendable {
  private let container: Serving.RequestContainer

  init(_ container: Serving.RequestContainer) { self.container = container }

  func send(_ request: Request) async throws -> Response {
    let responses = AsyncThrowingStream.makeStream(of: Response.self)
    DispatchQueue.global().async {
      Task {
        do {
          responses.continuation.yield(try await container.respond(to: request, next: Serving.handle))
          responses.continuation.finish()
        } catch {
          responses.continuation.finish(throwing: error)
        }
      }
    }
    for try await response in responses.stream { return response }
    throw CancellationError()
  }
}

// snippet: server-module
extension Module {
  static let serving = Module {
    Shared { try await ConnectionPool.open("db.example.org") }
    Shared(autowire: Users.init(pool:))
    New { resolve, request in UserHandler(request: request, users: resolve()) as Handler }
  }
}
// end

// snippet: server-request-module
extension Module {
  static let perRequest = Module {
    Scoped(in: .container, autowire: AuditTrail.init(context:))
  }
}
// end

// snippet: server-wrong-scope
// Wrong: all requests have the same trail, and the first request that ends the scope ends it for all.
extension Module {
  static let wrong = Module {
    Scoped(in: .request) { AuditTrail(context: RequestContext(id: .random(in: 1...1000))) }
  }
}
// end

enum Serving {
  // snippet: server-main
  static func main() async throws {
    DIContainer.register {
      Module.serving
      Module.perRequest
    }
    if LaunchContext.current.has("--check") { return try await check() }
    let pool = try await DIContainer.resolveAsync(ConnectionPool.self)
    try await serve()
    await pool.close()
    DIContainer.current.reset()
  }
  // end

  static func serve() async throws {
    #expect(try await handle(Request(id: 1, path: "a")).text == "user a")
  }

  // snippet: server-handle
  static func handle(_ request: Request) async throws -> Response {
    try await DIContainer.resolve(Handler.self) { request }.respond()
  }
  // end

  // snippet: server-middleware
  struct RequestContainer: Sendable {
    private let app = DIContainer.current  // when the server starts

    func respond(to request: Request, next: Next) async throws -> Response {
      let container = DIContainer(parent: app)
      container.register(Shared(RequestContext(id: request.id)))
      return try await DIContainer.withCurrent(container) { try await next(request) }
    }
  }
  // end

  // snippet: server-check
  static func check() async throws {
    let container = DIContainer(parent: .current)
    container.register(Shared(RequestContext(id: 0)))
    try await container.verify(arguments: { _ in Request(id: 0, path: "/") })
  }
  // end

  protocol Database: Sendable {
    var name: String { get }

    func transaction(_ body: @escaping @Sendable (any Database) async throws -> Void) async throws
  }

  struct Connections: Database {
    let name = "pool"

    /// Calls the closure as an event loop does, in a task that inherits nothing.
    func transaction(_ body: @escaping @Sendable (any Database) async throws -> Void) async throws {
      try await Task.detached { try await body(Connection()) }.value
    }
  }

  struct Connection: Database {
    let name = "transaction"

    func transaction(_ body: @escaping @Sendable (any Database) async throws -> Void) async throws {
      try await body(self)
    }
  }

  protocol Orders: Sendable {
    func add(_ item: String) async throws
  }

  struct SQLOrders: Orders {
    let database: any Database

    func add(_ item: String) async throws {
      let request = DIContainer.resolve(RequestContext.self).id
      DIContainer.resolve(Calls<String>.self)("\(item): \(database.name), request \(request)")
    }
  }

  // snippet: server-repositories
  static let repositories = Module {
    New { resolve in SQLOrders(database: resolve()) as Orders }
  }
  // end

  // snippet: server-transaction
  static func order(_ item: String) async throws {
    let request = DIContainer.current
    try await DIContainer.resolve(Database.self).transaction { transaction in
      let container = DIContainer(parent: request)
      container.register(Shared(transaction as Database))
      try await DIContainer.withCurrent(container) {
        try await DIContainer.resolve(Orders.self).add(item)
      }
    }
  }
  // end

  struct Tenant: Sendable {
    let name: String
  }

  final class SearchIndex: Sendable {
    let tenant: Tenant

    init(tenant: Tenant) { self.tenant = tenant }
  }

  // snippet: server-tenant
  static func container(for tenant: Tenant, in app: DIContainer) -> DIContainer {
    let container = DIContainer(parent: app)
    container.register {
      Shared(tenant)
      Shared(autowire: SearchIndex.init(tenant:))  // one for each tenant
    }
    return container
  }
  // end

  protocol Service: Sendable {
    func run() async throws
  }

  actor Consumer: Service {
    private(set) var hasRun = false

    func run() async throws { hasRun = true }
  }

  struct WebServer: Service {
    let consumer: Consumer

    func run() async throws { #expect(await consumer.hasRun) }
  }

  /// Runs one service after the other.
  struct ServiceGroup {
    let services: [any Service]

    func run() async throws {
      for service in services { try await service.run() }
    }
  }

  // snippet: server-services
  static let services = Module {
    Shared(Consumer())
    Shared({ resolve in resolve(Consumer.self) as Service }, named: "consumer")
    Shared({ resolve in WebServer(consumer: resolve()) as Service }, named: "web server")
  }

  static func run() async throws {
    let group = ServiceGroup(services: DIContainer.resolveAll(Service.self))  // and a logger
    try await group.run()
  }
  // end

  // snippet: server-reload
  static func reload(with container: DIContainer) async throws {
    let configuration = try await ServerConfiguration.load()
    container.register(Shared(configuration))
  }
  // end

  // snippet: server-detached
  static func record(_ text: String) {
    Task.detached(
      operation: DIContainer.escaping {
        let trail = DIContainer.resolve(AuditTrail.self)  // that of the request
        print("\(trail.context.id): \(text)")
      })
  }
  // end

  struct StreamedResponse: Sendable {
    let body: @Sendable (inout Writer) async throws -> Void
  }

  struct Writer {
    private(set) var text = ""

    mutating func write(_ text: String) async throws { self.text += text }
  }

  // snippet: server-streaming
  static func export() -> StreamedResponse {
    let container = DIContainer.current  // that of the request
    return StreamedResponse { writer in
      try await DIContainer.withCurrent(container) {
        let trail = DIContainer.resolve(AuditTrail.self)
        try await writer.write("exported for \(trail.context.id)")
      }
    }
  }
  // end

  // snippet: server-sendable
  protocol Mailer: Sendable {
    func send(_ text: String) async throws
  }
  // end
}

extension Serving {
  // snippet: server-app-test
  @Suite(
    .isolatedContainer(.empty) {
      Module.serving
      Module.perRequest
    })
  struct ServerTests {
    @Test(arguments: ["a", "b"])
    func respond(path: String) async throws {
      DIContainer.override(ConnectionPool.self, with: ConnectionPool())
      let server = TestServer(RequestContainer())
      let response = try await server.send(Request(id: 1, path: path))
      #expect(response.text == "user \(path)")
      expectResolved(Handler.self, times: 1)
    }
  }
  // end
}

extension Scope {
  static let request = Scope("request")
}

// snippet: server-test
@Suite(
  .isolatedContainer(.empty) {
    Module.serving
    Module.perRequest
    Shared(RequestContext(id: 1))
  })
struct ServerRegistrationTests {
  @Test func everythingResolves() async {
    await verifyRegistrations(arguments: { _ in Request(id: 1, path: "/") })
  }
}
// end

@Suite(.isolatedContainer(.empty))
struct ServerSnippets {
  @Test("starting, serving, stopping and checking")
  func main() async throws {
    // Starting, serving and stopping.
    try await withIsolatedContainer(.empty) {
      try await Serving.main()
      expectResolved(Handler.self, times: 1)
      expectResolved(ConnectionPool.self, times: 2)
      #expect(throws: ResolutionError.self) { try DIContainer.tryResolve(ConnectionPool.self) }
    }
    // A check, with the context of a request.
    try await withIsolatedContainer(.empty) {
      DIContainer.register {
        Module.serving
        Module.perRequest
      }
      try await Serving.check()
      await #expect(throws: VerificationError.self) {
        try await DIContainer.current.verify(arguments: { _ in Request(id: 0, path: "/") })
      }
    }
    // A scope is shared by all requests.
    withIsolatedContainer(.empty) {
      DIContainer.register(Module.wrong)
      let (one, other) = (DIContainer(parent: .current), DIContainer(parent: .current))
      #expect(one.resolve(AuditTrail.self).context.id == other.resolve(AuditTrail.self).context.id)
    }
  }

  @Test("a configuration that is loaded again replaces the former one for all who ask")
  func reload() async throws {
    let request = DIContainer(parent: .current)
    try await Serving.reload(with: .current)
    let former = request.resolve(ServerConfiguration.self)
    #expect(request.resolve(ServerConfiguration.self) === former)
    try await Serving.reload(with: .current)
    #expect(request.resolve(ServerConfiguration.self) !== former)
  }

  @Test("a request on a thread of the server has the container of the app that the test starts")
  func threads() async throws {
    DIContainer.register {
      Module.serving
      Module.perRequest
    }
    _ = try await DIContainer.resolveAsync(ConnectionPool.self)
    let server = TestServer(Serving.RequestContainer())
    #expect(try await server.send(Request(id: 1, path: "a")).text == "user a")
    expectResolved(Handler.self, times: 1)
  }

  @Test("a body that is written after the request resolves from the container of the request")
  func streaming() async throws {
    DIContainer.register(Module.perRequest)
    let export = Mutex<Serving.StreamedResponse?>(nil)
    _ = try await Serving.RequestContainer().respond(to: Request(id: 7, path: "")) { _ in
      export.withLock { $0 = Serving.export() }
      return Response(text: "")
    }
    let response = try #require(export.withLock { $0 })
    var writer = Serving.Writer()
    try await response.body(&writer)
    #expect(writer.text == "exported for 7")
  }

  @Test("a repository uses the connection of the transaction, and belongs to the request")
  func transaction() async throws {
    let added = Calls<String>()
    DIContainer.override(Calls<String>.self, with: added)
    DIContainer.register {
      Serving.repositories
      Shared(Serving.Connections() as Serving.Database)
    }
    _ = try await Serving.RequestContainer().respond(to: Request(id: 3, path: "")) { _ in
      try await Serving.order("tea")
      try await DIContainer.resolve(Serving.Orders.self).add("milk")
      return Response(text: "")
    }
    #expect(added.all == ["tea: transaction, request 3", "milk: pool, request 3"])
  }

  @Test("the requests of a tenant share what belongs to the tenant")
  func tenants() {
    let app = DIContainer.current
    let (tea, coffee) = (
      Serving.container(for: .init(name: "tea"), in: app), Serving.container(for: .init(name: "coffee"), in: app)
    )
    let requests = [tea, tea, coffee].map { DIContainer(parent: $0) }
    let indexes = requests.map { $0.resolve(Serving.SearchIndex.self) }
    #expect(indexes[0] === indexes[1] && indexes[0] !== indexes[2])
    #expect(indexes.map(\.tenant.name) == ["tea", "tea", "coffee"])
  }

  @Test("a group runs the services in the order of registration, and each once")
  func services() async throws {
    DIContainer.register(Serving.services)
    try await Serving.run()
    #expect(await DIContainer.resolve(Serving.Consumer.self).hasRun)
    expectCreated(Serving.Consumer.self, times: 1)
  }

  @Test("each request has a container of its own, and shares what is not its own")
  func requests() async throws {
    DIContainer.register {
      Module.serving
      Module.perRequest
    }
    let pool = try await DIContainer.resolveAsync(ConnectionPool.self)
    try await withThrowingTaskGroup { group in
      for id in 1...8 {
        group.addTask {
          try await Serving.RequestContainer().respond(to: Request(id: id, path: "")) { request in
            #expect(DIContainer.resolve(AuditTrail.self).context.id == request.id)
            #expect(DIContainer.resolve(ConnectionPool.self) === pool)
            async let nested = DIContainer.resolve(AuditTrail.self).context.id
            #expect(await nested == request.id)
            let carried = DIContainer.escaping { DIContainer.resolve(AuditTrail.self).context.id }
            #expect(await Task.detached { carried() }.value == request.id)
            return Response(text: "")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(throws: ResolutionError.self) { try DIContainer.tryResolve(AuditTrail.self) }
  }
}
