public import DependencyInjection

// What a closure resolves, with the tasks that it starts and what it wraps in `DIContainer.escaping`. What other tasks
// resolve meanwhile does not count.

/// Fails the test unless a closure and the tasks it starts resolve a type a number of times.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name to count; if it is nil, every resolve of the type, with any name or of a declared dependency.
///   - times: The expected number of resolves, or a range such as `1...`.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - body: The closure.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@discardableResult
public func expectResolved<Value, Result>(
  _ type: Value.Type, named name: DependencyName? = nil, times: some ExpectedTimes, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
  try check(Expected(type, named: name), times, FailureLocation(fileID, filePath, line, column), during: body)
}

/// Fails the test unless a closure and the tasks it starts resolve a declared dependency a number of times.
///
/// - Parameters:
///   - dependency: The dependency; others of its type do not count.
///   - times: The expected number of resolves, or a range such as `1...`.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - body: The closure.
/// - Returns: What the closure returns.
/// - Throws: What the closure throws.
@discardableResult
public func expectResolved<Value, Result>(
  _ dependency: Dependency<Value>, times: some ExpectedTimes, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
  try check(Expected(dependency), times, FailureLocation(fileID, filePath, line, column), during: body)
}

/// Fails the test unless an asynchronous closure and the tasks it starts resolve a type a number of times.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name to count; if it is nil, every resolve of the type, with any name or of a declared dependency.
///   - times: The expected number of resolves, or a range such as `1...`.
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
  _ type: Value.Type, named name: DependencyName? = nil, times: some ExpectedTimes,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, _ body: () async throws -> Result
) async rethrows -> Result {
  try await check(
    Expected(type, named: name), times, FailureLocation(fileID, filePath, line, column), isolation: isolation,
    during: body)
}

/// Fails the test unless an asynchronous closure and its tasks resolve a declared dependency a number of times.
///
/// - Parameters:
///   - dependency: The dependency; others of its type do not count.
///   - times: The expected number of resolves, or a range such as `1...`.
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
  _ dependency: Dependency<Value>, times: some ExpectedTimes, isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  _ body: () async throws -> Result
) async rethrows -> Result {
  try await check(
    Expected(dependency), times, FailureLocation(fileID, filePath, line, column), isolation: isolation, during: body)
}
