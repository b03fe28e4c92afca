public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

/// Runs a closure with a container of its own, as the trait and `DITestCase` do with a test.
///
/// Use it in a base class of your own, which runs each test in such a closure:
///
/// ```swift
/// class AppTestCase: XCTestCase {
///   override func invokeTest() {
///     withIsolatedContainer {
///       Module.app
///     } perform: {
///       super.invokeTest()
///     }
///   }
/// }
/// ```
///
/// The container is current for the closure and the tasks that it starts. It starts without any instance, and records
/// every resolution.
///
/// - Parameters:
///   - origin: The registrations that the container starts with.
///   - escapes: The handling of code that may have lost the container; nil for that of the outer isolation or, without
///     one, a warning.
///   - recording: Pass false to record no resolutions: they take as long as in the app, and no expectation can count
///     them. Pass nil for the setting of the outer isolation or, without one, true.
///   - overrides: The overrides that fail the test when the closure ends; nil for those of the outer isolation or,
///     without one, none.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - sourceLocation: The location to report instead, which a helper passes on.
///   - registrations: The registrations to add.
///   - body: The closure.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws.
public func withIsolatedContainer<Result>(
  _ origin: IsolationOrigin = .registrations, escapes: EscapeHandling? = nil, recording: Bool? = nil,
  overrides: OverrideExpectations? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  sourceLocation: TestLocation? = nil,
  @RegistrationBuilder _ registrations: () -> RegistrationList = { RegistrationList() },
  perform body: () throws -> Result
) rethrows -> Result {
  let isolation = Isolation(
    origin: origin, registrations: registrations(), escapes: escapes, overrides: overrides, isClosure: true,
    isRecorded: recording)
  let place = FailureLocation(fileID, filePath, line, column, sourceLocation)
  return try isolation.run(TestFramework.nameOfTest ?? place.description, in: .current, at: place, body)
}

/// Runs an asynchronous closure with a container of its own, as the trait and `DITestCase` do with a test.
///
/// - Parameters:
///   - origin: The registrations that the container starts with.
///   - escapes: The handling of code that may have lost the container; nil for that of the outer isolation or, without
///     one, a warning.
///   - recording: Pass false to record no resolutions: they take as long as in the app, and no expectation can count
///     them. Pass nil for the setting of the outer isolation or, without one, true.
///   - overrides: The overrides that fail the test when the closure ends; nil for those of the outer isolation or,
///     without one, none.
///   - isolation: The actor to run on: the caller's.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - sourceLocation: The location to report instead, which a helper passes on.
///   - registrations: The registrations to add.
///   - body: The closure.
/// - Returns: The value that the closure returns.
/// - Throws: The error that the closure throws.
public func withIsolatedContainer<Result>(
  _ origin: IsolationOrigin = .registrations, escapes: EscapeHandling? = nil, recording: Bool? = nil,
  overrides: OverrideExpectations? = nil,
  isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil,
  @RegistrationBuilder _ registrations: () -> RegistrationList = { RegistrationList() },
  perform body: () async throws -> Result
) async rethrows -> Result {
  let settings = Isolation(
    origin: origin, registrations: registrations(), escapes: escapes, overrides: overrides, isClosure: true,
    isRecorded: recording)
  let place = FailureLocation(fileID, filePath, line, column, sourceLocation)
  return try await settings.run(
    TestFramework.nameOfTest ?? place.description, in: .current, at: place, isolation: isolation, body)
}
