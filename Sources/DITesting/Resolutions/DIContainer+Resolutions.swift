public import DependencyInjection

#if canImport(Testing)
  public import Testing
#endif

extension DIContainer {
  /// The recorder that sees the resolutions from this container; of several, the running test's or else the innermost.
  var recorder: ResolutionRecorder? {
    recorders.first { $0.test === IsolatedTest.current } ?? recorders.first { !$0.isOfAnotherTest }
  }

  /// The test that this container belongs to, whether or not the calling code does.
  var owner: IsolatedTest? { ActiveTests.running(self)?.test ?? (recorder ?? recorders.first)?.test }

  private var recorders: [ResolutionRecorder] { observers.compactMap { $0 as? ResolutionRecorder } }

  /// Returns the number of times that a type has been resolved in this test.
  ///
  /// Requests count, not creations: an alias counts as itself, and a request for an existing instance counts, too.
  /// Requests by injected properties and factories are included. An optional that resolves to nil does not count.
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
  /// - Returns: The number of resolutions since the isolation of the test began. Without isolation, the test fails, and
  ///   the number is 0.
  public static func resolveCount<Value>(
    of type: Value.Type, named name: DependencyName? = .any, in container: DIContainer? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    sourceLocation: TestLocation? = nil
  ) -> Int {
    Check(
      ExpectedResolutions(type, named: name), in: container,
      FailureLocation(fileID, filePath, line, column, sourceLocation)
    ).count
  }

  /// Returns the number of times that a declared dependency has been resolved in this test.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; other dependencies of its type do not count.
  ///   - container: The container whose resolutions count; nil for any container of the test.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  /// - Returns: The number of resolutions since the isolation of the test began. Without isolation, the test fails, and
  ///   the number is 0.
  public static func resolveCount<Value, each Argument>(
    of dependency: Dependency<Value, repeat each Argument>, in container: DIContainer? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil
  ) -> Int {
    Check(
      ExpectedResolutions(dependency), in: container, FailureLocation(fileID, filePath, line, column, sourceLocation)
    ).count
  }

  /// Returns the resolutions of a type in this test, with their locations, paths and arguments.
  ///
  /// They are in order of completion: a dependency comes before the instance that needs it. The list keeps
  /// the arguments alive until the test ends.
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
  /// - Returns: The resolutions since the isolation of the test began. Without isolation, the test fails, and there
  ///   are none.
  public static func resolutions<Value>(
    of type: Value.Type, named name: DependencyName? = .any, in container: DIContainer? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    sourceLocation: TestLocation? = nil
  ) -> [ResolutionEvent] {
    Check(
      ExpectedResolutions(type, named: name), in: container,
      FailureLocation(fileID, filePath, line, column, sourceLocation)
    )
    .resolutions
  }

  /// Returns the resolutions of a declared dependency in this test, with their locations, paths and arguments.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; other dependencies of its type do not count.
  ///   - container: The container whose resolutions count; nil for any container of the test.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's file.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  ///   - sourceLocation: The location to report instead, which a helper passes on.
  /// - Returns: The resolutions since the isolation of the test began. Without isolation, the test fails, and there
  ///   are none.
  public static func resolutions<Value, each Argument>(
    of dependency: Dependency<Value, repeat each Argument>, in container: DIContainer? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, sourceLocation: TestLocation? = nil
  ) -> [ResolutionEvent] {
    Check(
      ExpectedResolutions(dependency), in: container, FailureLocation(fileID, filePath, line, column, sourceLocation)
    ).resolutions
  }
}
