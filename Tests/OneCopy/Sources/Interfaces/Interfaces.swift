/// A class that the app and the library both know by name.
public class Session {
  /// Creates a session.
  public init() {}
}
