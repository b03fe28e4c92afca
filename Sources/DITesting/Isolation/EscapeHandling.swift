/// The handling of code that uses the shared container while an isolated test runs, and belongs to no test.
///
/// Such code may have lost the container of a test, because detached tasks, queues and threads do not inherit it. It may
/// also be the app, or a test that uses the shared container on purpose. The library cannot tell which. Code that names the
/// container, `DIContainer.shared`, means it, and so does code inside `DIContainer.withCurrent(.shared)`. Only a mock that an
/// isolated test registers with `DIContainer.shared` is a warning, because the test does not see it.
public enum EscapeHandling: Sendable {
  /// Warns.
  case warn

  /// Reports nothing.
  case ignore
}
