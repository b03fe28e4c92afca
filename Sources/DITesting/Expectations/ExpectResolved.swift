public import DependencyInjection

// The resolutions of a closure are its own, those of the tasks that it starts, and those of the code that it wraps in
// `DIContainer.escaping`. Those of other tasks do not count.

/// Fails the test unless a type has been resolved a number of times since its isolation began.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
///   - times: The expected number, or a range such as `1...`; once or more if it is left out.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - sourceLocation: The location to report instead, which a helper passes on.
public func expectResolved<Value>(
  _ type: Value.Type, named name: DependencyName? = .any, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil
) {
  Check(
    ExpectedResolutions(type, named: name), in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    times)
}

/// Fails the test unless a declared dependency has been resolved a number of times since its isolation began.
///
/// - Parameters:
///   - dependency: The dependency; others of its type do not count.
///   - times: The expected number, or a range such as `1...`; once or more if it is left out.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - sourceLocation: The location to report instead, which a helper passes on.
public func expectResolved<Value, each Argument>(
  _ dependency: Dependency<Value, repeat each Argument>, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  sourceLocation: TestLocation? = nil
) {
  Check(ExpectedResolutions(dependency), in: container, FailureLocation(fileID, filePath, line, column, sourceLocation))
    .expect(times)
}

/// Waits until a type has been resolved a number of times, and fails the test if it is not in time.
///
/// For work that a test starts and cannot wait for. It returns as soon as the number is reached, so the time is a limit only,
/// and may be long.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
///   - times: The expected number, or a range such as `1...`; once or more if it is left out.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - limit: The time to wait at most.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - sourceLocation: The location to report instead, which a helper passes on.
/// - Throws: `CancellationError` if the task is canceled.
public func expectResolved<Value>(
  _ type: Value.Type, named name: DependencyName? = .any, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil, within limit: Duration, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil
) async throws {
  let location = FailureLocation(fileID, filePath, line, column, sourceLocation)
  try await Check(ExpectedResolutions(type, named: name), in: container, location).expect(times, within: limit)
}

/// Waits until a declared dependency has been resolved a number of times, and fails the test if it is not in time.
///
/// - Parameters:
///   - dependency: The dependency; others of its type do not count.
///   - times: The expected number, or a range such as `1...`; once or more if it is left out.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - limit: The time to wait at most.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - sourceLocation: The location to report instead, which a helper passes on.
/// - Throws: `CancellationError` if the task is canceled.
public func expectResolved<Value, each Argument>(
  _ dependency: Dependency<Value, repeat each Argument>, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil, within limit: Duration, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil
) async throws {
  let location = FailureLocation(fileID, filePath, line, column, sourceLocation)
  try await Check(ExpectedResolutions(dependency), in: container, location).expect(times, within: limit)
}

/// Fails the test unless a closure and its tasks resolve a type a number of times.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
///   - times: The expected number, or a range such as `1...`; once or more if it is left out.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - sourceLocation: The location to report instead, which a helper passes on.
///   - body: The closure.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws.
@discardableResult
public func expectResolved<Value, Result>(
  _ type: Value.Type, named name: DependencyName? = .any, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil, _ body: () throws -> Result
) rethrows -> Result {
  try Check(
    ExpectedResolutions(type, named: name), in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    times, during: body)
}

/// Fails the test unless an asynchronous closure and its tasks resolve a type a number of times.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
///   - times: The expected number, or a range such as `1...`; once or more if it is left out.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - isolation: The actor to run on: the caller's.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - sourceLocation: The location to report instead, which a helper passes on.
///   - body: The closure.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws.
@discardableResult
public func expectResolved<Value, Result>(
  _ type: Value.Type, named name: DependencyName? = .any, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil,
  _ body: () async throws -> Result
) async rethrows -> Result {
  try await Check(
    ExpectedResolutions(type, named: name), in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  )
  .expect(
    times, isolation: isolation, during: body)
}

/// Fails the test unless a closure and its tasks resolve a declared dependency a number of times.
///
/// - Parameters:
///   - dependency: The dependency; others of its type do not count.
///   - times: The expected number, or a range such as `1...`; once or more if it is left out.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - sourceLocation: The location to report instead, which a helper passes on.
///   - body: The closure.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws.
@discardableResult
public func expectResolved<Value, Result, each Argument>(
  _ dependency: Dependency<Value, repeat each Argument>, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  sourceLocation: TestLocation? = nil,
  _ body: () throws -> Result
) rethrows -> Result {
  try Check(
    ExpectedResolutions(dependency), in: container, FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    times, during: body)
}

/// Fails the test unless an asynchronous closure and its tasks resolve a declared dependency a number of times.
///
/// - Parameters:
///   - dependency: The dependency; others of its type do not count.
///   - times: The expected number, or a range such as `1...`; once or more if it is left out.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - isolation: The actor to run on: the caller's.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
///   - sourceLocation: The location to report instead, which a helper passes on.
///   - body: The closure.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws.
@discardableResult
public func expectResolved<Value, Result, each Argument>(
  _ dependency: Dependency<Value, repeat each Argument>, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil, _ body: () async throws -> Result
) async rethrows -> Result {
  try await Check(
    ExpectedResolutions(dependency), in: container, FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    times, isolation: isolation, during: body)
}
