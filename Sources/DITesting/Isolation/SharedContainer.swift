internal import DependencyInjection

#if canImport(Testing)
  internal import Testing
#endif

/// The changes that tests make to the shared container.
///
/// Isolated containers start with its registrations from before the first change by a test. A change that nothing
/// restores causes a warning, unless the code names the container, because tests that are not isolated see it, too.
enum SharedContainer {
  private static let state = Locked(State())

  private struct State {
    /// The registrations before a test changed them; nil if none has.
    var baseline: DIContainer?

    /// The locations at which it was changed: each is reported once.
    var places: Set<String> = []
  }

  /// Returns a copy of the registrations that isolated containers start with.
  static func copy() -> DIContainer {
    // Before the baseline is read: if this includes a change by a test, the baseline already exists.
    let present = copyOfPresent()
    return state.withLock(\.baseline).map { DIContainer(copying: $0.registry, withObservers: false) } ?? present
  }

  private static func copyOfPresent() -> DIContainer {
    DIContainer(copying: DIContainer.shared.registry, withObservers: false)
  }

  /// Watches for changes from now on.
  static func watch() { _ = isWatched }

  private static let isWatched: Void = SharedContainerGuard.set { willChange($0, removingBy: $1, isNamed: $2) }

  /// Keeps the baseline before a test changes the container for the first time, and warns of the change.
  ///
  /// Code that names the shared container changes it on purpose.
  private static func willChange(_ list: RegistrationList?, removingBy method: String?, isNamed: Bool) {
    var keys: [(key: Key, type: Any.Type)] = []
    var location: CodeLocation?
    var verb = "decorated"
    list?.forEach { definition in
      keys += definition.keys
      if !definition.isDecoration { verb = "registered" }
      location = location ?? definition.location
    }
    if isInTest {
      keepBaseline()
      if method != nil { IsolationCheck.checkChange() }
      if isNamed {
        guard let location, let test = ActiveTests.running(DIContainer.bound), test.test.isCode(at: location) else {
          return
        }
        return reportUnseen(keys.map(\.type), at: location, verb)
      }
      if let location { reportLeak(of: keys.map(\.type), at: location, verb) }
      if let method {
        let test = TestFramework.nameOfTest ?? ""
        reportLeak(
          "`\(method)` changed", "  test       \(test)", once: "\(test) \(method)",
          at: FailureLocation(of: nil, or: .init()))
      }
    } else if !isNamed, let location {
      ActiveTests.escapeGuard.willRegister(keys, at: location, verb)
    }
  }

  /// Notes that a test overrides types in the container, and warns of it.
  static func willOverride(_ types: [Any.Type], at location: CodeLocation) {
    if isInTest { keepBaseline() }
    if ActiveTests.running(DIContainer.bound) != nil {
      reportUnseen(types, at: location, "overridden")
    } else {
      reportLeak(of: types, at: location, "overridden")
    }
  }

  /// Keeps the registrations as they are before a test changes them for the first time.
  static func keepBaseline() {
    guard state.withLock({ $0.baseline == nil }) else { return }
    let copy = copyOfPresent()
    state.withLock { if $0.baseline == nil { $0.baseline = copy } }
  }

  /// A Boolean value that indicates whether the calling code belongs to a test, as far as is known: in XCTest,
  /// everything that happens while tests run.
  private static var isInTest: Bool { TestFramework.isInSwiftTesting || TestRun.isRunning }

  /// Returns the beginning of a sentence about some types, with the names of the first few and the auxiliary verb.
  static func subject(_ types: [Any.Type]) -> String {
    // A type that is registered and decorated is listed once.
    let (text, count) = shortList(of: types.map { "'\(displayName($0))'" })
    return "\(text) \(count == 1 ? "was" : "were")"
  }

  /// Warns of a change that an isolated test makes where its code does not see it.
  private static func reportUnseen(_ types: [Any.Type], at location: CodeLocation, _ change: String) {
    guard state.withLock({ $0.places.insert("\(location)").inserted }) else { return }
    report(
      """
      \(subject(types)) \(change) in the shared container, but the test has a container of its own, which does not see it.
        changed at \(location)
        note       use `DIContainer.override` or `DIContainer.register`, without `shared`
        note       code that is meant to use the shared container names it, as in `DIContainer.withCurrent(.shared)`
      """, at: FailureLocation(of: nil, or: location), isWarning: true)
  }

  private static var phase: String { isInClassSetUp ? "outside of a test" : "during a test" }

  /// The advice to somebody who changes the container where this code runs.
  static var advice: String {
    if ActiveTests.lostByCaller != nil {
      return "if a task or a thread has lost the container of its test, wrap the closure in `DIContainer.escaping`"
    }
    let isNotCurrent = "the container of the test is not current here: list the registration in"
    if isInXCTest, TestRun.isIsolated { return "\(isNotCurrent) `registrations`, or override in `setUp`" }
    #if canImport(Testing)
      if Test.current?.traits.contains(where: { $0 is IsolatedContainerTrait }) == true {
        return "\(isNotCurrent) the closure of `.isolatedContainer`, or override in the test"
      }
    #endif
    // Swift Testing runs other tests at the same time, which a snapshot does not help.
    guard isInXCTest else { return "isolate the test with `.isolatedContainer`, or in XCTest with `DITestCase`" }
    return isInClassSetUp
      ? "`class func setUp` runs before the containers of the tests exist: override in `setUp`, or register in `registrations`"
      : "isolate the test with `DITestCase`, or take a snapshot first and restore it"
  }

  private static var isInXCTest: Bool { !TestFramework.isInSwiftTesting && TestRun.isRunning }

  /// A Boolean value that indicates whether XCTest is running code before the first or after the last test of a class.
  private static var isInClassSetUp: Bool { isInXCTest && TestRun.name == nil }

  /// Warns of registrations during a test, unless a snapshot is restored.
  ///
  /// - Parameters:
  ///   - types: The types that are registered or overridden.
  ///   - location: The location of the change.
  ///   - change: The kind of the change, as a participle.
  private static func reportLeak(of types: [Any.Type], at location: CodeLocation, _ change: String) {
    reportLeak(
      "\(subject(types)) \(change) in", "  changed at \(location)", once: "\(location)",
      at: FailureLocation(of: nil, or: location))
  }

  private static func reportLeak(_ change: String, _ line: String, once: String, at location: FailureLocation) {
    let (phase, advice, framework) = (phase, advice, TestFramework.current)
    RestorableChanges.report {
      guard state.withLock({ $0.places.insert(once).inserted }) else { return }
      let text = """
        \(change) the shared container \(phase), and nothing restores it: tests that are not isolated see the change.
        \(line)
          note       \(advice)
        """
      report(text, at: location, to: framework, isWarning: true)
    }
  }
}
