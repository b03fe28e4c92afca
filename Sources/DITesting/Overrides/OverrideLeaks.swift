internal import DependencyInjection

/// Finds overrides of the shared container that later tests get too, because nothing takes them back.
enum OverrideLeaks {
  /// Where they are: each place is reported once.
  private static let places = Locked<Set<String>>([])

  /// Warns of an override for which there is neither a test with a container of its own nor a snapshot.
  static func report(_ definition: Definition) {
    guard places.withLock({ $0.insert("\(definition.location)").inserted }) else { return }
    let names = definition.types.map { "'\(displayName($0))'" }.joined(separator: ", ")
    DITesting.report(
      """
      \(names) is overridden in the shared container, and nothing takes that back: later tests get it too.
        override   \(definition.location)
        note       isolate the test with `.isolatedContainer` or `DITestCase`, or take a snapshot before and restore it
      """, at: FailureLocation(definition.location), isWarning: true)
  }
}
