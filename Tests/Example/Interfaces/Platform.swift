import DependencyInjection

/// Where the titles of all books are kept.
public protocol Database: Sendable {
  /// The title of a book, if there is one with that number.
  func title(of id: Int) -> String?
}

/// A server, which answers requests.
public protocol Server: Sendable {
  /// Sends a request and returns the answer.
  func send(_ request: String) async throws -> String
}

extension DependencyName {
  /// The server that knows the customers.
  public static let accounts: Self = "accounts"

  /// The server that takes orders.
  public static let orders: Self = "orders"
}

/// Writes down what happens, for developers.
public protocol Log: Sendable {
  /// Writes a line.
  func write(_ line: String)
}

/// Counts what customers do.
public protocol Analytics: Sendable {
  /// Counts an event.
  func count(_ event: String)
}
