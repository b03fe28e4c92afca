/// What is done about code that uses the shared container while an isolated test runs, and belongs to no test.
///
/// It may have lost the container of a test, because detached tasks, queues and threads inherit none. It may as well be
/// the app, or a part of a test that uses the shared container on purpose. Nobody can tell.
public enum EscapeHandling: Sendable {
  /// It is a failure of a test that overrides, registers or resolves the same type.
  case fail

  /// It is a warning.
  case warn

  /// It is left alone.
  case ignore
}
