/// The overrides that fail a test when it ends.
public struct OverrideExpectations: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Creates a set from its bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Each override that nothing has resolved.
  public static let mustBeResolved = Self(rawValue: 1)

  /// Each object that was passed to `override(_:with:)`, and that something keeps alive after the test and its
  /// container.
  ///
  /// The cause may be a task that never ends, a reference cycle, or a property of an XCTest test case, which XCTest
  /// keeps unless `tearDown` sets it to nil. If something keeps the container itself, it may keep the object as well,
  /// so the test gets only a warning.
  public static let mustBeReleased = Self(rawValue: 2)
}
