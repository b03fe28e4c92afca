internal import DependencyInjection

/// Remembers what a test resolves and overrides, and tells the test of what must not happen.
final class ResolutionRecorder: ResolutionObserver {
  /// The test whose container this watches, for messages.
  let test: String

  /// The framework that runs the test.
  let framework: TestFramework

  private let state = Locked(State())

  private struct State {
    var resolutions: [ResolutionEvent] = []

    /// What has been overridden or asked for.
    var keys: Set<Key> = []

    var overrides: [Override] = []

    /// What the container of the test started with, as long as it runs.
    var origin: Registry?

    var isOver = false
    var reports: [@Sendable () -> Void] = []

    /// Notes that a test has to do with a key, and so with everything that is registered for its type: `resolveAll`
    /// resolves what has a name or none, and no `Dependency`.
    mutating func use(_ key: Key, of type: Any.Type, isDependency: Bool) {
      keys.insert(key)
      if !isDependency { keys.insert(.names(of: type)) }
    }

    /// What ended after the test, and where it was asked for: each is reported once.
    var latePlaces: Set<String> = []
  }

  /// Something that the test has put in the place of something else.
  struct Override {
    let keys: [(key: Key, type: Any.Type)]
    let location: SourceLocation
    var isResolved = false

    /// Returns whether a resolve got what this registers.
    func answers(_ resolution: ResolutionEvent) -> Bool {
      guard let registration = resolution.registration, registration.line == location.line else { return false }
      return keys.contains { $0.key == resolution.key } && "\(registration.file)" == "\(location.file)"
    }
  }

  init(for test: String, in framework: TestFramework) {
    self.test = test
    self.framework = framework
  }

  // MARK: Recording

  func didResolve(_ resolution: ResolutionEvent) {
    let isOver = state.withLock { state in
      if state.isOver { return true }
      state.resolutions.append(resolution)
      state.use(resolution.key, of: resolution.type, isDependency: resolution.isOfDependency)
      // The newest one, because it is the one that answers.
      let answer = state.overrides.lastIndex { $0.answers(resolution) }
      if let answer { state.overrides[answer].isResolved = true }
      return false
    }
    if isOver { reportLate(resolution) } else { ObservedClosure.innermost?.add(resolution, to: self) }
  }

  func didNotResolve(_ resolution: ResolutionEvent) {
    if state.withLock(\.isOver) { reportLate(resolution) }
  }

  func willTrap(_ error: ResolutionError) {
    report("\(error)", at: FailureLocation(error.location), to: framework)
  }

  /// Takes down what a test overrides, before that can be resolved.
  func note(_ override: Definition) {
    let isDependency = override.isOfDependency
    let override = Override(keys: override.keys, location: override.location)
    state.withLock { state in
      state.overrides.append(override)
      for (key, type) in override.keys { state.use(key, of: type, isDependency: isDependency) }
    }
  }

  /// Takes down what the container of the test starts with.
  func start(with registrations: Registry) { state.withLock { $0.origin = registrations } }

  /// Lets go of what the test's container has started with, when nobody asks for that any more.
  func letGo() {
    let origin = state.withLock { $0.origin.take() }
    _ = consume origin
  }

  /// Keeps what another task has to report until the test ends, or reports it at once if that is over.
  ///
  /// Then it is a failure of this test; what is reported outside of all tests may be shown several times.
  func reportAtEnd(_ report: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.reports.append(report) }
      return state.isOver
    }
    if isOver { report() }
  }

  /// Says that the test is over: nothing ought to be resolved any more.
  func end() {
    let reports = state.withLock { state in
      state.isOver = true
      defer { state.reports = [] }
      return state.reports
    }
    for report in reports { report() }
  }

  // MARK: Asking

  /// Everything that was resolved, in order.
  var resolutions: [ResolutionEvent] { state.withLock(\.resolutions) }

  /// Returns whether something has been overridden or asked for.
  func hasUsed(_ key: Key) -> Bool { state.withLock { $0.keys.contains(key) } }

  /// Returns whether the test's container has got one of these since it started, besides the defaults.
  func hasRegistered(_ registrations: [(key: Key, record: Registry.Record)]) -> Bool {
    guard !registrations.isEmpty, let origin = state.withLock(\.origin) else { return false }
    return registrations.contains { key, record in
      !record.isDefault && origin.records[key]?.definition !== record.definition
    }
  }

  /// What has been overridden and never asked for.
  var unusedOverrides: [Override] {
    state.withLock { state in state.overrides.filter { !$0.isResolved } }
  }

  // MARK: Reporting

  /// Reports what a place has asked for once; what factories ask for follows from that.
  private func reportLate(_ resolution: ResolutionEvent) {
    guard !resolution.isNested, state.withLock({ $0.latePlaces.insert(resolution.pathAndPlace).inserted }) else {
      return
    }
    report(
      """
      A resolve of '\(resolution.asked)' ended after its test was over.
        asked at   \(resolution.location)
        test       \(test)
        note       let the test wait for the task that asks, or cancel it
      """, at: FailureLocation(resolution.location), to: framework)
  }
}
