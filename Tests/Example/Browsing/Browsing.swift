import DependencyInjection
import ExampleInterfaces

// snippet: example-feature
/// The feature that shows books.
public enum Browsing {
  /// What it registers.
  public static let module = Module {
    Shared(autowire: StoredCatalog.init(database:), as: Catalog.self)
    New { @MainActor resolve, id in
      try CatalogPage(id: id, catalog: resolve.tryResolve(), cart: resolve.tryResolve()) as BookPage
    }
  }
}
// end
