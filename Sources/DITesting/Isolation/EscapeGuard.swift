internal import DependencyInjection

#if canImport(Testing)
  internal import Testing
#endif

/// Finds resolves from the shared container that may have been meant for the container of a test.
///
/// `Task.detached`, `DispatchQueue.async` and threads do not inherit what is current. There nothing is, and no test
/// either: a test that uses the shared container is current itself, and what was wrapped in `escaping` has a container.
/// Whether such code comes from a test, nobody can tell. So it is a warning, unless a test that has to do with the type
/// wants it to be a failure, or nothing at all. A test reports it when it ends.
final class EscapeGuard: ResolutionObserver {
  /// Whether what was found at a place was a warning: each is reported once, as long as tests are running, and once more
  /// if a warning becomes a failure.
  private let findings = Locked<[String: Bool]>([:])

  /// Lets each place be reported again.
  func forget() { findings.withLock { $0 = [:] } }

  func didResolve(_ resolution: ResolutionEvent) { note(resolution, "was resolved") }

  func didNotResolve(_ resolution: ResolutionEvent) { note(resolution, "could not be resolved") }

  func willTrap(_ error: ResolutionError) {
    guard let tests = testsLeftBehind else { return }
    report(
      "\(error)\n\(advice(tests))", at: FailureLocation(of: tests.firstThatMinds, or: error.location),
      to: tests.framework)
  }

  /// Has a test report a resolve when it ends.
  private func note(_ resolution: ResolutionEvent, _ outcome: String) {
    guard let tests = testsLeftBehind else { return }
    let concerned = tests.strictest(concernedBy: resolution)
    guard let test = concerned ?? tests.firstThatMinds, test.escapes != .ignore else { return }
    // What neither the shared container nor a test has, nobody has lost.
    if concerned == nil, DIContainer.shared.definition(of: resolution.key) == nil, !tests.have(resolution) { return }
    let isWarning = concerned?.escapes != .fail
    // What factories ask for follows from what was asked first, which is warning enough.
    if isWarning && resolution.isNested { return }
    let place = resolution.pathAndPlace
    let isNews = findings.withLock { findings in
      if let wasWarning = findings[place], isWarning || !wasWarning { return false }
      findings[place] = isWarning
      return true
    }
    guard isNews else { return }
    let message = """
      '\(resolution.asked)' \(outcome) from the shared container by code that belongs to no test, or has lost its own.
        \(place)
      \(advice(tests))
      """
    test.reportAtEnd {
      report(
        message, at: FailureLocation(of: test, or: resolution.location), to: test.framework, isWarning: isWarning)
    }
  }

  private func advice(_ tests: ActiveTests) -> String {
    """
      meanwhile  \(tests.names)
      note       detached tasks, queues and threads inherit no container; wrap what they run in `DIContainer.escaping`
      note       code that uses the shared container on purpose says so with `DIContainer.withCurrent(.shared)`
    """
  }

  /// The tests that the calling code may have escaped from; nil if it is where it belongs.
  private var testsLeftBehind: ActiveTests? {
    guard DIContainer.bound == nil else { return nil }
    #if canImport(Testing)
      guard Test.current == nil else { return nil }
    #endif
    return ActiveTests.current
  }
}
