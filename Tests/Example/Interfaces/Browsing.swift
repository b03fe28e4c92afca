/// A book that the shop sells.
public struct Book: Hashable, Sendable {
  /// What tells it from all others.
  public let id: Int

  /// What is printed on it.
  public let title: String

  /// Creates a book.
  public init(id: Int, title: String) {
    self.id = id
    self.title = title
  }
}

/// Finds books.
public protocol Catalog: Sendable {
  /// The book with a number, if there is one.
  func book(_ id: Int) -> Book?
}

/// What a screen shows of one book.
@MainActor
public protocol BookPage: AnyObject {
  /// The title of the book.
  var title: String { get }

  /// Adds the book to the cart.
  func addToCart() async
}
