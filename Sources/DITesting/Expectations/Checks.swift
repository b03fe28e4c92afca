internal import DependencyInjection

/// A statement about how often something is resolved or created; each check reports one failure.
struct Check {
  /// The events that a check counts.
  enum Subject { case resolutions, creations }

  let expected: ExpectedResolutions
  let subject: Subject

  /// The container whose events count; nil for any container of the test.
  let container: DIContainer?

  let location: FailureLocation

  init(
    _ expected: ExpectedResolutions, _ subject: Subject = .resolutions, in container: DIContainer?,
    _ location: FailureLocation
  ) {
    self.expected = expected
    self.subject = subject
    self.container = container
    self.location = location
  }

  /// Fails the test unless the number of events since its isolation began is as expected.
  func expect(_ times: some ExpectedTimes) {
    guard let recorder else { return }
    check(
      times.expectedTimes, resolutions(of: recorder), of: recorder.resolutions, unlisted: unlisted(of: recorder))
  }

  /// Fails the test unless the number of events during a closure is as expected.
  func expect<Result>(_ times: some ExpectedTimes, during body: () throws -> Result) rethrows -> Result {
    guard let recorder else { return try body() }
    let closure = ObservedClosure(recorder)
    let result = try DIContainer.observing(by: closure, body)
    check(times.expectedTimes, among(closure.resolutions, recorder), of: closure.resolutions, isOfClosure: true)
    return result
  }

  /// Fails the test unless the number of events during an asynchronous closure is as expected.
  func expect<Result>(
    _ times: some ExpectedTimes, isolation: isolated (any Actor)?, during body: () async throws -> Result
  ) async rethrows -> Result {
    guard let recorder else { return try await body() }
    let closure = ObservedClosure(recorder)
    let result = try await DIContainer.observing(by: closure, isolation: isolation, body)
    check(times.expectedTimes, among(closure.resolutions, recorder), of: closure.resolutions, isOfClosure: true)
    return result
  }

  /// Waits until the number of events since the isolation of the test began is as expected, and fails the test if that
  /// takes too long.
  func expect(_ times: some ExpectedTimes, within limit: Duration) async throws {
    guard let recorder else { return }
    let expected = times.expectedTimes
    try Task.checkCancellation()
    if expected.contains(0) {
      let verb = subject == .resolutions ? "resolved" : "created"
      return report(
        """
        Cannot wait until \(self.expected.description) is \(verb) \(description(of: expected)): 0 is one of these numbers, \
        so the wait would end at once.
          note       wait for the end of the work, and then expect without `within:`
        """, at: location)
    }
    var (found, others): ([ResolutionEvent], Int) = ([], 0)
    await recorder.wait(atMost: limit) {
      (found, others) = (resolutions(of: recorder), unlisted(of: recorder))
      // Reached or exceeded.
      return (0...(found.count + others)).contains { expected.contains($0) }
    }
    try Task.checkCancellation()
    check(expected, found, of: recorder.resolutions, unlisted: others, within: limit)
  }

  /// The events so far; none, and a failure of the test, if nothing is recorded.
  var resolutions: [ResolutionEvent] { recorder.map { resolutions(of: $0) } ?? [] }

  /// The number of events so far; 0, and a failure of the test, if nothing is recorded.
  var count: Int { recorder.map { resolutions(of: $0).count + unlisted(of: $0) } ?? 0 }

  // MARK: Counting

  private var recorder: ResolutionRecorder? {
    DITesting.recorder(in: container, "count the \(subject) of \(expected.description)", location)
  }

  private func resolutions(of recorder: ResolutionRecorder) -> [ResolutionEvent] {
    among(recorder.resolutions, recorder)
  }

  private func among(_ all: [ResolutionEvent], _ recorder: ResolutionRecorder) -> [ResolutionEvent] {
    let meant = all.filter { subject == .resolutions ? expected.includes($0) : expected.isCreated(by: $0) }
    return recorder.among(meant, from: container?.registry.number)
  }

  /// The number of events since the list was full.
  private func unlisted(of recorder: ResolutionRecorder) -> Int {
    recorder.unlisted.reduce(0) { sum, others in
      if recorder.among([others.example], from: container?.registry.number).isEmpty { return sum }
      switch subject {
      case .resolutions: return sum + (expected.includes(others.example) ? others.resolutions : 0)
      case .creations: return sum + (expected.isAnswered(by: others.example) ? others.creations : 0)
      }
    }
  }

  private func check(
    _ times: some RangeExpression<Int>, _ resolutions: [ResolutionEvent], of all: [ResolutionEvent], unlisted: Int = 0,
    within limit: Duration = .zero, isOfClosure: Bool = false
  ) {
    let total = resolutions.count + unlisted
    guard !times.contains(total) else {
      if total == 0 { warnIfVacuous() }
      return
    }
    let verb = subject == .resolutions ? "resolved" : "created"
    let expectation =
      times.contains(0) && !times.contains(1) ? "not to be \(verb)" : "to be \(verb) \(description(of: times))"
    let actual = total == 0 ? "it was not" : "it was \(verb) \(DITesting.count(total))"
    let time = limit > .zero ? " within \(limit)" : ""
    let summary = "Expected \(expected.description) \(expectation)\(time), but \(actual)."
    var notes = total == 0 ? nearMisses(in: all) : []
    if notes.isEmpty, total == 0, isOfClosure, subject == .resolutions, let other = self.resolutions.last {
      notes = ["it was resolved, but not by the closure or a task that it started, at \(other.pathAndPlace)"]
    }
    report(summary, resolutions, of: total, notes: notes, at: location)
  }
}

extension Check {
  /// Returns notes on what happened instead of the expected events.
  private func nearMisses(in resolutions: [ResolutionEvent]) -> [String] {
    if subject == .creations, resolutions.contains(where: { expected.isAnswered(by: $0) }),
      let created = recorder?.resolutions.last(where: { expected.isCreated(by: $0) })
    {
      return ["it existed already, created at \(created.pathAndPlace)"]
    }
    var others: [String] = []
    for other in resolutions where !expected.includes(other) {
      guard isSubtype(expected.type, of: other.type) else { continue }
      let asked = other.isOfDependency ? "a declared dependency" : "'\(other.asked)'"
      let note =
        other.type == expected.type
        ? "it was resolved as \(asked) at \(other.location)"
        : "\(asked) was resolved at \(other.location): expect "
          + (other.isOfDependency ? "that dependency" : "the type that is asked for")
      if !others.contains(note), others.count < 3 { others.append(note) }
    }
    return others
  }

  /// Warns of an expectation that probably cannot fail, because the code uses another container, name, type or form.
  private func warnIfVacuous() {
    guard let recorder else { return }
    // For the container of the test, it may mean that the code uses another container.
    if let number = container?.registry.number, number != recorder.container {
      return recorder.test.reportAtEnd { [expected, location] in
        guard recorder.among(recorder.resolutions, from: number).isEmpty else { return }
        report(
          """
          Nothing was resolved from this container, so \(expected.description) could not be, either.
            note       pass the container that the code uses, or none for all containers of the test
          """, at: location, isWarning: true)
      }
    }
    let registry = (container ?? .current).registry
    let hasOther = !registry.visibleDefinitions(of: expected.type).isEmpty
    let name = expected.name == .any ? nil : expected.name
    // A child, a copy or another container of the test may have it, too.
    let isFound =
      name == nil && hasOther || registry.visibleDefinition(of: expected.key) != nil
      || recorder.hasRegistered(expected.key)
    let statement = Statement(
      verb: subject == .resolutions ? .unresolved : .uncreated, keys: [(expected.key, expected.type)], name: name,
      declarationLocation: expected.declarationLocation, isFound: isFound, location: nil)
    // A type that the test registers or overrides is another dependency on purpose.
    let requests = Requests(recorder.resolutions)
    if let text = statement.warning(about: requests, mentioned: recorder.mentionedKeys, in: recorder.test) {
      report(text, at: location, isWarning: true)
    } else if hasOther, !isFound {
      report(
        """
        Nothing is registered as \(expected.description), so nothing could resolve it.
          note       use the name that the code asks for, or none for all names
        """, at: location, isWarning: true)
    }
  }
}

/// Fails the test unless the expected resolutions occurred in order.
func checkOrder(_ expected: [ExpectedResolutions], in container: DIContainer?, _ location: FailureLocation) {
  guard let first = expected.first else { return }
  guard let recorder = recorder(in: container, "count the resolutions of \(first.description)", location) else {
    return
  }
  let all = recorder.among(recorder.resolutions, from: container?.registry.number)
  let resolutions = all.filter { resolution in expected.contains { $0.includes(resolution) } }
  var rest = resolutions[...]
  var previous: ExpectedResolutions?
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

/// Returns the recorder of the test, or fails the test if there is none, or if it does not watch the container.
func recorder(in container: DIContainer?, _ task: String, _ location: FailureLocation) -> ResolutionRecorder? {
  let recorder = DIContainer.current.recorder ?? container?.recorder
  recorder?.test.note(location)
  Reports.makeAll()
  guard let recorder else {
    let isRecorded = (ActiveTests.ofCaller ?? ActiveTests.running(DIContainer.bound)).map { $0.recorder != nil }
    let reason =
      switch isRecorded {
      case true?: " in the current container: \(notOfTest)"
      case false?: ": \(notRecorded)"
      case nil: ": \(ActiveTests.lostByCaller != nil ? containerLost : notIsolated)"
      }
    report("Cannot \(task)\(reason)", at: location)
    return nil
  }
  if let container, !container.observers.contains(where: { $0 === recorder }) {
    report("Cannot \(task) in this container: \(container == .shared ? replaced : notOfTest)", at: location)
    return nil
  }
  return recorder
}

private let notIsolated =
  "the test is not isolated. Add the trait `.isolatedContainer`; in XCTest, inherit from `DITestCase`, or call "
  + "`restoreRegistrationsAfterTest()`."
private let containerLost =
  "this code has lost the container of its test. Detached tasks, queues and threads do not inherit it: wrap the closure in "
  + "`DIContainer.escaping`."
let notRecorded = "the test has `recording: false`."
private let replaced =
  "it is the shared container, of which the test has a copy: write `in: .current`, or leave it out."
private let notOfTest =
  "it was created before the isolation of the test began, or by code that does not belong to it. Create it in the test."

/// The maximum number of different lines with resolutions in a failure.
private let listed = 20

private func report(
  _ summary: String, _ resolutions: [ResolutionEvent], of total: Int, notes: [String] = [],
  at location: FailureLocation
) {
  var (lines, counts): ([String], [String: Int]) = ([], [:])
  for line in resolutions.lazy.map(\.pathAndPlace) {
    if counts[line] == nil { lines.append(line) }
    counts[line, default: 0] += 1
  }
  lines.removeLast(max(lines.count - listed, 0))
  let shown = lines.map { line in counts[line] == 1 ? "  \(line)" : "  \(line) × \(counts[line]!)" }
  let rest = total - lines.reduce(0) { $0 + counts[$1]! }
  let more = rest > 0 ? ["  … and \(rest) more"] : []
  report(
    ([summary] + shown + more + notes.map { "  note       \($0)" }).joined(separator: "\n"), at: location)
}

private func description(of times: some RangeExpression<Int>) -> String {
  switch times {
  case let times as ClosedRange<Int>: description(from: times.lowerBound, to: times.upperBound)
  case let times as Range<Int>: description(from: times.lowerBound, to: max(times.upperBound, 0) - 1)
  case let times as PartialRangeFrom<Int>: "at least \(count(times.lowerBound))"
  case let times as PartialRangeThrough<Int>: description(to: times.upperBound)
  case let times as PartialRangeUpTo<Int>: description(to: max(times.upperBound, 0) - 1)
  default: "\(times) times"
  }
}

private func description(from first: Int, to last: Int) -> String {
  if last < max(first, 0) { return impossible }
  return first == last ? count(first) : "\(first) to \(last) times"
}

private func description(to last: Int) -> String { last < 0 ? impossible : "at most \(count(last))" }

private let impossible = "an impossible number of times (an empty range)"

private func count(_ times: Int) -> String {
  times == 1 ? "once" : "\(times) times"
}
