/// Something that types are registered with, and that can be copied and put back.
protocol Restorable: Sendable {
  /// Its registrations and instances at one moment.
  associatedtype Saved

  /// Registers as many types, and creates the instance of each; one of them is `Revision`, with number 0.
  init(registrations: Int)

  func save() -> Saved
  func restore(_ saved: Saved)

  /// How many types are registered in what was saved.
  static func count(of saved: Saved) -> Int

  /// Another one with the same registrations.
  func copy() -> Self

  /// How many types are registered.
  var count: Int { get }

  /// Registers another `Revision`.
  func override(revision: Int)

  /// The number of the `Revision`.
  func revision() -> Int

  /// Runs a closure for which `overriddenRevision` is possible; everything that is measured is in it.
  func whileCurrent<Result>(_ body: () throws(Violation) -> Result) throws(Violation) -> Result

  /// Drops all instances and keeps the registrations.
  func reset()

  /// The number of the `Revision`, as somebody sees it who has overridden it for a moment.
  func overriddenRevision(_ revision: Int) -> Int
}
