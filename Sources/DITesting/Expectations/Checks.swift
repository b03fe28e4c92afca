internal import DependencyInjection

// What stands behind the assertions of both frameworks: each check reports one failure.

/// Fails the test unless something has been resolved a number of times since its isolation began.
func check(_ expected: Expected, _ times: some ExpectedTimes, _ location: FailureLocation) {
  guard let recorder = recorder(for: expected, location) else { return }
  check(expected, times.expectedTimes, recorder.resolutions, location)
}

/// Fails the test unless a closure resolves something a number of times.
func check<Result>(
  _ expected: Expected, _ times: some ExpectedTimes, _ location: FailureLocation, during body: () throws -> Result
) rethrows -> Result {
  guard let recorder = recorder(for: expected, location) else { return try body() }
  let closure = ObservedClosure(recorder)
  let result = try ResolutionObservation.$scope.withValue(closure, operation: body)
  check(expected, times.expectedTimes, closure.resolutions, location)
  return result
}

/// Fails the test unless an asynchronous closure resolves something a number of times.
func check<Result>(
  _ expected: Expected, _ times: some ExpectedTimes, _ location: FailureLocation, isolation: isolated (any Actor)?,
  during body: () async throws -> Result
) async rethrows -> Result {
  guard let recorder = recorder(for: expected, location) else { return try await body() }
  let closure = ObservedClosure(recorder)
  let result = try await ResolutionObservation.$scope.withValue(closure, operation: body, isolation: isolation)
  check(expected, times.expectedTimes, closure.resolutions, location)
  return result
}

private func check(
  _ expected: Expected, _ times: some RangeExpression<Int>, _ all: [ResolutionEvent], _ location: FailureLocation
) {
  let resolutions = expected.among(all)
  guard !times.contains(resolutions.count) else { return }
  let expectation =
    times.contains(0) && !times.contains(1) ? "not to be resolved" : "to be resolved \(description(of: times))"
  let actual = resolutions.isEmpty ? "it was not" : "it was resolved \(count(resolutions.count))"
  report("Expected \(expected.description) \(expectation), but \(actual).", resolutions, at: location)
}

/// Fails the test unless types were resolved one after the other.
func checkOrder(_ types: [Any.Type], _ location: FailureLocation) {
  guard let first = types.first else { return }
  guard let recorder = recorder(for: Expected(first), location) else { return }
  let resolutions = recorder.resolutions.filter { resolution in types.contains { $0 == resolution.type } }
  var rest = resolutions[...]
  var previous: Any.Type?
  for type in types {
    guard let index = rest.firstIndex(where: { $0.type == type }) else {
      let list = types.map { "'\(displayName($0))'" }.joined(separator: ", ")
      let after = previous.map { " after '\(displayName($0))'" } ?? ""
      let actual = "but '\(displayName(type))' was not resolved\(after)"
      return report("Expected \(list) to be resolved in this order, \(actual).", resolutions, at: location)
    }
    rest = rest[(index + 1)...]
    previous = type
  }
}

/// Fails the test if it has overridden something that nothing has asked for.
func checkOverrides(_ location: FailureLocation) {
  guard let recorder = DIContainer.current.recorder else {
    return report("Nothing watches the overrides: \(notIsolated)", at: location)
  }
  let unused = recorder.unusedOverrides
  if unused.isEmpty { return }
  let lines = unused.map { override in
    "  \(override.keys.map { displayName($0.type) }.joined(separator: ", ")) (\(override.location))"
  }
  let summary =
    "Expected every override to be resolved, but nothing asked for \(unused.count == 1 ? "this one" : "these"):"
  report(([summary] + lines).joined(separator: "\n"), at: location)
}

/// The recorder of the test; if it has none, nothing can be counted, which is a failure.
func recorder(for expected: Expected, _ location: FailureLocation) -> ResolutionRecorder? {
  let recorder = DIContainer.current.recorder
  if recorder == nil { report("Nothing counts the resolves of \(expected.description): \(notIsolated)", at: location) }
  return recorder
}

private let notIsolated =
  "the test is not isolated. Add the trait `.isolatedContainer`, or inherit from `DITestCase`."

private func report(_ summary: String, _ resolutions: [ResolutionEvent], at location: FailureLocation) {
  report(([summary] + resolutions.map { "  \($0.pathAndPlace)" }).joined(separator: "\n"), at: location)
}

private func description(of times: some RangeExpression<Int>) -> String {
  switch times {
  case let times as ClosedRange<Int>:
    times.count == 1 ? count(times.lowerBound) : "\(times.lowerBound) to \(times.upperBound) times"
  case let times as Range<Int>: "\(times.lowerBound) to \(times.upperBound - 1) times"
  case let times as PartialRangeFrom<Int>: "at least \(count(times.lowerBound))"
  case let times as PartialRangeThrough<Int>: "at most \(count(times.upperBound))"
  case let times as PartialRangeUpTo<Int>: "at most \(count(times.upperBound - 1))"
  default: "\(times) times"
  }
}

private func count(_ times: Int) -> String {
  times == 1 ? "once" : "\(times) times"
}
