internal import DependencyInjection

/// Finds uses of the shared container that may have been meant for the container of a test.
///
/// `Task.detached`, `DispatchQueue.async` and threads inherit neither the current container nor the current test. A
/// test that uses the shared container is still the current test, and code wrapped in `escaping` has a container. The
/// library cannot tell whether other code comes from a test. So it warns of each use, unless a test that uses the same
/// type ignores such code. The test reports the warning when it ends. If it has already ended, the code came too late.
final class EscapeGuard: ResolutionObserver {
  /// The locations reported so far: each is reported once while tests are running.
  private let places = Locked<Set<String>>([])

  /// Lets each location be reported again.
  func forget() { places.withLock { $0 = [] } }

  func didResolve(_ resolution: ResolutionEvent, for _: Definition?, from _: Definition?) {
    note(resolution, "was resolved from")
  }

  func didNotResolve(_ resolution: ResolutionEvent) { note(resolution, "could not be resolved from") }

  /// Has a test report registrations with the shared container when it ends.
  func willRegister(_ keys: [(key: Key, type: Any.Type)], at location: CodeLocation, _ verb: String) {
    guard let tests = ActiveTests.lostByCaller else { return }
    let concerned = keys.lazy.compactMap { tests.first(concernedBy: $0.key, of: $0.type) }.first
    report("\(SharedContainer.subject(keys.map(\.type))) \(verb) in", at: "\(location)", location, concerned, tests)
  }

  func willTrap(_ error: ResolutionError) {
    guard let tests = ActiveTests.lostByCaller else { return }
    // The code has probably lost its container, which is why the shared one lacks the registrations.
    var lines = "\(error)".split(separator: "\n").map(String.init)
    let replaced = ["nothing is registered in the shared container", "`DIContainer.escaping`"]
    lines.removeAll { line in replaced.contains { line.contains($0) } }
    lines.insert(advice(tests), at: lines.firstIndex { $0.hasPrefix("  note ") } ?? lines.endIndex)
    DITesting.report(
      lines.joined(separator: "\n"), at: FailureLocation(of: tests.firstThatReports, or: error.location))
  }

  /// Has a test report a resolution when it ends.
  private func note(_ resolution: ResolutionEvent, _ outcome: String) {
    if resolution.isContainerNamed || ActiveTests.callerHasOrigin { return }
    // A child answers for what it registers itself.
    if let answer = resolution.answer, answer.level > 0 { return }
    guard let tests = ActiveTests.current else { return reportLate(resolution) }
    // One warning is enough for a location, and for a resolution and the dependencies that its factories ask for. What
    // follows asks every running test, so it must not run for each resolution.
    if resolution.isNested || tests.firstThatReports == nil { return }
    let place = resolution.pathAndPlace
    if places.withLock({ $0.contains(place) }) { return }
    let concerned = tests.first(concernedBy: resolution.key, of: resolution.type)
    // A type that neither the shared container nor a test has registered is no sign of a lost container.
    if concerned == nil, DIContainer.shared.registry.definition(of: resolution.key) == nil,
      !tests.have(resolution.key, of: resolution.type)
    {
      return
    }
    report("'\(resolution.asked)' \(outcome)", at: place, resolution.location, concerned, tests)
  }

  /// Has a test report a use of the shared container when it ends.
  ///
  /// - Parameters:
  ///   - use: The type, and the use.
  ///   - place: The location of the use, as text.
  ///   - location: The location of the use.
  ///   - concerned: The test that uses the same type, if there is one.
  ///   - tests: The running tests.
  private func report(
    _ use: String, at place: String, _ location: CodeLocation, _ concerned: IsolatedTest?,
    _ tests: ActiveTests
  ) {
    guard let test = concerned ?? tests.firstThatReports, test.escapes != .ignore else { return }
    guard places.withLock({ $0.insert(place).inserted }) else { return }
    test.reportAtEnd(
      """
      \(use) the shared container by code that belongs to no test, or has lost the container of its test.
        \(place)
      \(advice(tests))
      """, at: location, isWarning: true)
  }

  /// Warns of a resolution that a test probably started and did not wait for.
  private func reportLate(_ resolution: ResolutionEvent) {
    // An XCTest test that is not isolated, or the setup of its class, may have asked.
    guard !TestRun.isRunning, !resolution.isNested, let test = ActiveTests.ended(thatUsed: resolution.key),
      places.withLock({ $0.insert(resolution.pathAndPlace).inserted })
    else { return }
    test.report(
      """
      A resolution of '\(resolution.asked)' from the shared container may have ended after its test.
        asked at   \(resolution.location)
        last used  \(test.name)
        note       make the test wait for the task that resolves it, or cancel the task
        note       \(escaping)
      """, at: resolution.location, isWarning: true)
  }

  private let escaping =
    "detached tasks, queues and threads do not inherit a test's container: wrap closures in `DIContainer.escaping`"

  private func advice(_ tests: ActiveTests) -> String {
    """
      running    \(tests.names)
      note       \(escaping)
      note       code that is meant to use the shared container names it, as in `DIContainer.withCurrent(.shared)`
    """
  }
}
