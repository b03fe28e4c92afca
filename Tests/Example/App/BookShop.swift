import DependencyInjection
import ExampleBrowsing
import ExampleInterfaces
import ExampleOrdering

/// The app: the only place that knows all of its parts.
public enum BookShop {
  // snippet: example-app
  /// Everything that is registered.
  public static let module = Module {
    Platform.module
    Browsing.module
    Ordering.module
  }

  /// Registers everything, and creates what the app cannot begin without.
  public static func start() async throws {
    DIContainer.register(module)
    _ = try await DIContainer.resolveAsync(Database.self)
  }
  // end
}
