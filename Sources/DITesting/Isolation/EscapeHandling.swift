/// The handling of code that belongs to no test and uses the shared container while an isolated test runs.
///
/// Such code may have lost the container of a test, because detached tasks, queues and threads do not inherit it. It
/// may also be the app, or a test that uses the shared container on purpose. The library cannot tell which. Code that
/// names `DIContainer.shared`, or that runs inside `DIContainer.withCurrent(.shared)`, uses the container on purpose.
/// Such code causes no warning, unless an isolated test registers a mock with `DIContainer.shared`, because the test
/// does not see that mock.
public enum EscapeHandling: Sendable {
  /// Warns about such code.
  case warn

  /// Reports nothing.
  case ignore
}
