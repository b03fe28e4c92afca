public import DependencyInjection

extension DIContainer {
  /// The recorder that sees the resolves from this container, its own or an ancestor's.
  var recorder: ResolutionRecorder? {
    observers.lazy.compactMap { $0 as? ResolutionRecorder }.first
  }

  /// How many times a type has been resolved in this test.
  ///
  /// Counts what was asked for: an alias counts as itself, and an instance that was there already counts as well. What
  /// injected properties and factories ask for is included. An optional that turned out nil does not count.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name to count; nil for resolves without one, and every one of the type if it is left out.
  ///   - container: The container that is asked, if not any that belongs to the test.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  /// - Returns: The number of resolves since the isolation of the test began. Outside of one, that is a failure of the
  ///   test and 0.
  public static func resolveCount<Value>(
    of type: Value.Type, named name: DependencyName? = .any, in container: DIContainer? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Int {
    Check(ExpectedResolve(type, named: name), in: container, FailureLocation(fileID, filePath, line, column)).count
  }

  /// How many times a declared dependency has been resolved in this test.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; others of its type do not count.
  ///   - container: The container that is asked, if not any that belongs to the test.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  /// - Returns: The number of resolves since the isolation of the test began. Outside of one, that is a failure of the
  ///   test and 0.
  public static func resolveCount<Value, each Argument>(
    of dependency: Dependency<Value, repeat each Argument>, in container: DIContainer? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Int {
    Check(ExpectedResolve(dependency), in: container, FailureLocation(fileID, filePath, line, column)).count
  }

  /// The resolves of a type in this test: from where, on which path, and whether the instance was there.
  ///
  /// They are in the order in which they were completed, so that of a dependency comes before that of the instance whose
  /// factory has asked for it.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name to count; nil for resolves without one, and every one of the type if it is left out.
  ///   - container: The container that is asked, if not any that belongs to the test.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  /// - Returns: The resolves since the isolation of the test began. Outside of one, that is a failure of the test, and
  ///   there are none.
  public static func resolutions<Value>(
    of type: Value.Type, named name: DependencyName? = .any, in container: DIContainer? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [ResolutionEvent] {
    Check(ExpectedResolve(type, named: name), in: container, FailureLocation(fileID, filePath, line, column))
      .resolutions
  }

  /// The resolves of a declared dependency in this test: from where, on which path, and whether the instance was there.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; others of its type do not count.
  ///   - container: The container that is asked, if not any that belongs to the test.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  /// - Returns: The resolves since the isolation of the test began. Outside of one, that is a failure of the test, and
  ///   there are none.
  public static func resolutions<Value, each Argument>(
    of dependency: Dependency<Value, repeat each Argument>, in container: DIContainer? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> [ResolutionEvent] {
    Check(ExpectedResolve(dependency), in: container, FailureLocation(fileID, filePath, line, column)).resolutions
  }
}
