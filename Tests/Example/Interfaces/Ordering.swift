import DependencyInjection

/// Somebody who has logged in; registered for that time, and for no longer.
public struct Customer: Hashable, Sendable {
  /// What the shop calls them.
  public let name: String

  /// Creates a customer.
  public init(name: String) {
    self.name = name
  }
}

/// Logs customers in and out.
public protocol Account: Sendable {
  /// Begins a session.
  func logIn(as name: String) async throws

  /// Ends the session.
  func logOut()
}

/// What somebody is going to buy.
public protocol Cart: Sendable {
  /// Everything that has been added.
  var books: [Book] { get async }

  /// Adds a book.
  func add(_ book: Book) async

  /// Buys it all, and returns what the server says.
  func order() async throws -> String
}

// snippet: example-scope
extension Scope {
  /// From one login or logout to the next.
  public static let session = Scope("session")
}
// end
