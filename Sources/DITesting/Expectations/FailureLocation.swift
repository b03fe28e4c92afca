internal import DependencyInjection

#if canImport(Testing)
  public import Testing

  /// A location in a test, as `#_sourceLocation` is one.
  public typealias TestLocation = Testing.SourceLocation
#else
  /// A location in a test of Swift Testing, of which there is none without that.
  public enum TestLocation: Sendable {}
#endif

/// The place at which a failure is shown: a call of this library, or the test.
struct FailureLocation: Sendable, CustomStringConvertible {
  let fileID: String
  let filePath: String
  let line: Int
  let column: Int

  /// The path in the form that XCTest takes.
  let staticPath: StaticString

  /// The place of a call, or the one that the call passes on.
  init(
    _ fileID: StaticString = #fileID, _ filePath: StaticString = #filePath, _ line: UInt = #line,
    _ column: UInt = #column, _ sourceLocation: TestLocation? = nil
  ) {
    #if canImport(Testing)
      // XCTest takes paths from the source code only.
      if let sourceLocation, TestFramework.current == .swiftTesting {
        self.init(sourceLocation)
        return
      }
    #endif
    self.init("\(fileID)", "\(filePath)", Int(line), Int(column), filePath)
  }

  private init(_ fileID: String, _ filePath: String, _ line: Int, _ column: Int, _ staticPath: StaticString) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
    self.staticPath = staticPath
  }

  /// A place whose path is not known.
  private init(_ location: CodeLocation) {
    self.init(location.file, location.file, location.line, 1)
  }

  #if canImport(Testing)
    /// The place of a test of Swift Testing.
    init(_ location: Testing.SourceLocation) {
      self.init(location.fileID, location.filePath, location.line, location.column, "")
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
