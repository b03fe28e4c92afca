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

/// A generic class.
public final class Cell<Content> {
  /// Creates a cell.
  public init() {}
}

/// A struct with any number of parameters.
public struct Row<First, each Content> {
  /// Creates a row.
  public init() {}
}

/// A protocol with an argument.
public protocol Source<Content> {
  /// What it has.
  associatedtype Content
}

extension Cell: Source {}
