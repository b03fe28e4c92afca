import DependencyInjection
import ExampleInterfaces

// snippet: example-session
extension Module {
  /// The feature that sells books.
  public static let ordering = Module {
    Shared { resolve in ShopAccount(server: resolve(named: .accounts)) as Account }
    Scoped(in: .session) { resolve in
      SessionCart(customer: resolve(), server: resolve(named: .orders), log: resolve()) as Cart
    }
  }
}
// end
