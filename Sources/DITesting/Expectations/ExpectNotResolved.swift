public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

/// Fails the test if a type has been resolved since the isolation of the test began.
///
/// ```swift
/// expectNotResolved(AppConfiguration.self)
/// ```
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - sourceLocation: The location to report instead, which a helper passes on.
public func expectNotResolved<Value>(
  _ type: Value.Type, named name: DependencyName? = .any, in container: DIContainer? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  sourceLocation: TestLocation? = nil
) {
  Check(
    ExpectedResolutions(type, named: name), in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(0)
}

/// Fails the test if a declared dependency has been resolved since the isolation of the test began.
///
/// See ``expectNotResolved(_:named:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// - Parameters:
///   - dependency: The dependency; other dependencies of its type do not count.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - sourceLocation: The location to report instead, which a helper passes on.
public func expectNotResolved<Value, each Argument>(
  _ dependency: Dependency<Value, repeat each Argument>, in container: DIContainer? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil
) {
  Check(ExpectedResolutions(dependency), in: container, FailureLocation(fileID, filePath, line, column, sourceLocation))
    .expect(0)
}

/// Fails the test if a closure or its tasks resolve a type.
///
/// See ``expectNotResolved(_:named:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
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
public func expectNotResolved<Value, Result>(
  _ type: Value.Type, named name: DependencyName? = .any, in container: DIContainer? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  sourceLocation: TestLocation? = nil,
  _ body: () throws -> Result
) rethrows -> Result {
  try Check(
    ExpectedResolutions(type, named: name), in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    0, during: body)
}

/// Fails the test if an asynchronous closure or its tasks resolve a type.
///
/// See ``expectNotResolved(_:named:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
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
public func expectNotResolved<Value, Result>(
  _ type: Value.Type, named name: DependencyName? = .any, in container: DIContainer? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil, _ body: () async throws -> Result
) async rethrows -> Result {
  try await Check(
    ExpectedResolutions(type, named: name), in: container,
    FailureLocation(fileID, filePath, line, column, sourceLocation)
  )
  .expect(
    0, isolation: isolation, during: body)
}

/// Fails the test if a closure or its tasks resolve a declared dependency.
///
/// See ``expectNotResolved(_:named:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// - Parameters:
///   - dependency: The dependency; other dependencies of its type do not count.
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
public func expectNotResolved<Value, Result, each Argument>(
  _ dependency: Dependency<Value, repeat each Argument>, in container: DIContainer? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil,
  _ body: () throws -> Result
) rethrows -> Result {
  try Check(
    ExpectedResolutions(dependency), in: container, FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    0, during: body)
}

/// Fails the test if an asynchronous closure or its tasks resolve a declared dependency.
///
/// See ``expectNotResolved(_:named:in:fileID:filePath:line:column:sourceLocation:)``.
///
/// - Parameters:
///   - dependency: The dependency; other dependencies of its type do not count.
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
public func expectNotResolved<Value, Result, each Argument>(
  _ dependency: Dependency<Value, repeat each Argument>, in container: DIContainer? = nil,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  sourceLocation: TestLocation? = nil,
  _ body: () async throws -> Result
) async rethrows -> Result {
  try await Check(
    ExpectedResolutions(dependency), in: container, FailureLocation(fileID, filePath, line, column, sourceLocation)
  ).expect(
    0, isolation: isolation, during: body)
}
