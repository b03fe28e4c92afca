import DependencyInjection
import ExampleInterfaces

// snippet: example-platform
extension Module {
  /// What the features need, and only the app can provide.
  static let platform = Module {
    Shared(Configuration())
    Shared { resolve in try await BundledDatabase.open(resolve(Configuration.self).edition) as Database }
    Shared({ resolve in LocalServer(host: resolve(Configuration.self).accounts) as Server }, named: .accounts)
    Shared({ resolve in LocalServer(host: resolve(Configuration.self).orders) as Server }, named: .orders)
    Shared(Journal(), aliases: { $0 as Log }, { $0 as Analytics })
  }
}
// end

struct Configuration {
  let edition = "first"
  let accounts = "accounts.example.org"
  let orders = "orders.example.org"
}

/// Stands for a file, which takes a while to open.
struct BundledDatabase: Database {
  private let titles: [Int: String]

  static func open(_ edition: String) async throws -> BundledDatabase {
    await Task.yield()
    return BundledDatabase(titles: [1: "Walden, \(edition) edition", 2: "Middlemarch, \(edition) edition"])
  }

  func title(of id: Int) -> String? { titles[id] }
}

/// Stands for a client of a server.
struct LocalServer: Server {
  let host: String

  func send(_ request: String) async throws -> String { "\(host): \(request)" }
}

/// Where both what is logged and what is counted goes.
final class Journal: Log, Analytics {
  func write(_ line: String) { print(line) }

  func count(_ event: String) { print("#\(event)") }
}
