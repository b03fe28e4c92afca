public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

/// Fails the test unless types have been resolved one after the other since the isolation of the test began.
///
/// Other resolutions may come between them, even of the same types. A resolution counts when it is completed: a
/// dependency comes before the instance that needs it.
///
/// ```swift
/// expectResolvedInOrder(AppConfiguration.self, Router.self)
/// ```
///
/// - Parameters:
///   - types: The types, in the expected order; an alias counts as itself.
///   - container: The container whose resolutions count; nil for any container of the test.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - sourceLocation: The location to report instead, which a helper passes on.
public func expectResolvedInOrder<each Value>(
  _ types: repeat (each Value).Type, in container: DIContainer? = nil, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil
) {
  var expected: [ExpectedResolutions] = []
  for type in repeat each types { expected.append(ExpectedResolutions(type, named: .any)) }
  checkOrder(expected, in: container, FailureLocation(fileID, filePath, line, column, sourceLocation))
}

/// Fails the test if nothing has resolved one of its overrides.
///
/// Such an override is often a mistake: its type is not the one that the code resolves, or it came too late. Overrides
/// are the registrations of `DIContainer.override`, and those registrations of a trait that replace another
/// registration.
///
/// Without this function, a test warns at its end about three kinds of overrides: the type was resolved before the
/// override, nothing else is registered for the class or the name, or a later registration of the app replaced the
/// override.
///
/// - Parameters:
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - sourceLocation: The location to report instead, which a helper passes on.
public func expectOverridesResolved(
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  sourceLocation: TestLocation? = nil
) {
  let location = FailureLocation(fileID, filePath, line, column, sourceLocation)
  let recorder = recorder(in: nil, "check the overrides", location)
  if let recorder, let message = recorder.message(about: recorder.unusedOverrides) { report(message, at: location) }
}
