import ExampleInterfaces

final class CatalogPage: BookPage {
  private let book: Book?
  private let cart: Cart

  init(id: Int, catalog: Catalog, cart: Cart) {
    book = catalog.book(id)
    self.cart = cart
  }

  var title: String { book?.title ?? "Out of print" }

  func addToCart() async {
    if let book { await cart.add(book) }
  }
}
