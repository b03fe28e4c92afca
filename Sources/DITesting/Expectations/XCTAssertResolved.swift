#if canImport(XCTest)
  public import DependencyInjection

  // MARK: - What has been resolved so far

  /// Fails the test unless a type has been resolved a number of times since the isolation of the test began.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name to count; if it is nil, every resolve of the type, with any name or of a declared dependency.
  ///   - times: The expected number of resolves, or a range such as `1...`; once or more if left out.
  ///   - file: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - fileID: The caller's file, for messages.
  public func XCTAssertResolved<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, times: some ExpectedTimes = 1...,
    file: StaticString = #filePath, line: UInt = #line, fileID: StaticString = #fileID
  ) {
    check(Expected(type, named: name), times, FailureLocation(fileID, file, line, 1))
  }

  /// Fails the test unless a declared dependency has been resolved a number of times since its isolation began.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; others of its type do not count.
  ///   - times: The expected number of resolves, or a range such as `1...`; once or more if left out.
  ///   - file: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - fileID: The caller's file, for messages.
  public func XCTAssertResolved<Value>(
    _ dependency: Dependency<Value>, times: some ExpectedTimes = 1..., file: StaticString = #filePath,
    line: UInt = #line, fileID: StaticString = #fileID
  ) {
    check(Expected(dependency), times, FailureLocation(fileID, file, line, 1))
  }

  /// Fails the test if a type has been resolved since the isolation of the test began.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name to count; if it is nil, every resolve of the type, with any name or of a declared dependency.
  ///   - file: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - fileID: The caller's file, for messages.
  public func XCTAssertNotResolved<Value>(
    _ type: Value.Type, named name: DependencyName? = nil, file: StaticString = #filePath, line: UInt = #line,
    fileID: StaticString = #fileID
  ) {
    check(Expected(type, named: name), 0, FailureLocation(fileID, file, line, 1))
  }

  /// Fails the test if a declared dependency has been resolved since the isolation of the test began.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; others of its type do not count.
  ///   - file: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - fileID: The caller's file, for messages.
  public func XCTAssertNotResolved<Value>(
    _ dependency: Dependency<Value>, file: StaticString = #filePath, line: UInt = #line, fileID: StaticString = #fileID
  ) {
    check(Expected(dependency), 0, FailureLocation(fileID, file, line, 1))
  }

  // MARK: - What a closure resolves

  /// Fails the test unless a closure and the tasks it starts resolve a type a number of times.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name to count; if it is nil, every resolve of the type, with any name or of a declared dependency.
  ///   - times: The expected number of resolves, or a range such as `1...`.
  ///   - file: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - fileID: The caller's file, for messages.
  ///   - body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @discardableResult
  public func XCTAssertResolved<Value, Result>(
    _ type: Value.Type, named name: DependencyName? = nil, times: some ExpectedTimes, file: StaticString = #filePath,
    line: UInt = #line, fileID: StaticString = #fileID, _ body: () throws -> Result
  ) rethrows -> Result {
    try check(Expected(type, named: name), times, FailureLocation(fileID, file, line, 1), during: body)
  }

  /// Fails the test unless a closure and the tasks it starts resolve a declared dependency a number of times.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; others of its type do not count.
  ///   - times: The expected number of resolves, or a range such as `1...`.
  ///   - file: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - fileID: The caller's file, for messages.
  ///   - body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @discardableResult
  public func XCTAssertResolved<Value, Result>(
    _ dependency: Dependency<Value>, times: some ExpectedTimes, file: StaticString = #filePath, line: UInt = #line,
    fileID: StaticString = #fileID, _ body: () throws -> Result
  ) rethrows -> Result {
    try check(Expected(dependency), times, FailureLocation(fileID, file, line, 1), during: body)
  }

  /// Fails the test unless an asynchronous closure and the tasks it starts resolve a type a number of times.
  ///
  /// - Parameters:
  ///   - type: The type; an alias counts as itself.
  ///   - name: The name to count; if it is nil, every resolve of the type, with any name or of a declared dependency.
  ///   - times: The expected number of resolves, or a range such as `1...`.
  ///   - isolation: The actor to run on: the caller's.
  ///   - file: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - fileID: The caller's file, for messages.
  ///   - body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @discardableResult
  public func XCTAssertResolved<Value, Result>(
    _ type: Value.Type, named name: DependencyName? = nil, times: some ExpectedTimes,
    isolation: isolated (any Actor)? = #isolation, file: StaticString = #filePath, line: UInt = #line,
    fileID: StaticString = #fileID, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await check(
      Expected(type, named: name), times, FailureLocation(fileID, file, line, 1), isolation: isolation, during: body)
  }

  /// Fails the test unless an asynchronous closure and its tasks resolve a declared dependency a number of times.
  ///
  /// - Parameters:
  ///   - dependency: The dependency; others of its type do not count.
  ///   - times: The expected number of resolves, or a range such as `1...`.
  ///   - isolation: The actor to run on: the caller's.
  ///   - file: The caller's file, for messages.
  ///   - line: The caller's line, for messages.
  ///   - fileID: The caller's file, for messages.
  ///   - body: The closure.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
  @discardableResult
  public func XCTAssertResolved<Value, Result>(
    _ dependency: Dependency<Value>, times: some ExpectedTimes, isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #filePath, line: UInt = #line, fileID: StaticString = #fileID,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await check(
      Expected(dependency), times, FailureLocation(fileID, file, line, 1), isolation: isolation, during: body)
  }
#endif
