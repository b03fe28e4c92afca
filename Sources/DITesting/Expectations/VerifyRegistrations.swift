public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

/// Fails the test with a list of all errors in the registrations of the current container.
///
/// ```swift
/// @Test(.isolatedContainer) func everythingResolves() async {
///   await verifyRegistrations()
/// }
/// ```
///
/// - Parameters:
///   - isLeftOut: Returns true for a registration that must not be resolved, such as one with side effects.
///   - arguments: Returns the argument, or a tuple of them, for a registration that takes arguments.
///   - fileID: The caller's file.
///   - filePath: The caller's file.
///   - line: The caller's line.
///   - column: The caller's column.
///   - sourceLocation: The location to report instead, which a helper passes on.
public func verifyRegistrations(
  except isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool = { _ in false },
  arguments: @escaping @Sendable (RegistrationInfo) -> Any? = { _ in nil },
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
  sourceLocation: TestLocation? = nil
) async {
  let location = FailureLocation(fileID, filePath, line, column, sourceLocation)
  let registrations = DIContainer.current.registrations
  if registrations.allSatisfy(isLeftOut) {
    return report(
      registrations.isEmpty
        ? """
        Nothing is registered, so there is nothing to check.
          note       tests do not run `main`; let the trait register: `.isolatedContainer { Module.app }`
        """
        : """
        Every registration is left out, so there is nothing to check.
          note       `except:` leaves out the registrations for which it returns true
        """, at: location)
  }
  do {
    try await DIContainer.current.verify(except: isLeftOut, arguments: arguments)
  } catch {
    report("\(error)", at: location)
  }
}

/// Reports a closure without a label, which leaves out the registrations for which it returns true.
///
/// It is deprecated, because the compiler would take the function above instead of an unavailable one.
@available(
  *, deprecated, message: "label the closure: 'except:' leaves registrations out, 'arguments:' passes arguments"
)
@_documentation(visibility: internal)
public func verifyRegistrations(
  unlabeled isLeftOut: @escaping @Sendable (RegistrationInfo) -> Bool, fileID: StaticString = #fileID,
  filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil
) async {
  await verifyRegistrations(
    except: isLeftOut, fileID: fileID, filePath: filePath, line: line, column: column, sourceLocation: sourceLocation)
}
