/// The registrations that an isolated container starts with.
public enum IsolationOrigin: Sendable {
  /// The registrations of the current container, such as that of an outer trait; if none was made current, those of the
  /// app.
  ///
  /// The registrations of the app are those of the shared container before a test changed it.
  case registrations

  /// No registrations.
  case empty

  /// The same registrations as ``registrations``, which the test has to override before it resolves them.
  ///
  /// Otherwise, the test fails and continues with the instance of the app.
  case unexpected
}
