/// The overrides of a test that are failures of it when it ends.
public struct OverrideExpectations: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Creates a set from its bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Each override that nothing has resolved.
  public static let mustBeResolved = Self(rawValue: 1)

  /// Each object that `override(_:with:)` was given, and that something keeps alive after the test and its container.
  public static let mustBeReleased = Self(rawValue: 2)
}
