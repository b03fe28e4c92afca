import DependencyInjection
import ExampleInterfaces

// snippet: example-feature
extension Module {
  /// The feature that shows books.
  public static let browsing = Module {
    Shared(autowire: StoredCatalog.init(database:), as: Catalog.self)
    New { @MainActor resolve, id in
      try CatalogPage(id: id, catalog: resolve.tryResolve(), cart: resolve.tryResolve()) as BookPage
    }
  }
}
// end
