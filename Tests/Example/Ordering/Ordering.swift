import DependencyInjection
import ExampleInterfaces

/// The feature that sells books.
public enum Ordering {
  // snippet: example-session
  /// What it registers.
  public static let module = Module {
    Shared { resolve in ShopAccount(server: resolve(named: .accounts)) as Account }
    Scoped(in: .session) { resolve in
      SessionCart(customer: resolve(), server: resolve(named: .orders), log: resolve()) as Cart
    }
  }
  // end
}
