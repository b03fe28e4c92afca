internal import DependencyInjection

// MARK: - What has been resolved so far

/// Fails the test unless a type has been resolved a number of times since the isolation of the test began.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - times: The expected number of resolves.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectResolved<Value>(
  _ type: Value.Type, times: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  expectResolved(type, times: times...times, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Fails the test unless a type has been resolved a number of times since the isolation of the test began.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - times: The range in which the number of resolves is expected, such as `1...`; once or more if left out.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectResolved<Value>(
  _ type: Value.Type, times: some RangeExpression<Int> = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  check(type, times, after: 0, FailureLocation(fileID, filePath, line, column))
}

/// Fails the test if a type has been resolved since the isolation of the test began.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectNotResolved<Value>(
  _ type: Value.Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  expectResolved(type, times: 0, fileID: fileID, filePath: filePath, line: line, column: column)
}

// MARK: - What is resolved inside a closure

/// Fails the test unless a type is resolved a number of times while a closure runs.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - times: The expected number of resolves.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - body: The closure.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@discardableResult
public func expectResolved<Value, Result>(
  _ type: Value.Type, times: Int, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
  try expectResolved(
    type, times: times...times, fileID: fileID, filePath: filePath, line: line, column: column, body)
}

/// Fails the test unless a type is resolved a number of times while a closure runs.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - times: The range in which the number of resolves is expected.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - body: The closure.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@discardableResult
public func expectResolved<Value, Result>(
  _ type: Value.Type, times: some RangeExpression<Int>, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
  let before = DIContainer.current.recorder?.resolutions(of: type).count ?? 0
  let result = try body()
  check(type, times, after: before, FailureLocation(fileID, filePath, line, column))
  return result
}

/// Fails the test unless a type is resolved a number of times while an asynchronous closure runs.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - times: The expected number of resolves.
///   - isolation: The actor to run on: the caller's.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - body: The closure.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@discardableResult
public func expectResolved<Value, Result>(
  _ type: Value.Type, times: Int, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () async throws -> Result
) async rethrows -> Result {
  try await expectResolved(
    type, times: times...times, isolation: isolation, fileID: fileID, filePath: filePath, line: line, column: column,
    body)
}

/// Fails the test unless a type is resolved a number of times while an asynchronous closure runs.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - times: The range in which the number of resolves is expected.
///   - isolation: The actor to run on: the caller's.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - body: The closure.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@discardableResult
public func expectResolved<Value, Result>(
  _ type: Value.Type, times: some RangeExpression<Int>, isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () async throws -> Result
) async rethrows -> Result {
  let before = DIContainer.current.recorder?.resolutions(of: type).count ?? 0
  let result = try await body()
  check(type, times, after: before, FailureLocation(fileID, filePath, line, column))
  return result
}

// MARK: - The one check behind all of them

private func check(
  _ type: Any.Type, _ times: some RangeExpression<Int>, after skipped: Int, _ location: FailureLocation
) {
  guard let recorder = DIContainer.current.recorder else { return reportNothingRecorded(of: type, at: location) }
  let resolutions = recorder.resolutions(of: type).dropFirst(skipped)
  guard !times.contains(resolutions.count) else { return }
  let expected =
    times.contains(0) && !times.contains(1) ? "not to be resolved" : "to be resolved \(description(of: times))"
  let actual = resolutions.isEmpty ? "it was not" : "it was resolved \(count(resolutions.count))"
  var lines = ["Expected '\(name(of: type))' \(expected), but \(actual)."]
  lines += resolutions.map { "  \($0.path.joined(separator: " -> ")) (\($0.location))" }
  report(lines.joined(separator: "\n"), at: location)
}

/// Says why nothing can be counted.
func reportNothingRecorded(of type: Any.Type, at location: FailureLocation) {
  report(
    "Nothing counts the resolves of '\(name(of: type))': the test is not isolated. "
      + "Add the trait `.isolatedContainer`, or inherit from `DITestCase`.", at: location)
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

private func name(of type: Any.Type) -> String {
  let name = String(describing: type)
  return name.hasPrefix("any ") ? String(name.dropFirst(4)) : name
}
