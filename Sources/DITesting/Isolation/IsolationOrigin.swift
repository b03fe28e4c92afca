/// What an isolated container starts with.
public enum IsolationOrigin: Sendable {
  /// The registrations of the container around it: those of an outer trait, or what the app registers.
  ///
  /// Those of the app are what the shared container had before a test changed it.
  case registrations

  /// Nothing.
  case empty

  /// The registrations of the container around it, each of which is unexpected unless the test registers it again.
  ///
  /// To resolve something live fails the test, which goes on with it.
  case unexpected
}
