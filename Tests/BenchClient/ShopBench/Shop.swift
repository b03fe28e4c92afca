import DependencyInjection
import Foundation
import Synchronization

/// The modules of the app.
extension Module {
  static let shop = Module {
    Shared(Catalog.init)
    New { resolve in Checkout(catalog: resolve()) }
  }
}

/// The prices, which any thread may ask for.
final class Catalog: Sendable {
  private let prices = Mutex(Dictionary(uniqueKeysWithValues: (0..<100).map { ($0, $0 * 3) }))

  func price(of item: Int) -> Int { prices.withLock { $0[item % 100] ?? 0 } }
}

/// A type that takes some microseconds to create, a quarter more where the environment says so.
final class Checkout: Sendable {
  private static let items = ProcessInfo.processInfo.environment["SHOP_SLOWED"] == nil ? 400 : 500
  let total: Int

  init(catalog: Catalog) {
    total = (0..<Self.items).reduce(0) { total, item in total &+ catalog.price(of: item) }
  }
}
