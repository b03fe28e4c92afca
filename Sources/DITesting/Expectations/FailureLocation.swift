internal import DependencyInjection

#if canImport(Testing)
  internal import Testing
#endif

/// Where a failure is shown: at a call of this library, or at the test.
struct FailureLocation: Sendable, CustomStringConvertible {
  let fileID: String
  let filePath: String
  let line: Int
  let column: Int

  /// The path in the form that XCTest takes.
  let staticPath: StaticString

  /// The place of a call.
  init(
    _ fileID: StaticString = #fileID, _ filePath: StaticString = #filePath, _ line: UInt = #line,
    _ column: UInt = #column
  ) {
    self.fileID = "\(fileID)"
    self.filePath = "\(filePath)"
    self.line = Int(line)
    self.column = Int(column)
    staticPath = filePath
  }

  #if canImport(Testing)
    /// The place of a test of Swift Testing.
    init(_ location: Testing.SourceLocation) {
      fileID = location.fileID
      filePath = location.filePath
      line = location.line
      column = location.column
      staticPath = ""
    }
  #endif

  /// The place of a test, for what happened elsewhere: editors and annotations can open it, because its path is known.
  ///
  /// - Parameters:
  ///   - test: The test; the running one if it is nil.
  ///   - location: Where it happened, of which there is no path: what is left if the place of the test is not known.
  init(of test: IsolatedTest?, or location: DependencyInjection.SourceLocation) {
    if let place = test?.place {
      self = place
      return
    }
    #if canImport(Testing)
      if let test = Test.current {
        self.init(test.sourceLocation)
        return
      }
    #endif
    self = DIContainer.current.recorder?.test.place ?? Self(location.file, location.file, location.line, 1)
  }

  /// The place as compilers print it.
  var description: String { "\(fileID):\(line)" }
}
