import DependencyInjection
import ExampleInterfaces

// snippet: example-stubs
extension Module {
  /// What the tests of the features have instead of the app.
  static let stubs = Module {
    Shared(DatabaseStub() as Database)
    Shared(Echo() as Server, named: .accounts)
    Shared(Echo() as Server, named: .orders)
    Shared(Silence(), as: Log.self, Analytics.self)
  }
}
// end

struct DatabaseStub: Database {
  func title(of id: Int) -> String? { id == 1 ? "Walden" : nil }
}

/// A server that answers with the request.
struct Echo: Server {
  func send(_ request: String) async throws -> String { request }
}

struct Silence: Log, Analytics {
  func write(_ line: String) {}
  func count(_ event: String) {}
}

actor CartSpy: Cart {
  private(set) var books: [Book] = []

  func add(_ book: Book) { books.append(book) }
  func order() -> String { "" }
}
