public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

/// Fails the test unless instances of a type have been created a number of times.
///
/// ```swift
/// expectCreated(Router.self, times: 1)
/// ```
///
/// A resolution creates an instance or gets an existing one. A created instance counts for each type that it is
/// registered as.
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
public func expectCreated<Value>(
  _ type: Value.Type, named name: DependencyName? = .any, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil
) {
  Check(
    ExpectedResolutions(type, named: name), .creations, in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  )
  .expect(
    times)
}

/// Fails the test unless instances of a declared dependency have been created a number of times.
///
/// See ``expectCreated(_:named:times:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// A resolution creates an instance or gets an existing one. A created instance counts for each type that it is
/// registered as.
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
public func expectCreated<Value, each Argument>(
  _ dependency: Dependency<Value, repeat each Argument>, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  sourceLocation: TestLocation? = nil
) {
  Check(
    ExpectedResolutions(dependency), .creations, in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    times)
}

/// Fails the test unless a closure and its tasks create a type a number of times.
///
/// ```swift
/// expectCreated(Router.self, times: 1) { Launch.start() }
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
public func expectCreated<Value, Result>(
  _ type: Value.Type, named name: DependencyName? = .any, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil, _ body: () throws -> Result
) rethrows -> Result {
  try Check(
    ExpectedResolutions(type, named: name), .creations, in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    times, during: body)
}

/// Fails the test unless an asynchronous closure and its tasks create a type a number of times.
///
/// See ``expectCreated(_:named:times:in:fileID:filePath:line:column:sourceLocation:)``.
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
public func expectCreated<Value, Result>(
  _ type: Value.Type, named name: DependencyName? = .any, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil, isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil,
  _ body: () async throws -> Result
) async rethrows -> Result {
  try await Check(
    ExpectedResolutions(type, named: name), .creations, in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    times, isolation: isolation, during: body)
}

/// Fails the test unless a closure and its tasks create a declared dependency a number of times.
///
/// See ``expectCreated(_:named:times:in:fileID:filePath:line:column:sourceLocation:)``.
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
public func expectCreated<Value, Result, each Argument>(
  _ dependency: Dependency<Value, repeat each Argument>, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  sourceLocation: TestLocation? = nil,
  _ body: () throws -> Result
) rethrows -> Result {
  try Check(
    ExpectedResolutions(dependency), .creations, in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  )
  .expect(
    times, during: body)
}

/// Fails the test unless an asynchronous closure and its tasks create a declared dependency a number of times.
///
/// See ``expectCreated(_:named:times:in:fileID:filePath:line:column:sourceLocation:)``.
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
public func expectCreated<Value, Result, each Argument>(
  _ dependency: Dependency<Value, repeat each Argument>, times: some ExpectedTimes = 1...,
  in container: DIContainer? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil, _ body: () async throws -> Result
) async rethrows -> Result {
  try await Check(
    ExpectedResolutions(dependency), .creations, in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    times, isolation: isolation, during: body)
}
