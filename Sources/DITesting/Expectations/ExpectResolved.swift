public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

// The resolutions of a closure include those of the tasks that it starts and of the code that it wraps in
// `DIContainer.escaping`, but not those of other tasks.

/// Fails the test unless a type has been resolved a number of times since its isolation began.
///
/// ```swift
/// expectResolved(Router.self)  // once or more
/// expectResolved(Router.self, times: 1)
/// expectResolved(Router.self, times: 1...3)
/// ```
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
///   - times: The expected number, or a range such as `1...`; once or more by default.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
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
/// See ``expectResolved(_:named:times:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// - Parameters:
///   - dependency: The dependency; other dependencies of its type do not count.
///   - times: The expected number, or a range such as `1...`; once or more by default.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
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

/// Waits until a type has been resolved a number of times, and fails the test if that takes too long.
///
/// ```swift
/// try await expectResolved(Router.self, times: 1, within: .seconds(600))
/// ```
///
/// Use it for work that a test starts and cannot wait for. It returns as soon as the number is reached, so the time is
/// only a limit, and may be long.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
///   - times: The expected number, or a range such as `1...`; once or more by default.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - limit: The longest time to wait, for a number that does not include 0.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
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

/// Waits until a declared dependency has been resolved a number of times, and fails the test if that takes too long.
///
/// See ``expectResolved(_:named:times:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// - Parameters:
///   - dependency: The dependency; other dependencies of its type do not count.
///   - times: The expected number, or a range such as `1...`; once or more by default.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - limit: The longest time to wait, for a number that does not include 0.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
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
/// ```swift
/// expectResolved(Router.self, times: 1) {
///   _ = HomeViewModel()
/// }
/// ```
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
///   - times: The expected number, or a range such as `1...`; once or more by default.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
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
/// See ``expectResolved(_:named:times:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
///   - times: The expected number, or a range such as `1...`; once or more by default.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - isolation: The actor to run on: the caller's.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
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
/// See ``expectResolved(_:named:times:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// - Parameters:
///   - dependency: The dependency; other dependencies of its type do not count.
///   - times: The expected number, or a range such as `1...`; once or more by default.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
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
/// See ``expectResolved(_:named:times:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// - Parameters:
///   - dependency: The dependency; other dependencies of its type do not count.
///   - times: The expected number, or a range such as `1...`; once or more by default.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - isolation: The actor to run on: the caller's.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
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
