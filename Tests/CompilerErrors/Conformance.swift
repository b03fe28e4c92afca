// A client's conformance of the container, without a warning in either language mode. The articles show it.

import DependencyInjection

extension DIContainer: DependencyInjection.DependencyRegistering {
  /// Registers nothing.
  public static func registerDependencies() {}
}
