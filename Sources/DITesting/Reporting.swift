#if canImport(Testing)
  internal import Testing
#endif
#if canImport(XCTest)
  internal import XCTest
#endif

/// Where a failure is shown: the line of the test that called.
struct FailureLocation {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }
}

/// Fails the running test, in the one framework that runs it.
///
/// A failure that is reported to the other framework passes silently, so exactly one is told: Swift Testing inside one
/// of its tests, else XCTest.
func report(_ message: String, at location: FailureLocation) {
  #if canImport(Testing)
    if Test.current != nil {
      let place = Testing.SourceLocation(
        fileID: "\(location.fileID)", filePath: "\(location.filePath)", line: Int(location.line),
        column: Int(location.column))
      Issue.record(Comment(rawValue: message), sourceLocation: place)
      return
    }
  #endif
  #if canImport(XCTest)
    XCTFail(message, file: location.filePath, line: location.line)
  #else
    fatalError(message, file: location.fileID, line: location.line)
  #endif
}
