/// Registers an app's dependencies when the first one is resolved, wherever that happens.
///
/// ```swift
/// extension DIContainer: DependencyRegistering {
///   public static func registerDependencies() {
///     register(Shared(RouterImpl() as Router))
///   }
/// }
/// ```
///
/// The method is called once, before the first resolve from ``DIContainer/shared`` returns; other threads that resolve
/// in the meantime wait for it. What was registered explicitly before then is kept: an explicit registration is there
/// to override one of these.
public protocol DependencyRegistering: Sendable {
  /// Registers the dependencies, with the static `register` methods.
  static func registerDependencies()
}
