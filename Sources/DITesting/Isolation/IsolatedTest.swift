internal import DependencyInjection

/// A test with a container of its own, from its beginning to its end.
final class IsolatedTest: Sendable {
  /// The test that the calling code belongs to, as far as its task knows.
  @TaskLocal
  static var current: IsolatedTest?

  /// The name in failures.
  let name: String

  /// The framework that runs it.
  let framework: TestFramework

  /// The handling of code that may have lost its container.
  let escapes: EscapeHandling

  /// The overrides that fail the test when it ends.
  let overrides: OverrideExpectations

  /// The enclosing test, if an outer trait began one.
  private let outer: IsolatedTest?

  /// A Boolean value that indicates whether it is a closure of `withIsolatedContainer`, which may be a part of a test.
  let isClosure: Bool

  private let state: Locked<State>

  private struct State {
    var isOver = false
    var reports: [@Sendable () -> Void] = []
    var place: FailureLocation?
    var values: [WeakReference<OverridingObject>] = []
    var mustBeReleased: [(reference: WeakReference<AnyObject>, type: Any.Type, location: CodeLocation)] = []
  }

  /// Begins a test.
  ///
  /// - Parameters:
  ///   - name: The name in failures.
  ///   - framework: The framework that runs it.
  ///   - place: The location of the test, if it is known.
  ///   - escapes: The handling of code that may have lost its container.
  ///   - overrides: The overrides that fail the test when it ends.
  ///   - outer: The enclosing test, if an outer trait began one.
  ///   - isClosure: A Boolean value that indicates whether it is a closure of `withIsolatedContainer`.
  init(
    _ name: String, in framework: TestFramework, at place: FailureLocation? = nil, escapes: EscapeHandling = .warn,
    overrides: OverrideExpectations = [], inside outer: IsolatedTest? = nil, isClosure: Bool = false
  ) {
    self.name = name
    self.framework = framework
    self.escapes = escapes
    self.overrides = overrides
    self.outer = outer
    self.isClosure = isClosure
    state = Locked(State(place: place))
  }

  /// The location for failures that occur elsewhere: that of the test or, if unknown, of its last call to this library.
  var place: FailureLocation? { state.withLock(\.place) }

  /// Returns whether code is in the module of the test.
  func isCode(at location: CodeLocation) -> Bool { location.module == TestRun.module ?? place?.code.module }

  /// Returns whether this is the given test or encloses it.
  func contains(_ other: IsolatedTest) -> Bool { other === self || other.outer.map(contains) ?? false }

  /// Remembers the location of a call to this library; only in XCTest, which does not know the locations of tests.
  func note(_ place: FailureLocation) {
    if framework == .xctest { state.withLock { $0.place = place } }
  }

  /// Notes a value of the test that overrides a registration.
  func note(_ value: OverridingObject) {
    let isOfAnotherTest = IsolatedTest.current.map { !contains($0) } ?? false
    let isExpected = overrides.contains(.mustBeReleased) && !isOfAnotherTest
    state.withLock { state in
      state.values.append(WeakReference(value))
      if isExpected { state.mustBeReleased.append((value.weakObject, value.type, value.location)) }
    }
  }

  /// The values of the test that override registrations.
  var values: [OverridingObject] { state.withLock(\.values).compactMap(\.object) }

  /// Gives up checking what has to be released, because something keeps the container, and warns if the check would
  /// have failed.
  func giveUpReleases() {
    let expected = state.withLock { exchange(&$0.mustBeReleased, with: []) }
    guard let first = expected.first(where: { $0.reference.object != nil }) else { return }
    report(
      """
      Cannot check whether '\(displayName(first.type))' is released, because something keeps the container of the test.
        overridden \(first.location)
        note       if that is a task that still runs, let the test wait for it
      """, at: first.location, isWarning: true)
  }

  /// A Boolean value that indicates whether something keeps an object that has to be released.
  var hasUnreleased: Bool { state.withLock({ $0.mustBeReleased }).contains { $0.reference.object != nil } }

  /// Fails the test if something keeps an object that has to be released.
  func reportUnreleased() {
    let property =
      framework == .xctest ? ", or a property of the test case, which XCTest keeps: set it to nil in `tearDown`" : ""
    for (reference, type, location) in state.withLock({ $0.mustBeReleased }) where reference.object != nil {
      report(
        """
        '\(displayName(type))' is still alive after its test and the container of the test.
          overridden \(location)
          note       a static property, a task or a reference cycle keeps it\(property)
        """, at: location)
    }
  }

  /// Fails this test, or warns: at the test, or at the given location if that of the test is unknown.
  func report(_ message: String, at location: CodeLocation, isWarning: Bool = false) {
    DITesting.report(message, at: FailureLocation(of: self, or: location), to: framework, isWarning: isWarning)
  }

  /// Fails this test, or warns, when it ends.
  func reportAtEnd(_ message: String, at location: CodeLocation, isWarning: Bool = false) {
    reportAtEnd { [self] in report(message, at: location, isWarning: isWarning) }
  }

  /// Keeps a report by another task until the test ends, or makes it at once if the test is over.
  ///
  /// It then becomes a failure of this test: a report outside of all tests may be shown several times.
  func reportAtEnd(_ report: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.reports.append(report) }
      return state.isOver
    }
    if isOver { report() }
  }

  /// Ends the test, and makes the reports that were kept.
  func end() {
    Reports.makeAll()
    let reports = state.withLock { state in
      state.isOver = true
      return exchange(&state.reports, with: [])
    }
    for report in reports { report() }
  }
}
