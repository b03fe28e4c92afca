/// A container that registers an app's dependencies by itself, when the first one is resolved.
///
/// ```swift
/// extension DIContainer: DependencyInjection.DependencyRegistering {
///   public static func registerDependencies() {
///     register(Shared(RouterImpl() as Router))
///   }
/// }
/// ```
///
/// The name of the module in front of the protocol avoids a warning about a retroactive conformance.
///
/// The method is called once, before the first resolution from ``DIContainer/shared`` returns. Other threads that
/// resolve in the meantime wait for it. An explicit registration that was made before then overrides the one that this
/// method makes.
public protocol DependencyRegistering: Sendable {
  /// Registers the dependencies, with the static `register` methods.
  static func registerDependencies()
}
