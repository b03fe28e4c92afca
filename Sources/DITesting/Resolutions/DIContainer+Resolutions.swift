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
  ///   - name: The name to count; if it is nil, every resolve of the type, with any name or of a declared dependency.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  /// - Returns: The number of resolves since the isolation of the test began. Outside of one, that is a failure of the
  ///   test and 0.
  public static func resolveCount<Value>(
    of type: Value.Type, named name: DependencyName? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> Int {
    resolutions(of: type, named: name, fileID: fileID, filePath: filePath, line: line, column: column).count
  }

  /// How many times a declared dependency has been resolved in this test.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; others of its type do not count.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  /// - Returns: The number of resolves since the isolation of the test began. Outside of one, that is a failure of the
  ///   test and 0.
  public static func resolveCount<Value>(
    of dependency: Dependency<Value>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> Int {
    resolutions(of: dependency, fileID: fileID, filePath: filePath, line: line, column: column).count
  }

  /// The resolves of a type in this test: from where, on which path, and whether the instance was there.
  ///
  /// They are in the order in which they were completed, so that of a dependency comes before that of the instance whose
  /// factory has asked for it.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name to count; if it is nil, every resolve of the type, with any name or of a declared dependency.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  /// - Returns: The resolves since the isolation of the test began. Outside of one, that is a failure of the test, and
  ///   there are none.
  public static func resolutions<Value>(
    of type: Value.Type, named name: DependencyName? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) -> [ResolutionEvent] {
    resolutions(Expected(type, named: name), FailureLocation(fileID, filePath, line, column))
  }

  /// The resolves of a declared dependency in this test: from where, on which path, and whether the instance was there.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; others of its type do not count.
  ///   - fileID: The caller's file, for messages.
  ///   - filePath: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - column: The caller's column, for messages.
  /// - Returns: The resolves since the isolation of the test began. Outside of one, that is a failure of the test, and
  ///   there are none.
  public static func resolutions<Value>(
    of dependency: Dependency<Value>, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> [ResolutionEvent] {
    resolutions(Expected(dependency), FailureLocation(fileID, filePath, line, column))
  }

  private static func resolutions(_ expected: Expected, _ location: FailureLocation) -> [ResolutionEvent] {
    DITesting.recorder(for: expected, location).map { expected.among($0.resolutions) } ?? []
  }
}
