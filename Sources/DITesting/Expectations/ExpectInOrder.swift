public import DependencyInjection

/// Fails the test unless types have been resolved one after the other since the isolation of the test began.
///
/// Other resolutions may come between them, also of the same types. A resolution counts when it is completed: a dependency
/// comes before the instance that needs it.
///
/// ```swift
/// expectResolvedInOrder(AppConfiguration.self, Router.self)
/// ```
///
/// - Parameters:
///   - types: The types, in the expected order; an alias counts as itself.
///   - container: The container whose resolves count; nil for any container of the test.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectResolvedInOrder<each Value>(
  _ types: repeat (each Value).Type, in container: DIContainer? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  var expected: [ExpectedResolve] = []
  for type in repeat each types { expected.append(ExpectedResolve(type, named: .any)) }
  checkOrder(expected, in: container, FailureLocation(fileID, filePath, line, column))
}

/// Fails the test unless types, names or declared dependencies have been resolved one after the other.
///
/// ```swift
/// expectResolvedInOrder(.of(Database.self, named: .replica), .of(DIContainer.router))
/// ```
///
/// - Parameters:
///   - first: The first resolution.
///   - others: The resolves after it, in the expected order.
///   - container: The container whose resolves count; nil for any container of the test.
///   - fileID: The caller's file, for messages.
///   - filePath: The caller's file, for messages.
///   - line: The caller's line, for messages.
///   - column: The caller's column, for messages.
public func expectResolvedInOrder(
  _ first: ExpectedResolve, _ others: ExpectedResolve..., in container: DIContainer? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
  checkOrder([first] + others, in: container, FailureLocation(fileID, filePath, line, column))
}

/// Fails the test if it has overridden a registration, and nothing has resolved the override.
///
/// Such an override is often a mistake: it has another type than the one that the code resolves, or it came too late.
/// Overrides are the registrations of `DIContainer.override`, and those of a trait that replace others.
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
