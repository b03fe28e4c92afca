internal import DependencyInjection

/// Finds overrides of the shared container that later tests get too, because nothing takes them back.
enum OverrideLeaks {
  /// Where they are: each place is reported once.
  private static let places = Locked<Set<String>>([])

  /// Warns of an override in the shared container, unless somebody has a snapshot of it.
  static func report(_ types: [Any.Type], at location: DependencyInjection.SourceLocation) {
    guard !Pledge.isGiven, places.withLock({ $0.insert("\(location)").inserted }) else { return }
    let names = types.map { "'\(displayName($0))'" }.joined(separator: ", ")
    DITesting.report(
      """
      \(names) is overridden in the shared container, and nothing takes that back: later tests get it too.
        override   \(location)
        note       isolate the test with `.isolatedContainer` or `DITestCase`, or take a snapshot before and restore it
      """, at: FailureLocation(location), isWarning: true)
  }
}
