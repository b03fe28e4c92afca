import DependencyInjection
import Foundation

/// The modules of the app.
enum Shop {
  static let module = Module {
    Shared(Catalog.init)
    New { resolve in Checkout(catalog: resolve()) }
  }
}

final class Catalog: Sendable {}

/// A type that takes some microseconds to create, a quarter more where the environment says so.
final class Checkout: Sendable {
  private static let steps = ProcessInfo.processInfo.environment["SHOP_SLOWED"] == nil ? 40_000 : 50_000
  let catalog: Catalog
  let total: UInt64

  init(catalog: Catalog) {
    self.catalog = catalog
    // Each step needs the one before, so none can be left out.
    total = (0..<Self.steps).reduce(1) { total, step in (total &* 0x5851_F42D_4C95_7F2D) &+ UInt64(step) }
  }
}
