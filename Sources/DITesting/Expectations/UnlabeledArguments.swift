public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

// The overloads that the compiler selects for an expectation with a message, a number without a label, or a second type.
//
// Without them, the compiler fails without a diagnostic, or asks for the label `named:`, which would make a message a name.
// A closure after such arguments is `closure`, so that an error in the closure of a correct expectation is reported there.

/// Reports an argument that an expectation does not take.
@available(*, unavailable, message: "it takes one type or dependency, a number after 'times:', and no message")
@_disfavoredOverload
public func expectResolved<Subject, each Other>(
  _ subject: Subject, named name: DependencyName? = nil, times: some ExpectedTimes = 1,
  in container: DIContainer? = nil, _ others: repeat each Other, within limit: Duration = .zero,
  sourceLocation: TestLocation? = nil, closure: () async throws -> Void = {}
) {}

/// Reports an argument that an expectation does not take.
@available(*, unavailable, message: "it takes one type or dependency, and no number or message")
@_disfavoredOverload
public func expectNotResolved<Subject, each Other>(
  _ subject: Subject, named name: DependencyName? = nil, times: some ExpectedTimes = 0,
  in container: DIContainer? = nil, _ others: repeat each Other, sourceLocation: TestLocation? = nil,
  closure: () async throws -> Void = {}
) {}

/// Reports an argument that an expectation does not take.
@available(*, unavailable, message: "it takes one type or dependency, a number after 'times:', and no message")
@_disfavoredOverload
public func expectCreated<Subject, each Other>(
  _ subject: Subject, named name: DependencyName? = nil, times: some ExpectedTimes = 1,
  in container: DIContainer? = nil, _ others: repeat each Other, sourceLocation: TestLocation? = nil,
  closure: () async throws -> Void = {}
) {}

/// Reports an argument that an expectation does not take.
@available(*, unavailable, message: "it takes one type or dependency, and no number or message")
@_disfavoredOverload
public func expectNotCreated<Subject, each Other>(
  _ subject: Subject, named name: DependencyName? = nil, times: some ExpectedTimes = 0,
  in container: DIContainer? = nil, _ others: repeat each Other, sourceLocation: TestLocation? = nil,
  closure: () async throws -> Void = {}
) {}

#if canImport(XCTest)
  /// Reports an argument that an expectation does not take.
  @available(
    *, unavailable, message: "it takes one type or dependency, a number after 'times:', and no message or closure"
  )
  @_disfavoredOverload
  public func XCTAssertResolved<Subject, each Other>(
    _ subject: Subject, named name: DependencyName? = nil, times: some ExpectedTimes = 1,
    in container: DIContainer? = nil, _ others: repeat each Other, file: StaticString = #filePath, line: UInt = #line
  ) {}

  /// Reports an argument that an expectation does not take.
  @available(*, unavailable, message: "it takes one type or dependency, and no number or message or closure")
  @_disfavoredOverload
  public func XCTAssertNotResolved<Subject, each Other>(
    _ subject: Subject, named name: DependencyName? = nil, times: some ExpectedTimes = 0,
    in container: DIContainer? = nil, _ others: repeat each Other, file: StaticString = #filePath, line: UInt = #line
  ) {}
#endif
