public import DependencyInjection

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
///   - container: The container that is asked, if not any that belongs to the test.
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
///   - first: What is resolved first.
///   - others: What is resolved after it, in the expected order.
///   - container: The container that is asked, if not any that belongs to the test.
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
