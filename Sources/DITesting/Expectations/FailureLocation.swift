internal import DependencyInjection

#if canImport(Testing)
  internal import Testing
#endif

/// The place at which a failure is shown: a call of this library, or the test.
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

  /// A place whose path is not known.
  private init(_ location: CodeLocation) {
    self.init(location.file, location.file, location.line, 1)
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

  /// The place of a test, for failures that happen elsewhere: its path is known, so that editors can open it.
  ///
  /// - Parameters:
  ///   - test: The test; nil for the running one.
  ///   - location: The place of the failure, whose path is not known: used if the place of the test is not known.
  init(of test: IsolatedTest?, or location: CodeLocation) {
    self.init(of: test, or: Self(location))
  }

  /// The place of a test, or else another place.
  init(of test: IsolatedTest?, or other: Self) {
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
    self = DIContainer.current.recorder?.test.place ?? other
  }

  /// The place as compilers print it.
  var description: String { "\(fileID):\(line)" }
}
