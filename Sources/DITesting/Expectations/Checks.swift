internal import DependencyInjection

/// A statement about how often something is resolved or created; each check reports one failure.
struct Check {
  /// What is counted.
  enum Subject { case resolves, creations }

  let expected: ExpectedResolve
  let subject: Subject

  /// The container that is asked, if it is not any.
  let container: DIContainer?

  let location: FailureLocation

  init(
    _ expected: ExpectedResolve, _ subject: Subject = .resolves, in container: DIContainer?,
    _ location: FailureLocation
  ) {
    self.expected = expected
    self.subject = subject
    self.container = container
    self.location = location
  }

  /// Fails the test unless it has happened a number of times since its isolation began.
  func callAsFunction(_ times: some ExpectedTimes) {
    guard let recorder else { return }
    check(times.expectedTimes, resolutions(of: recorder), unlisted: unlisted(of: recorder))
  }

  /// Fails the test unless a closure does it a number of times.
  func callAsFunction<Result>(_ times: some ExpectedTimes, during body: () throws -> Result) rethrows -> Result {
    guard let recorder else { return try body() }
    let closure = ObservedClosure(recorder)
    let result = try ResolutionObservation.$scope.withValue(closure, operation: body)
    check(times.expectedTimes, among(closure.resolutions, recorder))
    return result
  }

  /// Fails the test unless an asynchronous closure does it a number of times.
  func callAsFunction<Result>(
    _ times: some ExpectedTimes, isolation: isolated (any Actor)?, during body: () async throws -> Result
  ) async rethrows -> Result {
    guard let recorder else { return try await body() }
    let closure = ObservedClosure(recorder)
    let result = try await ResolutionObservation.$scope.withValue(closure, operation: body, isolation: isolation)
    check(times.expectedTimes, among(closure.resolutions, recorder))
    return result
  }

  /// What has happened so far; nothing, and a failure of the test, if nothing is recorded.
  var resolutions: [ResolutionEvent] { recorder.map { resolutions(of: $0) } ?? [] }

  /// How often it has happened so far; 0, and a failure of the test, if nothing is recorded.
  var count: Int { recorder.map { resolutions(of: $0).count + unlisted(of: $0) } ?? 0 }

  // MARK: What is counted

  private var recorder: ResolutionRecorder? {
    DITesting.recorder(in: container, "the \(subject) of \(expected.description)", location)
  }

  private func resolutions(of recorder: ResolutionRecorder) -> [ResolutionEvent] {
    among(recorder.resolutions, recorder)
  }

  private func among(_ all: [ResolutionEvent], _ recorder: ResolutionRecorder) -> [ResolutionEvent] {
    let meant = all.filter { subject == .resolves ? expected.includes($0) : expected.isCreated(by: $0) }
    return container.map { recorder.among(meant, from: $0) } ?? meant
  }

  /// How often it has happened since the list was full.
  private func unlisted(of recorder: ResolutionRecorder) -> Int {
    recorder.unlisted.reduce(0) { sum, others in
      switch subject {
      case .resolves: sum + (expected.includes(others.example) ? others.resolves : 0)
      case .creations: sum + (expected.isAnswered(by: others.example) ? others.creations : 0)
      }
    }
  }

  private func check(_ times: some RangeExpression<Int>, _ resolutions: [ResolutionEvent], unlisted: Int = 0) {
    let total = resolutions.count + unlisted
    guard !times.contains(total) else { return }
    let verb = subject == .resolves ? "resolved" : "created"
    let expectation =
      times.contains(0) && !times.contains(1) ? "not to be \(verb)" : "to be \(verb) \(description(of: times))"
    let actual = total == 0 ? "it was not" : "it was \(verb) \(DITesting.count(total))"
    report("Expected \(expected.description) \(expectation), but \(actual).", resolutions, of: total, at: location)
  }
}

/// Fails the test unless something was resolved one after the other.
func checkOrder(_ expected: [ExpectedResolve], in container: DIContainer?, _ location: FailureLocation) {
  guard let first = expected.first else { return }
  guard let recorder = recorder(in: container, "the resolves of \(first.description)", location) else { return }
  let all = container.map { recorder.among(recorder.resolutions, from: $0) } ?? recorder.resolutions
  let resolutions = all.filter { resolution in expected.contains { $0.includes(resolution) } }
  var rest = resolutions[...]
  var previous: ExpectedResolve?
  for next in expected {
    guard let index = rest.firstIndex(where: { next.includes($0) }) else {
      let list = expected.map(\.description).joined(separator: ", ")
      let after = previous.map { " after \($0.description)" } ?? ""
      let actual = "but \(next.description) was not resolved\(after)"
      return report(
        "Expected \(list) to be resolved in this order, \(actual).", resolutions, of: resolutions.count, at: location)
    }
    rest = rest[(index + 1)...]
    previous = next
  }
}

/// Fails the test if it has overridden something that nothing has asked for.
func checkOverrides(_ location: FailureLocation) {
  guard let recorder = recorder(in: nil, "the overrides", location) else { return }
  let unused = recorder.unusedOverrides
  if unused.isEmpty { return }
  let lines = unused.map { override in
    "  \(override.keys.map { displayName($0.type) }.joined(separator: ", ")) (\(override.location))"
  }
  let summary =
    "Expected every override to be resolved, but nothing asked for \(unused.count == 1 ? "this one" : "these"):"
  report(([summary] + lines).joined(separator: "\n"), at: location)
}

/// The recorder of the test, if it watches a container; otherwise nothing can be counted, which is a failure.
func recorder(in container: DIContainer?, _ subject: String, _ location: FailureLocation) -> ResolutionRecorder? {
  let recorder = DIContainer.current.recorder ?? container?.recorder
  recorder?.test.note(location)
  Reports.makeAll()
  guard let recorder else {
    let isIsolated = ActiveTests.running(DIContainer.bound) != nil
    report("Nothing counts \(subject): \(isIsolated ? notRecorded : notIsolated)", at: location)
    return nil
  }
  if let container, !recorder.isWatching(container) {
    report("Nothing counts \(subject) in this container: \(notOfTest)", at: location)
    return nil
  }
  return recorder
}

private let notIsolated =
  "the test is not isolated. Add the trait `.isolatedContainer`, inherit from `DITestCase`, or call "
  + "`restoreRegistrationsAfterTest()`."
private let notRecorded = "the test has `recording: false`."
private let notOfTest =
  "it was created before the isolation of the test began, or by code that belongs to no test. Create it in the test."

/// How many resolves a failure lists.
private let listed = 20

private func report(_ summary: String, _ resolutions: [ResolutionEvent], of total: Int, at location: FailureLocation) {
  let lines = resolutions.prefix(listed).map { "  \($0.pathAndPlace)" }
  let more = total > lines.count ? ["  … and \(total - lines.count) more"] : []
  report(([summary] + lines + more).joined(separator: "\n"), at: location)
}

private func description(of times: some RangeExpression<Int>) -> String {
  switch times {
  case let times as ClosedRange<Int>: description(from: times.lowerBound, to: times.upperBound)
  case let times as Range<Int>: description(from: times.lowerBound, to: times.upperBound - 1)
  case let times as PartialRangeFrom<Int>: "at least \(count(times.lowerBound))"
  case let times as PartialRangeThrough<Int>: description(to: times.upperBound)
  case let times as PartialRangeUpTo<Int>: description(to: times.upperBound - 1)
  default: "\(times) times"
  }
}

private func description(from first: Int, to last: Int) -> String {
  if last < max(first, 0) { return impossible }
  return first == last ? count(first) : "\(first) to \(last) times"
}

private func description(to last: Int) -> String { last < 0 ? impossible : "at most \(count(last))" }

private let impossible = "a number of times that the empty range does not have"

private func count(_ times: Int) -> String {
  times == 1 ? "once" : "\(times) times"
}
