import ExampleInterfaces

actor SessionCart: Cart {
  private(set) var books: [Book] = []

  private let customer: Customer?
  private let server: Server
  private let log: Log

  /// Creates an empty cart, for a guest if there is no customer.
  init(customer: Customer?, server: Server, log: Log) {
    self.customer = customer
    self.server = server
    self.log = log
  }

  func add(_ book: Book) {
    books.append(book)
    log.write("\(books.count) in the cart")
  }

  func order() async throws -> String {
    let titles = books.map(\.title).joined(separator: ", ")
    return try await server.send("order \(titles) for \(customer?.name ?? "a guest")")
  }
}
