// The conformance for an app's registrations, isolated as the compiler proposes it for a function of the main actor.
// `.ci/run errors` compares it.

import DependencyInjection

extension DIContainer: @MainActor DependencyInjection.DependencyRegistering {
  // expected-error@-1 {{cannot form main actor-isolated conformance of 'DIContainer' to SendableMetatype-inheriting protocol 'DependencyRegistering'}}
  /// Registers nothing.
  @MainActor public static func registerDependencies() {}
}
