public import DependencyInjection

// MARK: - What has been resolved so far

/// Fails the test unless a type has been resolved a number of times since the isolation of the test began.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name to count; if it is nil, every resolve of the type, with any name or of a declared dependency.
///   - times: The expected number of resolves, or a range such as `1...`; once or more if left out.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectResolved<Value>(
  _ type: Value.Type, named name: DependencyName? = nil, times: some ExpectedTimes = 1...,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  check(Expected(type, named: name), times, FailureLocation(fileID, filePath, line, column))
}

/// Fails the test unless a declared dependency has been resolved a number of times since its isolation began.
///
/// - Parameters:
///   - dependency: The dependency; others of its type do not count.
///   - times: The expected number of resolves, or a range such as `1...`; once or more if left out.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectResolved<Value>(
  _ dependency: Dependency<Value>, times: some ExpectedTimes = 1..., fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  check(Expected(dependency), times, FailureLocation(fileID, filePath, line, column))
}

/// Fails the test if a type has been resolved since the isolation of the test began.
///
/// - Parameters:
///   - type: The type; an alias counts as itself.
///   - name: The name to count; if it is nil, every resolve of the type, with any name or of a declared dependency.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectNotResolved<Value>(
  _ type: Value.Type, named name: DependencyName? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  check(Expected(type, named: name), 0, FailureLocation(fileID, filePath, line, column))
}

/// Fails the test if a declared dependency has been resolved since the isolation of the test began.
///
/// - Parameters:
///   - dependency: The dependency; others of its type do not count.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectNotResolved<Value>(
  _ dependency: Dependency<Value>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  check(Expected(dependency), 0, FailureLocation(fileID, filePath, line, column))
}

// MARK: - In which order

/// Fails the test unless types have been resolved one after the other since the isolation of the test began.
///
/// Other resolves may lie between them, also of the same types. A resolve counts when it is completed: a dependency comes
/// before the instance whose factory has asked for it.
///
/// ```swift
/// expectResolvedInOrder(AppConfiguration.self, Router.self)
/// ```
///
/// - Parameters:
///   - types: The types, in the expected order; an alias counts as itself.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectResolvedInOrder<each Value>(
  _ types: repeat (each Value).Type, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
  line: UInt = #line, column: UInt = #column
) {
  var expected: [Any.Type] = []
  for type in repeat each types { expected.append(type) }
  checkOrder(expected, FailureLocation(fileID, filePath, line, column))
}

// MARK: - What has been overridden

/// Fails the test if it overrides something that nothing has asked for since.
///
/// Such an override is often a mistake: it is of another type than the one that the code resolves, or it came too late.
/// What `DIContainer.override` has registered counts, and what a trait has registered in the place of something else.
///
/// - Parameters:
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectOverridesResolved(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  checkOverrides(FailureLocation(fileID, filePath, line, column))
}
