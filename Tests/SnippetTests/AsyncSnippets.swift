import DependencyInjection
import Foundation
import Testing

// What stands between the markers stands in the article on asynchronous dependencies, word for word.

final class Database: Sendable {
  static func open(_ config: AppConfiguration) async throws -> Database {
    await Task.yield()
    return Database()
  }
}

final class Account: Sendable {
  static func signIn() async throws -> Account {
    await Task.yield()
    return Account()
  }
}

final class SyncEngine: Sendable {
  let database: Database

  init(_ database: Database, _ account: Account) { self.database = database }
}

struct Document: Sendable {
  let id: String

  static func load(id: String, from database: Database) async throws -> Document {
    await Task.yield()
    return Document(id: id)
  }
}

final class Thumbnails: Sendable {
  static func load() async throws -> Thumbnails {
    await Task.yield()
    return Thumbnails()
  }
}

final class Transaction: Sendable {
  static func begin() async throws -> Transaction {
    await Task.yield()
    return Transaction()
  }
}

@MainActor
final class Stage {
  init(_ database: Database) async { await Task.yield() }
}

final class Index: Sendable {}

enum Asynchronous {
  // snippet: async-declare
  static let account = Dependency<Account>(.shared) { _ in try await Account.signIn() }
  // end

  // snippet: async-actor
  actor Importer {
    func makeIndex(_ resolve: Resolver) async throws -> Index {
      _ = try await resolve.resolveAsync(Database.self)
      return Index()
    }
  }
  // end

  // snippet: async-preload
  static func launch() async throws {
    async let database = DIContainer.resolveAsync(Database.self)
    async let account = DIContainer.resolveAsync(Account.self)
    _ = try await (database, account)
  }
  // end

  // snippet: async-after-launch
  struct Library {
    @Inject var database: Database  // exists since launch
  }
  // end
}

struct AsyncSnippets {
  @Test("registering and resolving")
  func resolving() async throws {
    try await DIContainer.withCurrent(DIContainer()) {
      // snippet: async-register
      DIContainer.register {
        Shared(AppConfigurationImpl() as AppConfiguration)
        Shared { resolve in try await Database.open(resolve()) }
      }

      let database = try await DIContainer.resolveAsync(Database.self)
      // end
      #expect(DIContainer.resolve(Database.self) === database)
      // snippet: async-dependencies
      DIContainer.register {
        Shared { try await Account.signIn() }
        Shared { resolve in
          async let database = resolve.resolveAsync(Database.self)
          async let account = resolve.resolveAsync(Account.self)
          return try await SyncEngine(database, account)
        }
      }
      // end
      #expect(try await DIContainer.resolveAsync(SyncEngine.self).database === database)
      #expect(try await Asynchronous.account.resolveAsync() === Asynchronous.account())
    }
  }

  @Test("every lifetime, and preloading")
  func lifetimes() async throws {
    // Every lifetime.
    do {
      let container = DIContainer()
      container.register {
        Shared(AppConfigurationImpl() as AppConfiguration)
        Shared { resolve in try await Database.open(resolve()) }
      }
      try await DIContainer.withCurrent(container) {
        // snippet: async-lifetimes
        DIContainer.register {
          New { resolve, id in try await Document.load(id: id, from: resolve.resolveAsync()) }
          Weak { try await Thumbnails.load() }
          PerGraph { try await Transaction.begin() }
          Scoped(in: .session) { _ in try await Account.signIn() }
        }

        let document: Document = try await DIContainer.resolveAsync { "42" }
        // end
        #expect(document.id == "42")
        let thumbnails = try await DIContainer.resolveAsync(Thumbnails.self)
        #expect(try await DIContainer.resolveAsync(Thumbnails.self) === thumbnails)
        let transaction = try await DIContainer.resolveAsync(Transaction.self)
        #expect(try await DIContainer.resolveAsync(Transaction.self) !== transaction)
        let account = try await DIContainer.resolveAsync(Account.self)
        #expect(DIContainer.resolve(Account.self) === account)
        DIContainer.reset(.session)
        #expect(try await DIContainer.resolveAsync(Account.self) !== account)
      }
    }
    // Preloading.
    do {
      let container = DIContainer()
      container.register {
        Shared(AppConfigurationImpl() as AppConfiguration)
        Shared { resolve in try await Database.open(resolve()) }
        Shared { try await Account.signIn() }
      }
      try await DIContainer.withCurrent(container) {
        try await Asynchronous.launch()
        #expect(Asynchronous.Library().database === DIContainer.resolve(Database.self))
        _ = DIContainer.resolve(Account.self)
      }
    }
  }

  @Test("actors")
  func actors() async throws {
    let container = DIContainer()
    container.register {
      Shared(AppConfigurationImpl() as AppConfiguration)
      Shared { resolve in try await Database.open(resolve()) }
    }
    try await DIContainer.withCurrent(container) {
      typealias Importer = Asynchronous.Importer
      _ = try await DIContainer.resolveAsync(Database.self)
      // snippet: async-isolated
      let importer = Importer()

      DIContainer.register {
        Shared { @MainActor resolve in await Stage(resolve()) }  // only ever on the main actor
        Shared(importer.makeIndex)  // on that actor
        Shared(onMain: Screen() as Router)  // not asynchronous, but on the main actor
      }

      let stage = try await DIContainer.resolveAsync(Stage.self)
      let index = try await DIContainer.resolveAsync(Index.self)
      let router = try await DIContainer.resolveAsync(Router.self)
      // end
      #expect(DIContainer.resolve(Stage.self) === stage)
      #expect(DIContainer.resolve(Index.self) === index)
      #expect(DIContainer.resolve(Router.self) === router)
    }
  }

  @Test("the texts of the errors")
  func errorTexts() async throws {
    let article = try String(contentsOfFile: documentPath("AsynchronousDependencies"), encoding: .utf8)
    let container = DIContainer()
    #sourceLocation(file:"App/Launch.swift",line:12)
    container.register(Shared { try await Account.signIn() })
    func ask() throws { _ = try DIContainer.tryResolve(Account.self) }
    #sourceLocation()
    let asynchronous = #expect(throws: ResolutionError.self) { try DIContainer.withCurrent(container) { try ask() } }
    let text = try #require(asynchronous).description.replacing("SnippetTests/", with: "App/")
    #expect(article.contains("```text\n\(text)\n```"), "the article should show:\n\(text)")
  }
}

/// The path of an article of the core.
func documentPath(_ name: String, file: String = #filePath) -> String {
  let path = "../../../Sources/DependencyInjection/DependencyInjection.docc/\(name).md"
  return URL(fileURLWithPath: file).appendingPathComponent(path).standardized.path
}
