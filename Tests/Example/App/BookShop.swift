import DependencyInjection
import ExampleBrowsing
import ExampleInterfaces
import ExampleOrdering

// snippet: example-app
extension Module {
  /// The app, which alone knows all of its parts.
  public static let bookShop = Module {
    Module.platform
    Module.browsing
    Module.ordering
  }
}

/// The start of the app.
public enum BookShop {
  /// Registers everything, and creates what the app cannot begin without.
  public static func start() async throws {
    DIContainer.register(Module.bookShop)
    _ = try await DIContainer.resolveAsync(Database.self)
  }
}
// end
