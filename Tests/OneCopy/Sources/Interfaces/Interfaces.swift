/// A protocol that the app and the library both know by name.
public protocol Greeting {}

/// A class.
public class Session {
  /// Creates a session.
  public init() {}
}

/// A generic struct.
public struct Page<Content> {
  /// Creates a page.
  public init() {}
}
