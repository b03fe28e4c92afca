import DependencyInjection
import ExampleInterfaces

// snippet: example-window
/// What the app shows first.
@MainActor
public final class ShopWindow {
  @Inject private var analytics: Analytics
  @LazyInject private var account: Account

  /// Opens the page of a book.
  public func open(_ id: Int) -> BookPage {
    analytics.count("book \(id)")
    return DIContainer.resolve(BookPage.self) { id }
  }

  /// Lets somebody leave.
  public func close() { account.logOut() }

  /// Opens the shop, once everything is registered.
  public init() {}
}
// end
