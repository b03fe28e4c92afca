internal import DependencyInjection

#if canImport(Testing)
  internal import Testing
#endif

/// What tests do to the shared container.
///
/// Isolated containers start with what it had registered before a test changed it, and a test that changes it without
/// putting it back is warned of: tests that are not isolated get the change, later or at the same time.
enum SharedContainer {
  private static let state = Locked(State())

  private struct State {
    /// What it had before a test changed it; nil as long as none has.
    var baseline: Registry?

    /// Where tests have changed it: each place is reported once.
    var places: Set<String> = []
  }

  /// The registrations that isolated containers start with.
  ///
  /// What it has now is read first: if that has a change by a test, the baseline was kept before.
  static var baseline: Registry {
    let now = DIContainer.shared.merged()
    return state.withLock(\.baseline) ?? now
  }

  /// Watches for changes from now on.
  static func watch() { _ = isWatched }

  private static let isWatched: Void = SharedContainerGuard.set { willChange($0) }

  /// Keeps the baseline before a test changes the container for the first time, and warns of the change.
  private static func willChange(_ list: RegistrationList?) {
    guard isInTest else { return }
    let registry = state.withLock { $0.baseline == nil } ? DIContainer.shared.merged() : nil
    state.withLock { if $0.baseline == nil { $0.baseline = registry } }
    var types: [Any.Type] = []
    var location: DependencyInjection.SourceLocation?
    list?.forEach { definition in
      types += definition.types
      location = location ?? definition.location
    }
    if let location { reportLeak(of: types, at: location, "registered with") }
  }

  /// A Boolean value that indicates whether the calling code belongs to a test, as far as that can be told: in XCTest,
  /// everything that happens while tests run.
  private static var isInTest: Bool {
    #if canImport(Testing)
      if Test.current != nil { return true }
    #endif
    return TestRun.isRunning
  }

  /// Warns of a change by a test, unless somebody has a snapshot to put back.
  ///
  /// - Parameters:
  ///   - types: What is changed.
  ///   - location: Where that is written.
  ///   - verb: What is done with them, and the container.
  static func reportLeak(of types: [Any.Type], at location: DependencyInjection.SourceLocation, _ verb: String) {
    guard !Pledge.isGiven, state.withLock({ $0.places.insert("\(location)").inserted }) else { return }
    let shown = types.prefix(5).map { "'\(displayName($0))'" }.joined(separator: ", ")
    let names = types.count > 5 ? "\(shown) and \(types.count - 5) more" : shown
    report(
      """
      \(names) \(types.count == 1 ? "is" : "are") \(verb) the shared container by a test, and nothing takes that back: \
      tests that are not isolated get it too.
        changed at \(location)
        note       isolate the test with `.isolatedContainer` or `DITestCase`, or take a snapshot before and restore it
      """, at: FailureLocation(of: nil, or: location), isWarning: true)
  }
}
