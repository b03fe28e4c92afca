#if canImport(XCTest)
  public import DependencyInjection

  // The names that authors of XCTest tests look for. All other functions work in both frameworks under one name.

  /// Fails the test unless a type has been resolved a number of times since the isolation of the test began.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
  ///   - times: The expected number, or a range such as `1...`; once or more by default.
  ///   - container: The container whose resolutions count; nil for any container of the test.
  ///   - file: The caller's file.
  ///   - line: The caller's line.
  ///   - fileID: The caller's file.
  public func XCTAssertResolved<Value>(
    _ type: Value.Type, named name: DependencyName? = .any, times: some ExpectedTimes = 1...,
    in container: DIContainer? = nil, file: StaticString = #filePath, line: UInt = #line,
    fileID: StaticString = #fileID
  ) {
    expectResolved(type, named: name, times: times, in: container, fileID: fileID, filePath: file, line: line)
  }

  /// Fails the test unless a declared dependency has been resolved a number of times since its isolation began.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; other dependencies of its type do not count.
  ///   - times: The expected number, or a range such as `1...`; once or more by default.
  ///   - container: The container whose resolutions count; nil for any container of the test.
  ///   - file: The caller's file.
  ///   - line: The caller's line.
  ///   - fileID: The caller's file.
  public func XCTAssertResolved<Value, each Argument>(
    _ dependency: Dependency<Value, repeat each Argument>, times: some ExpectedTimes = 1...,
    in container: DIContainer? = nil,
    file: StaticString = #filePath, line: UInt = #line, fileID: StaticString = #fileID
  ) {
    expectResolved(dependency, times: times, in: container, fileID: fileID, filePath: file, line: line)
  }

  /// Fails the test if a type has been resolved since the isolation of the test began.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name; nil counts resolutions without a name, and the default counts all of the type.
  ///   - container: The container whose resolutions count; nil for any container of the test.
  ///   - file: The caller's file.
  ///   - line: The caller's line.
  ///   - fileID: The caller's file.
  public func XCTAssertNotResolved<Value>(
    _ type: Value.Type, named name: DependencyName? = .any, in container: DIContainer? = nil,
    file: StaticString = #filePath, line: UInt = #line, fileID: StaticString = #fileID
  ) {
    expectNotResolved(type, named: name, in: container, fileID: fileID, filePath: file, line: line)
  }

  /// Fails the test if a declared dependency has been resolved since the isolation of the test began.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; other dependencies of its type do not count.
  ///   - container: The container whose resolutions count; nil for any container of the test.
  ///   - file: The caller's file.
  ///   - line: The caller's line.
  ///   - fileID: The caller's file.
  public func XCTAssertNotResolved<Value, each Argument>(
    _ dependency: Dependency<Value, repeat each Argument>, in container: DIContainer? = nil,
    file: StaticString = #filePath,
    line: UInt = #line, fileID: StaticString = #fileID
  ) {
    expectNotResolved(dependency, in: container, fileID: fileID, filePath: file, line: line)
  }
#endif
